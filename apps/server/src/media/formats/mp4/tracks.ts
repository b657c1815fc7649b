import { type Box, boxAt, boxesIn, boxReader, fullBoxReader, viewOf } from './boxes.ts';
import { statedTimes } from './stated-time.ts';

/** Sample tables of a track: the boxes in `stbl`, as offsets in `moov`. */
export type SampleTables = {
  stts: Box | null;
  stsc: Box | null;
  stsz: Box | null;
  /** The box `stco` or `co64`. */
  chunks: Box | null;
};

export type Mp4Track = {
  id: number;
  /** Handler type, for example `vide`, `soun`, `meta`, `sbtl`, `text`, `tmcd`. */
  handler: string;
  isEnabled: boolean;
  /** Code of the first sample description, for example `avc1`, `mp4a`, `gpmd`. */
  coding: string;
  /** Name of the handler, for tracks that are not identified by a code. */
  name: string;
  /** Ticks per second of the track's media. */
  timescale: number;
  /** Clockwise rotation in degrees with which the pictures are shown. */
  rotation: number;
  /** objectTypeIndication of an `esds` box (ISO/IEC 14496-1, table 5); null if there is none. */
  objectType: number | null;
  width: number;
  height: number;
  /**
   * Difference between presentation time and media time in seconds, according to the first edits (ISO/IEC 14496-12,
   * 8.6.6): empty edits delay the media, and a media time skips its beginning.
   */
  editSeconds: number;
  /** Edits that show a part of the media, in sequence; empty if there is no edit list. */
  edits: readonly Edit[];
  tables: SampleTables;
  box: Box;
};

/** One edit: shows the media from `from` on, at presentation time `at`, both in seconds. A length of 0 means no end. */
export type Edit = { from: number; at: number; length: number };

export type Movie = {
  timescale: number;
  durationSeconds: number;
  /** UTC microseconds, of a text with a zone or else of the box `mvhd`; null where neither can be believed. */
  createdUs: number | null;
  /** Whether a zone is stated: many recorders write their local time into `mvhd`. */
  isZoned: boolean;
  isFragmented: boolean;
  tracks: Mp4Track[];
};

const TRACKS_MAX = 64;
/** Seconds from 1904, the epoch of MP4, to 1970. */
const EPOCH_SECONDS = 2_082_844_800;
/**
 * Earliest plausible time: earlier recorders did not write these files, and clocks that were never set begin in 1904,
 * 1970 or 1980.
 */
const EARLIEST_US = Date.UTC(1990, 0, 1) * 1000;

/**
 * Reads the box `moov`, which makes up all of `bytes`.
 *
 * @param bytes from the first byte of the box to its last
 * @throws FormatError for truncated boxes
 */
export function readMovie(bytes: Uint8Array, nowUs: number): Movie {
  const moov: Box = { type: 'moov', start: 0, body: viewOf(bytes).getUint32(0) === 1 ? 16 : 8, end: bytes.length };
  const head = boxAt(bytes, moov, 'mvhd');
  const { createdUs, timescale, duration } = head ? readMovieHead(bytes, head, nowUs) : NO_HEAD;
  const tracks: Mp4Track[] = [];
  for (const box of boxesIn(bytes, moov.body, moov.end)) {
    if (box.type !== 'trak' || tracks.length === TRACKS_MAX) continue;
    const track = readTrack(bytes, box, timescale);
    if (track !== null) tracks.push(track);
  }
  const isFragmented = boxAt(bytes, moov, 'mvex') !== null;
  const zonedUs = zonedTime(statedTimes(bytes, moov), nowUs);
  const created = { createdUs: zonedUs ?? createdUs, isZoned: zonedUs !== null };
  return { timescale, durationSeconds: duration / timescale, ...created, isFragmented, tracks };
}

const NO_HEAD = { createdUs: null, timescale: 1000, duration: 0 };

