import type { StoredFile } from '../../../base/storage/storage.ts';
import { vint } from './vint.ts';

/** A track of a Matroska file, according to its track entry (RFC 9559, 5.1.4). */
export type MatroskaTrack = {
  number: number;
  /** Track type: 1 video, 2 audio, 17 subtitles. */
  type: number;
  codec: string;
  /** The FourCC of a track with codec V_MS/VFW/FOURCC. */
  fourcc: string | null;
  isEnabled: boolean;
  /** Clockwise rotation in degrees. */
  rotation: number;
};

export type Matroska = {
  docType: string;
  durationSeconds: number;
  /** DateUTC in microseconds; null if it is missing or implausible. */
  createdUs: number | null;
  /** TimestampScale: length of one tick of a block, in nanoseconds. */
  tickNs: number;
  tracks: MatroskaTrack[];
};

const ID = {
  ebml: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  dateUtc: 0x4461,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  flagEnabled: 0xb9,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  video: 0xe0,
  projection: 0x7670,
  poseRoll: 0x7675,
  cluster: 0x1f43b675,
} as const;

/**
 * Number of bytes at the beginning of a file in which its information and tracks are expected, before the first
 * cluster.
 */
const HEAD_BYTES = 4 * 1024 * 1024;
const TRACKS_MAX = 64;
/** Epoch of Matroska dates, which are nanoseconds since 2001. */
const EPOCH_US = Date.UTC(2001, 0, 1) * 1000;
const DAY_US = 86_400_000_000;

type Element = { id: number; start: number; end: number };

/** Reads the header of a Matroska or WebM file; null for other bytes. */
export async function readMatroska(source: StoredFile, nowUs: number): Promise<Matroska | null> {
  const head = new Uint8Array(Math.min(HEAD_BYTES, source.sizeBytes));
  const bytes = head.subarray(0, await source.read(head, 0));
  const [ebml] = elements(bytes, 0, bytes.length);
  if (ebml?.id !== ID.ebml) return null;
  const found: Matroska = { docType: '', durationSeconds: 0, createdUs: null, tickNs: 1_000_000, tracks: [] };
  for (const one of elements(bytes, ebml.start, ebml.end)) if (one.id === ID.docType) found.docType = text(bytes, one);
  for (const segment of elements(bytes, ebml.end, bytes.length)) {
    if (segment.id !== ID.segment) continue;
    for (const one of elements(bytes, segment.start, segment.end)) {
      if (one.id === ID.cluster) break;
      if (one.id === ID.info) readInfo(bytes, one, found, nowUs);
      if (one.id === ID.tracks) readTracks(bytes, one, found);
    }
    break;
  }
  return found;
}

function readInfo(bytes: Uint8Array, info: Element, found: Matroska, nowUs: number): void {
  let duration = 0;
  for (const one of elements(bytes, info.start, info.end)) {
    if (one.id === ID.timestampScale) found.tickNs = unsigned(bytes, one) || found.tickNs;
    if (one.id === ID.duration) duration = float(bytes, one);
    if (one.id === ID.dateUtc && one.end - one.start === 8) {
      const created = EPOCH_US + Number(viewOf(bytes).getBigInt64(one.start)) / 1000;
      const isBelieved = created >= Date.UTC(1990, 0, 1) * 1000 && created <= nowUs + DAY_US;
      found.createdUs = isBelieved ? Math.round(created) : null;
    }
  }
  const seconds = (duration * found.tickNs) / 1e9;
  found.durationSeconds = Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

function readTracks(bytes: Uint8Array, list: Element, found: Matroska): void {
  for (const entry of elements(bytes, list.start, list.end)) {
    if (entry.id !== ID.trackEntry || found.tracks.length === TRACKS_MAX) continue;
    const track: MatroskaTrack = { number: 0, type: 0, codec: '', fourcc: null, isEnabled: true, rotation: 0 };
    for (const one of elements(bytes, entry.start, entry.end)) {
      if (one.id === ID.trackNumber) track.number = unsigned(bytes, one);
      if (one.id === ID.trackType) track.type = unsigned(bytes, one);
      if (one.id === ID.flagEnabled) track.isEnabled = unsigned(bytes, one) !== 0;
      if (one.id === ID.codecId) track.codec = text(bytes, one);
      // The codec's private data is a BITMAPINFOHEADER, whose field `compression` is the FourCC.
      if (one.id === ID.codecPrivate && one.end - one.start >= 20)
        track.fourcc = latin(bytes.subarray(one.start + 16, one.start + 20));
      if (one.id === ID.video) track.rotation = rotationOf(bytes, one);
    }
    found.tracks.push(track);
  }
}

/** Returns the rotation of the video. ProjectionPoseRoll turns counter-clockwise (RFC 9559, 5.1.4.1.28.45). */
function rotationOf(bytes: Uint8Array, video: Element): number {
  for (const projection of elements(bytes, video.start, video.end)) {
    if (projection.id !== ID.projection) continue;
    for (const one of elements(bytes, projection.start, projection.end)) {
      if (one.id !== ID.poseRoll) continue;
      const degrees = -float(bytes, one);
      return Number.isFinite(degrees) ? (((Math.round(degrees / 90) * 90) % 360) + 360) % 360 : 0;
    }
  }
  return 0;
}

/** Yields the elements in [start, end). An element of unknown size, or a truncated one, extends to the end. */
function* elements(bytes: Uint8Array, start: number, end: number): Generator<Element> {
  for (let at = start; at < end; ) {
    const id = vint(bytes, at, end, 4, true);
    const size = id && vint(bytes, at + id.length, end, 8, false);
    if (!id || !size) return;
    const from = at + id.length + size.length;
    const to = size.value === null ? end : Math.min(end, from + size.value);
    yield { id: id.value ?? 0, start: from, end: to };
    at = to;
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function unsigned(bytes: Uint8Array, { start, end }: Element): number {
  let value = 0;
  for (let at = start; at < Math.min(end, start + 8); at++) value = value * 256 + bytes[at]!;
  return value;
}

function float(bytes: Uint8Array, { start, end }: Element): number {
  if (end - start === 4) return viewOf(bytes).getFloat32(start);
  return end - start === 8 ? viewOf(bytes).getFloat64(start) : 0;
}

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const text = (bytes: Uint8Array, { start, end }: Element): string =>
  latin(bytes.subarray(start, Math.min(end, start + 64))).replace(/\0.*$/s, '');
