import { box, fullBox, text, u16, u32, u64, zeros } from './fmp4-boxes.ts';
import { LANGUAGE_UNDETERMINED, MATRIX, ONE } from './fmp4-init.ts';
import { TICKS_PER_SECOND } from './timeline.ts';

/** One track with the contents of its tables. Sizes and offsets are in sample order. */
export type MovieTrack = {
  handler: 'vide' | 'soun' | 'meta';
  entry: Uint8Array;
  /** Ticks per second of the track's media time. */
  timescale: number;
  /** Width in pixels; 0 for a track without pictures. */
  width: number;
  height: number;
  sizes: Float64Array;
  /** Duration of each sample, in media ticks. */
  durations: Float64Array;
  /** Composition offset of each sample (from decoding time to presentation time), in media ticks; null if all are 0. */
  delays: Float64Array | null;
  /** Numbers, counted from 1, of the samples at which decoding can begin; null if it can begin at every sample. */
  keys: Float64Array | null;
  /** Number of samples in each chunk. */
  chunks: Float64Array;
  /**
   * Movie ticks at the start during which nothing is shown (`emptyTicks`), and for which the media is shown after that
   * (`shownTicks`).
   */
  emptyTicks: number;
  shownTicks: number;
  /** Media time at which presentation begins, in media ticks. */
  mediaStart: number;
};

export type Movie = {
  tracks: readonly MovieTrack[];
  /** Creation time in seconds since 1970; null if not stated. */
  createdSeconds: number | null;
  /** Title and comment, which players show. */
  title: string;
  comment: string;
};

/** The movie uses the time scale of transport streams, so that edits are exact. */
const TIMESCALE = TICKS_PER_SECOND;
/** Number of seconds from 1904, the epoch of MP4, to 1970. */
const EPOCH_SECONDS = 2_082_844_800;
const LARGE = 2 ** 32;

export const fileType = (): Uint8Array => box('ftyp', text('isom'), u32(0x200), text('isomiso2mp41'));

/**
 * Writes the box `moov` (ISO/IEC 14496-12, 8.2) with all tables; it precedes the data.
 *
 * @param places file offset of each chunk, for each track; null if not yet known, which gives a box of the same size
 * @param isLarge true if offsets are written in 64 bits
 */
export function movieBox(movie: Movie, places: readonly Float64Array[] | null, isLarge: boolean): Uint8Array {
  const { tracks, createdSeconds } = movie;
  const created = createdSeconds === null ? 0 : Math.max(0, createdSeconds + EPOCH_SECONDS);
  // A metadata track must not extend the movie beyond pictures and sound, even if its edit is longer.
  const duration = Math.max(...tracks.filter(({ handler }) => handler !== 'meta').map(shownWhole));
  const rest = [u32(ONE), u16(0x0100), zeros(10), MATRIX, zeros(24), u32(tracks.length + 1)];
  return box(
    'moov',
    timed('mvhd', 0, [created, created], [u32(TIMESCALE)], duration, rest),
    ...tracks.map((track, n) => trackBox(track, n + 1, { created, places: places?.[n] ?? null, isLarge })),
    box('udta', words(movie)),
  );
}

const shownWhole = ({ emptyTicks, shownTicks }: MovieTrack): number => emptyTicks + shownTicks;

/** Writes a header box with times in 32 bits if they fit, for old players, otherwise in 64. */
function timed(
  type: string,
  flags: number,
  stamps: readonly number[],
  between: readonly Uint8Array[],
  duration: number,
  rest: readonly Uint8Array[],
): Uint8Array {
  const isLong = Math.max(...stamps, duration) >= LARGE;
  const time = isLong ? u64 : u32;
  return fullBox(type, isLong ? 1 : 0, flags, ...stamps.map((one) => time(one)), ...between, time(duration), ...rest);
}

type Placed = { created: number; places: Float64Array | null; isLarge: boolean };

const SOUND_GROUP = 1;