function readMovieHead(bytes: Uint8Array, box: Box, nowUs: number) {
  const reader = fullBoxReader(bytes, box);
  const word = reader.version === 1 ? reader.u64 : reader.u32;
  const created = word();
  word();
  const timescale = reader.u32() || 1;
  const duration = word();
  // A duration with all bits set is unknown.
  const isKnown = duration < (reader.version === 1 ? 2 ** 63 : 0xffffffff);
  return { createdUs: believed(created, nowUs), timescale, duration: isKnown ? duration : 0 };
}

const DAY_US = 86_400_000_000;

function believed(seconds: number, nowUs: number): number | null {
  // Some recorders write seconds since 1970 instead of 1904.
  for (const from of [EPOCH_SECONDS, 0]) {
    const us = (seconds - from) * 1e6;
    if (isBelieved(us, nowUs)) return us;
  }
  return null;
}

const isBelieved = (us: number, nowUs: number): boolean => us >= EARLIEST_US && us <= nowUs + DAY_US;

/** ISO 8601, to the second or finer, with its zone. */
const ZONED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d)(?::?(\d\d))?$/;

function zonedTime(texts: Iterable<string>, nowUs: number): number | null {
  for (const text of texts) {
    const [, time, zone, minutes = '00'] = ZONED.exec(text.trim()) ?? [];
    if (time === undefined) continue;
    const us = Math.round(Date.parse(zone === 'Z' ? `${time}Z` : `${time}${zone}:${minutes}`) * 1000);
    if (isBelieved(us, nowUs)) return us;
  }
  return null;
}

function readTrack(bytes: Uint8Array, box: Box, movieTimescale: number): Mp4Track | null {
  const head = boxAt(bytes, box, 'tkhd');
  const media = boxAt(bytes, box, 'mdia');
  const mediaHead = media && boxAt(bytes, media, 'mdhd');
  const handlerBox = media && boxAt(bytes, media, 'hdlr');
  const table = media && boxAt(bytes, media, 'minf', 'stbl');
  if (!head || !mediaHead || !handlerBox || !table) return null;
  const { id, isEnabled, rotation } = readTrackHead(bytes, head);
  const clock = fullBoxReader(bytes, mediaHead);
  clock.skip(clock.version === 1 ? 16 : 8);
  const timescale = clock.u32() || 1;
  const { handler, name } = readHandler(bytes, handlerBox);
  return {
    ...{ id, isEnabled, rotation, handler, name, timescale, box },
    ...readDescription(bytes, table, handler),
    ...editsOf(bytes, box, { timescale, movieTimescale }),
    tables: {
      stts: boxAt(bytes, table, 'stts'),
      stsc: boxAt(bytes, table, 'stsc'),
      stsz: boxAt(bytes, table, 'stsz'),
      chunks: boxAt(bytes, table, 'stco') ?? boxAt(bytes, table, 'co64'),
    },
  };
}

function readTrackHead(bytes: Uint8Array, box: Box): Pick<Mp4Track, 'id' | 'isEnabled' | 'rotation'> {
  const reader = fullBoxReader(bytes, box);
  reader.skip(reader.version === 1 ? 16 : 8);
  const id = reader.u32();
  // Skip reserved, duration, reserved, layer, group, volume, reserved.
  reader.skip(4 + (reader.version === 1 ? 8 : 4) + 8 + 8);
  const [a, b] = [reader.i32(), reader.i32()];
  return { id, isEnabled: (reader.flags & 1) !== 0, rotation: rotationOf(a, b) };
}

/** Computes the rotation in degrees from the matrix {a b u; c d v; x y w}, rounded to quarter turns. */
function rotationOf(a: number, b: number): number {
  const degrees = (Math.atan2(b, a) * 180) / Math.PI;
  return (((Math.round(degrees / 90) * 90) % 360) + 360) % 360;
}

function readHandler(bytes: Uint8Array, box: Box): Pick<Mp4Track, 'handler' | 'name'> {
  const reader = fullBoxReader(bytes, box);
  reader.skip(4);
  const handler = reader.fourcc();
  reader.skip(Math.min(12, reader.left()));
  const text = Buffer.from(bytes.subarray(reader.at(), box.end)).toString('latin1');
  // QuickTime writes the length of the name before it.
  return {
    handler,
    name: text
      .replace(/[^\x20-\x7e]/g, '')
      .trim()
      .slice(0, 60),
  };
}

