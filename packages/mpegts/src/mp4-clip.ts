import type { Clip, ClipLabel, ClipReport } from './clip.ts';
import { box, u32, u64 } from './fmp4-boxes.ts';
import { fileType, type MovieTrack, movieBox, sumOf } from './mp4-movie.ts';
import { createMp4SampleReader, type Mp4Coding, type Mp4Sample, mp4Streams } from './mp4-samples.ts';
import { addSample, firstFrom, settle, shownTracks, type Track } from './mp4-times.ts';
import { createNumberList, type NumberList } from './number-list.ts';
import { isSoundKind } from './sound-frames.ts';
import { isVideo } from './stream-kind.ts';
import type { ProgramStream, VideoKind } from './types.ts';

/** One cut for an MP4 file. Several cuts are shown one after the other, without the gaps between them. */
export type Mp4Part = {
  /** Opens the cut. It is read twice: once for the tables, once for the data. */
  open(): Promise<{ clip: Clip; close(): Promise<void> }>;
  /**
   * Time in 90 kHz ticks from the first picture of the cut to the first requested picture (`askedTicks`), and to the
   * end (`lengthTicks`).
   */
  askedTicks: number;
  lengthTicks: number;
  /** Label stored in a KLV track of the file. */
  label?: ClipLabel | null;
};

export type Mp4Options = {
  /** Title and comment, which players show. */
  title: string;
  comment: string;
  /** Time of the first picture shown, in seconds since 1970; null if unknown. */
  createdSeconds: number | null;
  signal?: AbortSignal;
};

export type Mp4Clip = {
  sizeBytes: number;
  /** Reports of the cuts, one for each part. */
  reports: readonly ClipReport[];
  /** Yields `ftyp`, `moov` with all tables, then the data. @throws Error if the recording changed in the meantime */
  bytes(): AsyncGenerator<Uint8Array>;
};

/** Maximum number of samples. Their tables take about 50 MB; for pictures, this is nine hours at 60 per second. */
const SAMPLES_MAX = 2_000_000;
/**
 * Maximum number of parameter sets: avcC has five bits for the number of sequence parameter sets, and eight for that of
 * the others.
 */
const SEQUENCE_SETS_MAX = 31;
const SETS_MAX = 255;
const LARGE = 2 ** 32;

/**
 * Opens one MP4 file (ISO/IEC 14496-12) with the pictures, sound and KLV of several cuts. Samples are identical to
 * those of the stream, except that H.264 and H.265 have lengths instead of start codes, and their parameter sets are in
 * the sample entry if they do not change. The tables precede the data, and an edit list limits presentation to the
 * range from the requested picture to the end, however much earlier decoding has to begin.
 *
 * Opening reads all cuts once. Memory is needed for the tables, 25 bytes per sample.
 *
 * @throws RangeError if MP4 does not support the coding, the pictures cannot be read, or there are too many samples
 */
