import { isSame } from '@osprey/bytes';
import { eachNalUnit, findStartCode } from './annex-b.ts';
import type { Clip } from './clip.ts';
import { createKlvStream } from './klv-stream.ts';
import { MPEG2_CODE } from './mpeg2.ts';
import { MPEG4_CODE } from './mpeg4.ts';
import { createParameterSetKeeper, nalType, type ParameterSets, roleOf } from './parameter-sets.ts';
import { createPesGatherer, type GatheredPes } from './pes-gatherer.ts';
import { createPictureScanner } from './picture-scanner.ts';
import { createSoundFramer, isSoundKind, type SoundFormat, type SoundKind } from './sound-frames.ts';
import { isKlv, isUnnamed } from './stream-kind.ts';
import { distance } from './timeline.ts';
import type { Program, ProgramStream, VideoFormat, VideoKind } from './types.ts';

/** One sample of a track. The object and its bytes are reused, so they must be read during the call. */
export type Mp4Sample = {
  /** Number of its track: 0 for the pictures, followed by the other streams of the program. */
  track: number;
  /** Time in 90 kHz ticks after the first picture of the cut; null if the stream does not state it. */
  ptsTicks: number | null;
  dtsTicks: number | null;
  /** Whether decoding can begin at this sample. */
  key: boolean;
  sizeBytes: number;
  /** Number of bytes in parameter sets, which can be stored in the sample entry instead. */
  setBytes: number;
  /** Writes the sample at `at`, with or without its parameter sets. */
  write(out: Uint8Array, at: number, withSets: boolean): void;
};

/** Content of a track, as far as it has been read. */
export type Mp4Coding =
  | {
      kind: 'video';
      video: VideoKind;
      format: VideoFormat | null;
      sets: ParameterSets | null;
      /** Whether the parameter sets changed within the track. */
      changed: boolean;
      /** MPEG-2 and MPEG-4 part 2: headers before the first picture. */
      headers: Uint8Array;
    }
  | { kind: 'sound'; sound: SoundFormat | null }
  | { kind: 'klv' };

/** Returns the streams of a cut that MP4 can store: the leading video first, the label's stream last. */
export function mp4Streams({ programs, video, labelStream }: Clip, isLabelled: boolean): ProgramStream[] {
  const lead: Program | undefined = programs.find(({ streams }) => streams.some(({ pid }) => pid === video.pid));
  const others = lead?.streams.filter((one) => isSoundKind(one.kind) || isKlv(one.kind) || isUnnamed(one)) ?? [];
  const label = isLabelled ? labelStream() : null;
  return [video, ...others, ...(label === null ? [] : [label])];
}

export type Mp4SampleReader = { push(packets: Uint8Array): void; end(): void };

type Reader = { pes(pes: GatheredPes): void; end(): void };

/** Maximum time before or after the cut at which a picture may be shown, in ticks; a larger one means damage. */
const FAR_TICKS = 20 * 90_000;

type Options = {
  /** Streams by track number; null if the cut has no such stream. */
  streams: readonly (ProgramStream | null)[];
  codings: Mp4Coding[];
  /** PTS of the first picture (`startPts`), and length of the cut (`lengthTicks`). */
  startPts: number;
  lengthTicks: number;
};