function trackBox(track: MovieTrack, id: number, { created, places, isLarge }: Placed): Uint8Array {
  const { handler, timescale, durations, width, height } = track;
  const stamps = [created, created];
  const group = handler === 'soun' ? SOUND_GROUP : 0;
  const volume = handler === 'soun' ? 0x0100 : 0;
  const size = u32(width * ONE, height * ONE);
  const rest = [zeros(8), u16(0, group, volume, 0), MATRIX, size];
  // Flags: enabled and used in the movie; video and sound also in the preview.
  const flags = handler === 'meta' ? 3 : 7;
  const mediaTicks = sumOf(durations);
  const head = {
    vide: fullBox('vmhd', 0, 1, zeros(8)),
    soun: fullBox('smhd', 0, 0, zeros(4)),
    meta: fullBox('nmhd', 0, 0),
  };
  const name = { vide: 'VideoHandler', soun: 'SoundHandler', meta: 'KLV' };
  const place = box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1)));
  return box(
    'trak',
    timed('tkhd', flags, stamps, [u32(id, 0)], shownWhole(track), rest),
    box('edts', edits(track)),
    box(
      'mdia',
      timed('mdhd', 0, stamps, [u32(timescale)], mediaTicks, [u16(LANGUAGE_UNDETERMINED, 0)]),
      fullBox('hdlr', 0, 0, u32(0), text(handler), zeros(12), text(`${name[handler]}\0`)),
      box('minf', head[handler], place, tables(track, places, isLarge)),
    ),
  );
}

/**
 * Writes the edit list (8.6.6): an empty edit if the track begins later, then the media from the first moment to be
 * shown.
 */
function edits({ emptyTicks, shownTicks, mediaStart }: MovieTrack): Uint8Array {
  const entries: [ticks: number, mediaTime: number][] = [[shownTicks, mediaStart]];
  if (emptyTicks > 0) entries.unshift([emptyTicks, -1]);
  const isLong = entries.some(([ticks, time]) => ticks >= LARGE || time >= LARGE / 2);
  const parts = entries.flatMap(([ticks, time]) => [
    ...(isLong ? [u64(ticks), time < 0 ? u32(-1, -1) : u64(time)] : [u32(ticks, time)]),
    u16(1, 0),
  ]);
  return fullBox('elst', isLong ? 1 : 0, 0, u32(entries.length), ...parts);
}

function tables(track: MovieTrack, places: Float64Array | null, isLarge: boolean): Uint8Array {
  const { entry, sizes, durations, delays, keys, chunks } = track;
  const isNegative = delays?.some((ticks) => ticks < 0) ?? false;
  const chunkPlaces = places ?? new Float64Array(chunks.length);
  return box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), entry),
    fullBox('stts', 0, 0, repeated(durations)),
    ...(delays === null ? [] : [fullBox('ctts', isNegative ? 1 : 0, 0, repeated(delays))]),
    ...(keys === null ? [] : [fullBox('stss', 0, 0, u32(keys.length), words32(keys))]),
    fullBox('stsc', 0, 0, samplesOfChunks(chunks)),
    fullBox('stsz', 0, 0, u32(0, sizes.length), words32(sizes)),
    isLarge
      ? fullBox('co64', 0, 0, u32(chunkPlaces.length), words64(chunkPlaces))
      : fullBox('stco', 0, 0, u32(chunkPlaces.length), words32(chunkPlaces)),
  );
}

/** Writes a run-length table: the number of runs, then the length and value of each run. */
function repeated(values: Float64Array): Uint8Array {
  let entries = 0;
  for (let i = 0; i < values.length; i++) if (values[i] !== values[i - 1]) entries += 1;
  const bytes = new Uint8Array(4 + entries * 8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, entries);
  let at = 4 - 8;
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    if (values[i] !== values[i - 1]) {
      at += 8;
      count = 0;
    }
    view.setUint32(at, ++count);
    view.setInt32(at + 4, values[i]!);
  }
  return bytes;
}

/** Writes the table `stsc`: first chunk of each run of chunks, and their number of samples per chunk. */
function samplesOfChunks(chunks: Float64Array): Uint8Array {
  const entries: number[] = [];
  for (let i = 0; i < chunks.length; i++) if (chunks[i] !== chunks[i - 1]) entries.push(i + 1, chunks[i]!, 1);
  return words32(Float64Array.of(entries.length / 3, ...entries));
}

function words32(values: Float64Array): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) view.setUint32(i * 4, values[i]!);
  return bytes;
}

function words64(values: Float64Array): Uint8Array {
  const bytes = new Uint8Array(values.length * 8);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) view.setBigUint64(i * 8, BigInt(values[i]!));
  return bytes;
}

export const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** Writes title and comment in the form read by QuickTime and most players (`ilst`), in UTF-8. */
function words({ title, comment }: Movie): Uint8Array {
  const word = (type: string, said: string) => box(type, box('data', u32(1, 0), new TextEncoder().encode(said)));
  const handler = fullBox('hdlr', 0, 0, u32(0), text('mdirappl'), zeros(9));
  return fullBox('meta', 0, 0, handler, box('ilst', word('\u00a9nam', title), word('\u00a9cmt', comment)));
}
