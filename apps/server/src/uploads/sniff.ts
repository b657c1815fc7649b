import { AppError, type Asset } from '@osprey/contract';
import { createDemuxer, detectPacketing, isVideo, type Program, type StreamKind, unreadVideo } from '@osprey/mpegts';
import { encodingNamedIn } from '../base/formats/text.ts';
import { isGzip, judgeAis } from '../media/formats/ais.ts';
import { readManifest } from '../media/formats/manifest.ts';
import { missingTimes, sidecarFormat } from '../media/formats/sidecars/detect.ts';
import { isDjiFlightRecord } from '../media/formats/sidecars/dji-flight-record.ts';
import { FLIGHT_LOG_NAMES, flightLogFormat } from '../media/formats/sidecars/flight-logs/flight-log.ts';
import { signatureOf, startsWith } from './signatures.ts';

/** Number of bytes at the beginning of a file that are inspected before it is accepted. */
export const HEAD_BYTES = 4 * 1024 * 1024;

// End of a message that says why a file is refused, so that the sender can correct it.
const NO_RECORDING = 'it is not a transport stream, and no MP4, MOV or Matroska';
const OTHER_TEXT =
  'it is not a transport stream, and no text in UTF-8: save tables, tracks and manifests in that encoding';
const UNKNOWN_TEXT =
  'it is not a transport stream, and as text no manifest, no track (GPX, KML, GeoJSON), no subtitles of DJI or Autel, no AIS sentences (!AIVDM), and no table with a column "time" and others named as in ST 0601 or in a known flight log';
const FLIGHT_RECORD =
  'it is a flight record of a DJI app, whose content is encrypted: turn it into CSV first, for instance with Airdata or a DJI log viewer';

/** Clauses that complete a message about a refused file. */
const GPSD =
  'it is JSON of gpsd, which leaves the sentences out: record NMEA 0183 sentences (!AIVDM), for instance with gpspipe -r, and add them';
const NMEA2000 = 'it is a dump of NMEA 2000 (CAN bus): convert it to NMEA 0183 sentences (!AIVDM) and add it again';

export type FileKind = Asset['kind'];

/**
 * Determines the kind of a file from its bytes alone: first by a signature, then as text, then as a transport stream,
 * which may begin after other bytes. `head`: the first 4 MiB of the file, or all of it if `complete`. Throws emptyFile,
 * unsupportedFile or badManifest; no message contains parts of the content.
 */
export function judgeFile(head: Uint8Array, { complete, name = '' }: { complete: boolean; name?: string }): FileKind {
  if (head.byteLength === 0) throw new AppError('emptyFile');
  // AIS logs are the only files that are accepted compressed: they are decompressed while they are read.
  if (isGzip(head) && judgeAis(head) === 'ais') return 'ais';
  const signed = signatureOf(head);
  if (signed !== null) {
    if ('refused' in signed) throw refusal(signed.refused);
    const other = signed.kind === 'archive' ? null : otherName(name);
    if (other !== null) throw refusal(`it is not ${other}, as its name says, but ${CONTAINER_NAMES[signed.kind]}`);
    return signed.kind;
  }
  const log = flightLogFormat(head);
  if (log !== null) {
    const other = otherName(name);
    if (other !== null) throw refusal(`it is not ${other}, as its name says, but ${FLIGHT_LOG_NAMES[log]}`);
    return 'sidecar';
  }
  const ais = detectPacketing(head) === null ? judgeAis(head) : null;
  if (ais === 'ais') return 'ais';
  if (ais === 'nmea2000') throw refusal(NMEA2000);
  if (ais === 'gpsd') throw refusal(GPSD);
  const text = readText(head, complete);
  if (text !== null) return judgeText(text, head, complete);
  if (detectPacketing(head) !== null) {
    judgeStream(head);
    return 'ts';
  }
  if (isDjiFlightRecord(head)) throw refusal(FLIGHT_RECORD);
  throw refusal(isOtherText(head) ? OTHER_TEXT : NO_RECORDING);
}

const CONTAINER_NAMES: Record<string, string> = { mp4: 'MP4 or MOV', mkv: 'Matroska' };

/**
 * Returns the name of a file's format according to its extension, used for files that are no known container; null for
 * other extensions.
 */
function otherName(name: string): string | null {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (/^(?:m?ts|m2ts?|trp|mpe?g|m2v|vob)$/.test(ending)) return 'a transport stream';
  if (ending === 'zip') return 'an archive';
  return /^(?:json|geojson|csv|txt|srt|gpx|kml|m3u8?)$/.test(ending) ? 'a text' : null;
}

function judgeText(text: string, head: Uint8Array, complete: boolean): FileKind {
  const format = sidecarFormat(text);
  if (format !== null) {
    const missing = missingTimes(format, text);
    if (missing !== null) throw refusal(`${missing}; drawings without times can be added as documents`);
    return 'sidecar';
  }
  if (!/^\s*\{/.test(text)) throw refusal(UNKNOWN_TEXT);
  if (!complete) throw refusal('it is not a transport stream');
  readManifest(head);
  return 'manifest';
}

/** Refuses a stream if its beginning holds neither pictures nor telemetry, or if everything in it is scrambled. */
function judgeStream(head: Uint8Array): void {
  const programs = new Map<number, Program>();
  const demuxer = createDemuxer({
    program: (program) => void programs.set(program.number, program),
  });
  demuxer.push(head);
  const report = demuxer.end();
  if (programs.size === 0) throw refusal('the transport stream holds no program');
  const requested = [...programs.values()].flatMap(({ streams }) => streams.filter(({ kind }) => isRequested(kind)));
  const unread = [...programs.values()]
    .flatMap(({ streams }) => streams)
    .map(unreadVideo)
    .find((name) => name !== null);
  if (requested.length === 0 && unread)
    throw refusal(`its video is ${unread}, which is not read: convert it to H.264 first`);
  if (requested.length === 0) throw refusal('the transport stream holds neither video nor KLV');
  if (requested.every(({ pid }) => report.scrambledPids.includes(pid))) {
    throw refusal('the transport stream is scrambled');
  }
}

const isRequested = (kind: StreamKind): boolean => isVideo(kind) || kind === 'klvAsync' || kind === 'klvSync';

const refusal = (reason: string) => new AppError('unsupportedFile', { reason });

/**
 * Decodes text in the encoding that it declares, or otherwise as UTF-8 without NUL, and removes the byte order mark.
 * Returns null for anything else. A telemetry file may also be in windows-1252.
 */
function readText(head: Uint8Array, complete: boolean): string | null {
  const named = encodingNamedIn(head);
  if (named === null && head.includes(0)) return null;
  try {
    const text = new TextDecoder(named ?? 'utf-8', { fatal: true }).decode(head, { stream: !complete });
    return named === null || sidecarFormat(text) !== null ? text : null;
  } catch {
    const old = isOtherText(head) ? new TextDecoder('windows-1252').decode(head) : '';
    return sidecarFormat(old) === null ? null : old;
  }
}

/**
 * Whether bytes that are not UTF-8 are text in another encoding: UTF-16, or an encoding with a single byte per
 * character.
 */
const isOtherText = (head: Uint8Array): boolean =>
  startsWith(head, 0xff, 0xfe) || startsWith(head, 0xfe, 0xff) || head.every((byte) => byte >= 0x20 || isSpace(byte));

const isSpace = (byte: number): boolean => byte === 0x09 || byte === 0x0a || byte === 0x0d;