export async function openMp4Clip(parts: readonly Mp4Part[], options: Mp4Options): Promise<Mp4Clip> {
  const survey = await surveyOf(parts, options.signal);
  const { tracks, order, reports } = survey;
  const withSets = !isPlain(tracks[0]!.coding);
  const shown = shownTracks(tracks, survey);
  const sizes = new Map(shown.map(({ number }) => [number, storedSizes(tracks[number]!, withSets)]));
  const movie = {
    ...options,
    tracks: shown.map(({ number, track }): MovieTrack => ({ ...track, sizes: sizes.get(number)! })),
  };
  const dataBytes = [...sizes.values()].reduce((sum, list) => sum + sumOf(list), 0);
  const head = fileType();
  // The tables have their final size before the offsets are known. If the data is at least 1 GiB below the limit, there
  // is enough room for the tables to use 32-bit offsets.
  const isLarge = dataBytes > LARGE - 2 ** 30;
  const dataHead =
    dataBytes + 8 < LARGE ? box('mdat') : Uint8Array.from([...u32(1), ...box('mdat').subarray(4), ...u64(0)]);
  const dataView = new DataView(dataHead.buffer);
  if (dataHead.length === 8) dataView.setUint32(0, dataBytes + 8);
  else dataView.setBigUint64(8, BigInt(dataBytes + 16));
  const dataAt = head.length + movieBox(movie, null, isLarge).length + dataHead.length;
  const places = placesOf(
    shown.map(({ number }) => number),
    { order, sizes, dataAt },
  );
  const moov = movieBox(movie, places, isLarge);

  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield head;
    yield moov;
    yield dataHead;
    const counts = tracks.map(() => 0);
    for (const [number, part] of parts.entries()) {
      let out: Uint8Array[] = [];
      const appendSample = (sample: Mp4Sample) => {
        const own = sizes.get(sample.track);
        if (own === undefined) return;
        const sizeBytes = withSets ? sample.sizeBytes : sample.sizeBytes - sample.setBytes;
        if (own[counts[sample.track]!++] !== sizeBytes) throw new Error('The recording changed while it was cut');
        const stored = new Uint8Array(sizeBytes);
        sample.write(stored, 0, withSets);
        out.push(stored);
      };
      for await (const _ of readPart(part, {
        number,
        codings: fresh(tracks),
        streams: survey.streams,
        take: appendSample,
      })) {
        if (out.length > 0) yield joined(out);
        out = [];
      }
      if (out.length > 0) yield joined(out);
    }
    for (const [n, list] of sizes)
      if (counts[n] !== list.length) throw new Error('The recording changed while it was cut');
  }

  return { sizeBytes: dataAt + dataBytes, reports, bytes };
}

type Survey = {
  streams: readonly ProgramStream[];
  tracks: Track[];
  /** Chunks in file order, as alternating track number and number of samples. */
  order: NumberList;
  reports: ClipReport[];
  /** Presentation time in ticks of the first requested picture (`inTicks`) and of the end (`endTicks`). */
  inTicks: number;
  endTicks: number;
};

async function surveyOf(parts: readonly Mp4Part[], signal?: AbortSignal): Promise<Survey> {
  const streams = await streamsOf(parts[0]!);
  const tracks = streams.map(trackOf);
  const order = createNumberList();
  const reports: ClipReport[] = [];
  let samples = 0;
  let [baseTicks, inTicks, endTicks] = [0, 0, 0];
  for (const [number, part] of parts.entries()) {
    const from = tracks[0]!.pts.length();
    const appendSample = (sample: Mp4Sample) => {
      if (++samples > SAMPLES_MAX)
        throw new RangeError('It holds too many pictures for one MP4 file: choose a shorter span.');
      const { dts } = tracks[0]!;
      const nearTicks = dts.length() > from ? dts.at(dts.length() - 1) : 0;
      addSample(tracks[sample.track]!, sample, { baseTicks, nearTicks });
      if (order.length() > 0 && order.at(order.length() - 2) === sample.track)
        order.set(order.length() - 1, order.at(order.length() - 1) + 1);
      else {
        order.add(sample.track);
        order.add(1);
      }
    };
    const codings = tracks.map(({ coding }) => coding);
    for await (const report of readPart(part, { number, codings, streams, take: appendSample })) {
      signal?.throwIfAborted();
      if (report !== null) reports.push(report);
    }
    const pictures = tracks[0]!;
    const ends = settle(pictures, from, baseTicks);
    if (number === 0) inTicks = firstFrom(pictures.pts.from(0), part.askedTicks);
    endTicks = Math.min(baseTicks + part.lengthTicks, ends);
    baseTicks = ends;
  }
  check(tracks[0]!.coding);
  for (let at = 0; at < order.length(); at += 2) tracks[order.at(at)]!.chunks.add(order.at(at + 1));
  return { streams, tracks, order, reports, inTicks, endTicks: Math.max(endTicks, inTicks + 1) };
}

function check(coding: Mp4Coding): void {
  if (coding.kind !== 'video' || coding.format === null) throw new RangeError('The pictures do not say their size.');
  const { video, sets } = coding;
  if ((video === 'h264' || video === 'h265') && sets === null)
    throw new RangeError('The pictures come without parameter sets.');
  if (sets && (sets.sps.length > SEQUENCE_SETS_MAX || Math.max(sets.pps.length, sets.vps.length) > SETS_MAX))
    throw new RangeError('The pictures use too many parameter sets.');
}