/** Reads the samples of a cut from its packets, in the order in which they are complete. */
export function createMp4SampleReader(
  { streams, codings, startPts, lengthTicks }: Options,
  give: (sample: Mp4Sample) => void,
): Mp4SampleReader {
  const sample: Mp4Sample = {
    ...{ track: 0, ptsTicks: null, dtsTicks: null, key: true, sizeBytes: 0, setBytes: 0 },
    write: () => undefined,
  };
  const readers = new Map<number, Reader>();
  for (const [track, stream] of streams.entries()) {
    const coding = codings[track]!;
    if (stream === null) continue;
    const { pid, kind } = stream;
    if (coding.kind === 'video') readers.set(pid, pictures(coding));
    else if (coding.kind === 'klv') readers.set(pid, klv(track, kind));
    else if (isSoundKind(kind)) readers.set(pid, sound(track, kind, coding));
  }
  const gatherer = createPesGatherer([...readers.keys()], (pes) => readers.get(pes.pid)!.pes(pes));

  /** Time of the last picture in ticks; 33-bit times are unwrapped to the nearest value. */
  let clock = 0;

  function ticksOf(stamp: number): number | null {
    if (stamp < 0) return null;
    const ticks = clock + distance(stamp, startPts + clock);
    return Math.abs(ticks - clock) > FAR_TICKS || ticks > lengthTicks + FAR_TICKS ? null : ticks;
  }

  function pictures(coding: Mp4Coding & { kind: 'video' }): Reader {
    const { video } = coding;
    const scanner = createPictureScanner(video);
    const nal = video === 'h264' || video === 'h265' ? video : null;
    const keeper = nal && createParameterSetKeeper(nal);
    const cut = { bytes: new Uint8Array(0), start: 0, end: 0 };
    /** Positions of the NAL units, as pairs of numbers. */
    let nals: number[] = [];

    function write(out: Uint8Array, at: number, withSets: boolean) {
      if (nal === null) {
        out.set(cut.bytes.subarray(cut.start, cut.end), at);
        return;
      }
      const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
      let to = at;
      for (let i = 0; i < nals.length; i += 2) {
        const [from, end] = [nals[i]!, nals[i + 1]!];
        if (!withSets && roleOf(nal, nalType(nal, cut.bytes, from)) !== null) continue;
        view.setUint32(to, end - from);
        out.set(cut.bytes.subarray(from, end), to + 4);
        to += 4 + end - from;
      }
    }

    function read({ pts, dts, bytes, start, end }: GatheredPes) {
      scanner.begin();
      scanner.scan(bytes, start, end, true);
      sample.track = 0;
      sample.ptsTicks = ticksOf(pts);
      sample.dtsTicks = dts < 0 ? sample.ptsTicks : ticksOf(dts);
      clock = Math.max(clock, sample.dtsTicks ?? clock);
      sample.key = scanner.isKeyframe();
      [sample.sizeBytes, sample.setBytes] = nal === null ? [end - start, 0] : measure(nal, bytes, start, end);
      Object.assign(cut, { bytes, start, end });
      sample.write = write;
      note(bytes, start, end);
      if (sample.sizeBytes > 0) give(sample);
    }

    function measure(
      kind: 'h264' | 'h265',
      bytes: Uint8Array,
      start: number,
      end: number,
    ): [size: number, sets: number] {
      nals = [];
      let [size, sets] = [0, 0];
      eachNalUnit(bytes, start, end, (from, to) => {
        nals.push(from, to);
        size += 4 + to - from;
        if (roleOf(kind, nalType(kind, bytes, from)) !== null) sets += 4 + to - from;
      });
      return [size, sets];
    }

    function note(bytes: Uint8Array, start: number, end: number) {
      coding.format ??= scanner.format();
      if (keeper === null) {
        if (coding.headers.length === 0) coding.headers = headersOf(video, bytes, start, end);
        return;
      }
      // Most pictures contain no parameter sets, and searching for them costs as much as all other processing.
      if (sample.setBytes > 0) keeper.read(bytes, start, end);
      const now = keeper.current();
      if (now === null || now === coding.sets) return;
      if (coding.sets !== null && !sameSets(coding.sets, now)) coding.changed = true;
      coding.sets ??= now;
    }

    return { pes: read, end: () => undefined };
  }

  function sound(track: number, kind: SoundKind, coding: Mp4Coding & { kind: 'sound' }): Reader {
    const framer = createSoundFramer(kind, ({ pts, format, bytes, start, end }) => {
      coding.sound ??= format;
      // A track has one sound format, so frames in another format are omitted.
      if (!isSameSound(coding.sound, format)) return;
      sample.track = track;
      sample.ptsTicks = pts === null ? null : ticksOf(pts);
      sample.dtsTicks = sample.ptsTicks;
      plain(bytes, start, end);
    });
    return { pes: ({ bytes, start, end, pts }) => framer.push(bytes, start, end, pts), end: () => undefined };
  }

  function klv(track: number, kind: ProgramStream['kind']): Reader {
    const stream = createKlvStream({
      kind,
      budget: { left: KLV_BUDGET },
      onFault: () => undefined,
      onPayload({ bytes, start, end, pts }) {
        sample.track = track;
        sample.ptsTicks = ticksOf(pts);
        sample.dtsTicks = sample.ptsTicks;
        plain(bytes, start, end);
      },
    });
    return {
      pes({ bytes, end }) {
        stream.begin(bytes, 0, end, 0);
      },
      end: stream.end,
    };
  }

  function plain(bytes: Uint8Array, start: number, end: number) {
    sample.key = true;
    sample.sizeBytes = end - start;
    sample.setBytes = 0;
    sample.write = (out, at) => out.set(bytes.subarray(start, end), at);
    give(sample);
  }

  function end() {
    gatherer.end();
    for (const reader of readers.values()) reader.end();
  }

  return { push: gatherer.push, end };
}

const KLV_BUDGET = 64 * 1024 * 1024;

const isSameSound = (a: SoundFormat, b: SoundFormat): boolean =>
  a.rate === b.rate && a.channels === b.channels && a.samples === b.samples && a.objectType === b.objectType;

const isEqual = (a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean =>
  a.length === b.length && a.every((set, n) => isSame(set, b[n]!, 0, b[n]!.length));

const sameSets = (a: ParameterSets, b: ParameterSets): boolean =>
  isEqual(a.vps, b.vps) && isEqual(a.sps, b.sps) && isEqual(a.pps, b.pps);

/** Returns the bytes before the first picture: sequence and layer headers, which decoders need first. */
function headersOf(video: VideoKind, bytes: Uint8Array, start: number, end: number): Uint8Array {
  const ends: readonly number[] =
    video === 'mpeg4' ? [MPEG4_CODE.group, MPEG4_CODE.picture] : [MPEG2_CODE.group, MPEG2_CODE.picture];
  for (let code = findStartCode(bytes, start, end); code >= 0; code = findStartCode(bytes, code + 3, end)) {
    if (ends.includes(bytes[code + 3]!)) return bytes.slice(start, code);
  }
  return new Uint8Array(0);
}
