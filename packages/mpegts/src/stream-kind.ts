import type { Program, ProgramStream, StreamKind, VideoKind } from './types.ts';

/** Values of stream_type (ISO/IEC 13818-1, table 2-34). */
export const STREAM_TYPE = {
  mpeg2Video: 0x02,
  mpeg1Audio: 0x03,
  mpeg2Audio: 0x04,
  privatePes: 0x06,
  aacAdts: 0x0f,
  mpeg4Video: 0x10,
  aacLatm: 0x11,
  metadataPes: 0x15,
  h264: 0x1b,
  h265: 0x24,
  /** User private types, as used by ATSC A/53-3. */
  ac3: 0x81,
  eac3: 0x87,
} as const;

/** Descriptor tags (2.6). */
export const DESCRIPTOR = {
  registration: 0x05,
  metadataPointer: 0x25,
  metadata: 0x26,
  metadataStd: 0x27,
  /** Descriptors of private streams in ETSI EN 300 468. */
  ac3: 0x6a,
  eac3: 0x7a,
  dts: 0x7b,
} as const;

/** format_identifier of KLV (SMPTE 336), as registered for SMPTE RP 217. */
export const KLVA = 'KLVA';

/**
 * Value 0xFFFF of metadata_application_format, or 0xFF of metadata_format, means that the identifier follows in four
 * bytes.
 */
const IDENTIFIED = 0xff;

/**
 * Values of format_identifier for sound: AC-3 and its extension, then those that are not decoded here (DTS, SMPTE 302M,
 * Opus, AC-4).
 */
const AC3 = 'AC-3';
const EAC3 = 'EAC3';
const OTHER_SOUND = new Set(['DTS1', 'DTS2', 'DTS3', 'BSSD', 'Opus', 'AC-4']);
/** Stream types of sound in other encapsulations: MPEG-4 audio without transport, MPEG-H, DTS. */
const OTHER_SOUND_TYPES = new Set([0x1c, 0x2d, 0x2e, 0x8a]);
/** Registrations with which stream type 0x81 means AC-3: its own, that of ATSC and that of Blu-ray. */
const AC3_OWNERS = new Set<string | null>([null, AC3, 'GA94', 'HDMV']);

type Sound = 'ac3' | 'eac3' | 'otherAudio';
type Descriptors = {
  registration: string | null;
  namesKlv: boolean;
  /** True if a metadata descriptor names a format other than KLV. */
  namesOther: boolean;
  sound: Sound | null;
  /** metadata_service_id of the stream's metadata descriptor. */
  service: number | null;
  pointers: NonNullable<Program['metadataPointers']>;
};

/** Reads the descriptors in [start, end) that fit into it; if there are several registrations, the last one is used. */
export function readDescriptors(bytes: Uint8Array, start: number, end: number): Descriptors {
  const found: Descriptors = {
    registration: null,
    namesKlv: false,
    namesOther: false,
    sound: null,
    service: null,
    pointers: [],
  };
  let at = start;
  while (at + 2 <= end) {
    const tag = bytes[at]!;
    const body = at + 2;
    const next = body + bytes[at + 1]!;
    if (next > end) break;
    if (tag === DESCRIPTOR.registration && next - body >= 4) {
      found.registration = text(bytes, body);
      if (found.registration === KLVA) found.namesKlv = true;
    }
    if (tag === DESCRIPTOR.metadata || tag === DESCRIPTOR.metadataPointer) {
      const format = metadataFormat(bytes, body, next);
      if (format === KLVA) found.namesKlv = true;
      else if (format !== null) found.namesOther = true;
      if (format === KLVA) noteService(found, tag, bytes, body, next);
    }
    if (tag === DESCRIPTOR.ac3) found.sound = 'ac3';
    if (tag === DESCRIPTOR.eac3) found.sound = 'eac3';
    if (tag === DESCRIPTOR.dts) found.sound = 'otherAudio';
    at = next;
  }
  return found;
}

/**
 * Notes the metadata_service_id, which follows the formats. In a pointer descriptor it is followed by a locator and the
 * number of the program that carries the metadata.
 */
function noteService(found: Descriptors, tag: number, bytes: Uint8Array, start: number, end: number): void {
  const at = start + 7 + (bytes[start] === 0xff && bytes[start + 1] === 0xff ? 4 : 0);
  if (at >= end) return;
  const service = bytes[at]!;
  if (tag === DESCRIPTOR.metadata) {
    found.service = service;
    return;
  }
  const flags = bytes[at + 1] ?? 0xff;
  const hasLocator = (flags & 0x80) !== 0;
  const number = at + 2 + (hasLocator ? 1 + (bytes[at + 2] ?? 0) : 0);
  const isNamed = (flags & 0x60) !== 0x60 && number + 2 <= end;
  found.pointers.push({ service, program: isNamed ? (bytes[number]! << 8) | bytes[number + 1]! : null });
}

/**
 * Returns the identifier of metadata_format in a metadata or metadata pointer descriptor (2.6.58, 2.6.60); null if
 * there is none.
 */
function metadataFormat(bytes: Uint8Array, start: number, end: number): string | null {
  const hasApplication = bytes[start] === 0xff && bytes[start + 1] === 0xff;
  const format = start + 2 + (hasApplication ? 4 : 0);
  return format + 5 <= end && bytes[format] === IDENTIFIED ? text(bytes, format + 1) : null;
}