async function streamsOf({ open, label }: Mp4Part): Promise<ProgramStream[]> {
  const { clip, close } = await open();
  await close();
  return mp4Streams(clip, label != null);
}

const trackOf = ({ kind }: ProgramStream): Track => ({
  coding: codingOf(kind),
  sizes: createNumberList(),
  setBytes: createNumberList(),
  pts: createNumberList(),
  dts: createNumberList(),
  keys: createNumberList(),
  chunks: createNumberList(),
});

function codingOf(kind: ProgramStream['kind']): Mp4Coding {
  if (isVideo(kind)) return emptyVideo(kind);
  return isSoundKind(kind) ? { kind: 'sound', sound: null } : { kind: 'klv' };
}

const emptyVideo = (video: VideoKind): Mp4Coding => ({
  kind: 'video',
  ...{ video, format: null, sets: null, changed: false, headers: new Uint8Array(0) },
});

/**
 * Returns new codings for the second reading. The sound formats are kept, so that sound in another format than the
 * first one is omitted again.
 */
const fresh = (tracks: readonly Track[]): Mp4Coding[] =>
  tracks.map(({ coding }) => (coding.kind === 'video' ? emptyVideo(coding.video) : coding));

type Reading = {
  number: number;
  codings: Mp4Coding[];
  streams: readonly ProgramStream[];
  take: (sample: Mp4Sample) => void;
};

/** Reads a part, yielding after each piece; yields its report at the end. */
async function* readPart(
  part: Mp4Part,
  { number, codings, streams, take: appendSample }: Reading,
): AsyncGenerator<ClipReport | null> {
  const { clip, close } = await part.open();
  try {
    const own = mp4Streams(clip, part.label != null);
    if (own[0]!.kind !== streams[0]!.kind) throw new RangeError('The pictures change to another coding.');
    const reader = createMp4SampleReader(
      {
        streams: streams.map(({ kind }, n) => (own[n]?.kind === kind ? own[n]! : null)),
        ...{ codings, startPts: clip.startPts, lengthTicks: part.lengthTicks },
      },
      (sample) => {
        // In later parts, omit sound before the first picture: it would overlap the previous part's pictures.
        const isSound = codings[sample.track]!.kind === 'sound';
        if (number === 0 || !isSound || sample.ptsTicks === null || sample.ptsTicks >= 0) appendSample(sample);
      },
    );
    for await (const packets of clip.packets({ label: part.label ?? null })) {
      reader.push(packets);
      yield null;
    }
    reader.end();
    yield clip.report();
  } finally {
    await close();
  }
}

/** Whether parameter sets are stored only in the sample entry. */
const isPlain = (coding: Mp4Coding): boolean => coding.kind === 'video' && coding.sets !== null && !coding.changed;

function storedSizes({ sizes, setBytes, coding }: Track, withSets: boolean): Float64Array {
  const complete = sizes.from(0);
  return coding.kind === 'video' && !withSets ? complete.map((size, i) => size - setBytes.at(i)) : complete;
}

type Placing = { order: NumberList; sizes: ReadonlyMap<number, Float64Array>; dataAt: number };

/** Computes the file offsets of the chunks of each track. */
function placesOf(numbers: readonly number[], { order, sizes, dataAt }: Placing): Float64Array[] {
  const places = new Map(numbers.map((number) => [number, createNumberList()]));
  const counts = new Map(numbers.map((number) => [number, 0]));
  let at = dataAt;
  for (let n = 0; n < order.length(); n += 2) {
    const number = order.at(n);
    const own = sizes.get(number);
    if (own === undefined) continue;
    places.get(number)!.add(at);
    const from = counts.get(number)!;
    const to = from + order.at(n + 1);
    for (let i = from; i < to; i++) at += own[i]!;
    counts.set(number, to);
  }
  return numbers.map((number) => places.get(number)!.from(0));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