type Description = Pick<Mp4Track, 'coding' | 'objectType' | 'width' | 'height'>;

/** Size of a sample entry before its boxes (8.5.2): for video, and for audio of versions 0 to 2. */
const PICTURE_ENTRY = 78;
const SOUND_ENTRY = [28, 44, 64] as const;

function readDescription(bytes: Uint8Array, table: Box, handler: string): Description {
  const box = boxAt(bytes, table, 'stsd');
  const [entry] = box ? boxesIn(bytes, box.body + 8, box.end) : [];
  if (entry === undefined) return { coding: '', objectType: null, width: 0, height: 0 };
  const description: Description = { coding: entry.type, objectType: null, width: 0, height: 0 };
  const reader = boxReader(bytes, entry.body, entry.end);
  if (handler === 'vide' && reader.left() >= PICTURE_ENTRY) {
    reader.skip(24);
    description.width = reader.u16();
    description.height = reader.u16();
    description.objectType = objectTypeOf(bytes, entry.body + PICTURE_ENTRY, entry.end);
  }
  if (handler === 'soun' && reader.left() >= SOUND_ENTRY[0]) {
    reader.skip(8);
    const size = SOUND_ENTRY[reader.u16()] ?? SOUND_ENTRY[0];
    description.objectType = objectTypeOf(bytes, entry.body + size, entry.end);
  }
  return description;
}

/** Reads the descriptors of ISO/IEC 14496-1, 7.2.6: tag, length in groups of 7 bits, content. */
function objectTypeOf(bytes: Uint8Array, start: number, end: number): number | null {
  const inside = { body: start, end };
  const box = boxAt(bytes, inside, 'esds') ?? boxAt(bytes, inside, 'wave', 'esds');
  if (box === null) return null;
  const reader = fullBoxReader(bytes, box);
  const tag = () => {
    const found = reader.u8();
    while (reader.u8() & 0x80);
    return found;
  };
  if (tag() !== 3) return null;
  reader.skip(2);
  const flags = reader.u8();
  if (flags & 0x80) reader.skip(2);
  if (flags & 0x40) reader.skip(reader.u8());
  if (flags & 0x20) reader.skip(2);
  return tag() === 4 ? reader.u8() : null;
}

const EDITS_MAX = 1000;

function editsOf(
  bytes: Uint8Array,
  track: Box,
  clocks: { timescale: number; movieTimescale: number },
): Pick<Mp4Track, 'edits' | 'editSeconds'> {
  const box = boxAt(bytes, track, 'edts', 'elst');
  if (box === null) return { edits: [], editSeconds: 0 };
  const reader = fullBoxReader(bytes, box);
  const count = Math.min(reader.u32(), EDITS_MAX);
  const edits: Edit[] = [];
  let at = 0;
  for (let n = 0; n < count; n++) {
    const length = (reader.version === 1 ? reader.u64() : reader.u32()) / clocks.movieTimescale;
    const mediaTime = reader.version === 1 ? reader.i64() : reader.i32();
    reader.skip(4);
    if (mediaTime >= 0) edits.push({ from: mediaTime / clocks.timescale, at, length });
    at += length;
  }
  const [first] = edits;
  return { edits, editSeconds: first ? first.at - first.from : at };
}

/**
 * Converts a media time to the time at which it is shown, in seconds of the presentation. With a single edit, times
 * outside of it come before or after it; with several, times that none of them shows are null.
 */
export function shownSeconds(
  { edits, editSeconds }: Pick<Mp4Track, 'edits' | 'editSeconds'>,
  media: number,
): number | null {
  if (edits.length < 2) return media + editSeconds;
  const edit = edits.find(({ from, length }) => media >= from && (length === 0 || media < from + length));
  return edit ? media - edit.from + edit.at : null;
}