function text(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!);
}

/**
 * Determines the content of a stream from its type and descriptors.
 *
 * KLV has type 0x15 (synchronous) or 0x06 (asynchronous), with KLVA in a registration or metadata descriptor (MISB ST
 * 1402). Type 0x15 without any name is also assumed to be KLV, since many encoders omit the descriptors. A stream with
 * another name, such as ID3 in HLS, counts as KLV only once its bytes prove it.
 */
export function streamKind(streamType: number, descriptors: Descriptors): StreamKind {
  const { registration, namesKlv, namesOther } = descriptors;
  switch (streamType) {
    case STREAM_TYPE.mpeg2Video:
      return 'mpeg2';
    case STREAM_TYPE.mpeg4Video:
      return 'mpeg4';
    case STREAM_TYPE.mpeg1Audio:
    case STREAM_TYPE.mpeg2Audio:
      return 'mpegAudio';
    case STREAM_TYPE.aacAdts:
      return 'aac';
    case STREAM_TYPE.aacLatm:
      return 'aacLatm';
    case STREAM_TYPE.h264:
      return 'h264';
    case STREAM_TYPE.h265:
      return 'h265';
    case STREAM_TYPE.metadataPes:
      return namesKlv || (registration === null && !namesOther) ? 'klvSync' : 'other';
    case STREAM_TYPE.privatePes:
      if (namesKlv) return 'klvAsync';
      return registration === 'HEVC' ? 'h265' : (soundOf(descriptors) ?? 'other');
    case STREAM_TYPE.ac3:
      return AC3_OWNERS.has(registration) ? 'ac3' : (soundOf(descriptors) ?? 'other');
    case STREAM_TYPE.eac3:
      return registration === null || registration === EAC3 || registration === 'GA94' ? 'eac3' : 'other';
    default:
      return OTHER_SOUND_TYPES.has(streamType) ? 'otherAudio' : (soundOf(descriptors) ?? 'other');
  }
}

/** Determines the audio coding of a stream from its descriptors. */
function soundOf({ registration, sound }: Descriptors): Sound | null {
  if (registration === AC3) return 'ac3';
  if (registration === EAC3) return 'eac3';
  return registration !== null && OTHER_SOUND.has(registration) ? 'otherAudio' : sound;
}

/** Whether a kind is video. */
export function isVideo(kind: StreamKind): kind is VideoKind {
  return kind === 'h264' || kind === 'h265' || kind === 'mpeg2' || kind === 'mpeg4';
}

/**
 * Returns the video of a program that is to be shown: the first one, which is kept as long as the PMT lists it.
 * `before` is the current one. Null if there is no video.
 */
export function leadingVideo(streams: readonly ProgramStream[], before: ProgramStream | null): ProgramStream | null {
  const videos = streams.filter(({ kind }) => isVideo(kind));
  return videos.find(({ pid, kind }) => pid === before?.pid && kind === before.kind) ?? videos[0] ?? null;
}

/** Video codings that are not decoded, by stream_type and by registration. */
const UNREAD_TYPES = new Map([
  [0x21, 'JPEG 2000'],
  [0x33, 'H.266 (VVC)'],
  [0x34, 'H.266 (VVC)'],
  [0x42, 'AVS'],
  [0xea, 'VC-1'],
]);
const UNREAD_NAMES = new Map([
  ['AV01', 'AV1'],
  ['VVC ', 'H.266 (VVC)'],
  ['VC-1', 'VC-1'],
  ['drac', 'Dirac'],
]);

/** Returns the name of a video coding that is known but not decoded; null for all other streams. */
export function unreadVideo({ kind, streamType, registration }: ProgramStream): string | null {
  if (kind !== 'other') return null;
  return UNREAD_NAMES.get(registration ?? '') ?? UNREAD_TYPES.get(streamType) ?? null;
}

const SOUND = ['aac', 'mpegAudio', 'aacLatm', 'ac3', 'eac3', 'otherAudio'] as const;

/** Whether a kind is sound of any coding. */
export function isSound(kind: StreamKind): kind is (typeof SOUND)[number] {
  return SOUND.some((one) => one === kind);
}

/** Whether a kind is KLV metadata. */
export function isKlv(kind: StreamKind): kind is 'klvAsync' | 'klvSync' {
  return kind === 'klvAsync' || kind === 'klvSync';
}

/**
 * Whether a stream is private data, regardless of its name; some AIS receivers on board send their sentences in such
 * streams.
 */
export const mayBeText = ({ streamType, kind }: ProgramStream): boolean =>
  kind === 'other' && (streamType === STREAM_TYPE.privatePes || streamType === STREAM_TYPE.metadataPes);

/** First stream type for private use (ISO/IEC 13818-1, table 2-34). */
const FIRST_PRIVATE_TYPE = 0x80;

/**
 * Whether a stream may be unannounced KLV: private PES whose content the PMT does not state, or metadata under another
 * name, as sent by old encoders. A registration of a private stream type does not exclude KLV, since some encoders send
 * KLV there too.
 */
export function isUnnamed({ streamType, kind, registration }: ProgramStream): boolean {
  if (kind !== 'other') return false;
  if (streamType >= FIRST_PRIVATE_TYPE) return true;
  return (streamType === STREAM_TYPE.privatePes || streamType === STREAM_TYPE.metadataPes) && registration === null;
}
