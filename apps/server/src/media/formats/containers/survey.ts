import { AppError } from '@osprey/contract';
import type { Storage, StoredFile } from '../../../base/storage/storage.ts';
import { matroskaFrames } from '../matroska/blocks.ts';
import { type Matroska, readMatroska } from '../matroska/matroska.ts';
import { cutAt, fragmentedSeconds, type Mp4File, readMp4, sampleBytes, trackSamples } from '../mp4/mp4-file.ts';
import type { Mp4Track } from '../mp4/tracks.ts';

/** Kinds of containers: MP4 and MOV (ISO/IEC 14496-12), Matroska and WebM (RFC 9559). */
export type ContainerKind = 'mp4' | 'mkv';
export const isContainer = (kind: string): kind is ContainerKind => kind === 'mp4' || kind === 'mkv';

/** `copy`: the video is put into a transport stream without encoding it again. */
type Video = { coding: string; way: 'copy' | 'encode'; rotation: number };

/** Facts about a recording in a container, determined without decoding. */
export type ContainerSurvey = {
  durationSeconds: number;
  /** Start time of the recording as stated by the container, in UTC microseconds. */
  createdUs: number | null;
  /** Whether it says the zone of that time. */
  isZoned: boolean;
  video: Video;
  sound: 'none' | 'copy' | 'encode';
  /** Full sentences about parts that are left out. */
  notes: string[];
  /** Only for MP4. `until`: offset of the first truncated sample of its tracks; null if all samples are complete. */
  mp4: { file: Mp4File; tracks: Set<number>; metadata: Metadata; until: number | null } | null;
  /** Only for Matroska: numbers of the KLV tracks, and the length of a tick in nanoseconds. */
  mkv: { klv: number[]; tickNs: number } | null;
  /** True for a Matroska file with a subtitle track, which may contain telemetry. */
  hasSubtitles: boolean;
};

/** Tracks of an MP4 that contain telemetry. */
export type Metadata = {
  video: Mp4Track;
  klv: Mp4Track[];
  gpmf: Mp4Track | null;
  subtitles: Mp4Track | null;
};

const refuse = (reason: string) => new AppError('badFile', { reason });

/**
 * Determines the content of a container from its tables alone.
 *
 * @throws AppError badFile for a container that cannot be played, with advice on what to do
 */
export async function surveyContainer(
  source: StoredFile,
  kind: ContainerKind,
  nowUs: number,
): Promise<ContainerSurvey> {
  try {
    return kind === 'mp4' ? await surveyMp4(source, nowUs) : await surveyMatroska(source, nowUs);
  } catch (error) {
    if (error instanceof Error && error.name === 'FormatError') throw refuse('its tables are damaged');
    throw error;
  }
}

/** Checks a container in the storage from its tables alone. */
export async function inspectContainer(storage: Storage, key: string, kind: ContainerKind): Promise<void> {
  const source = await storage.open(key);
  try {
    await surveyContainer(source, kind, Date.now() * 1000);
  } finally {
    await source.close();
  }
}

// Codes of sample descriptions (mp4ra.org) and of AVI, in lower case.
const VIDEO_CODES: Record<string, string> = {
  ...Object.fromEntries(['avc1', 'avc2', 'avc3', 'avc4', 'h264', 'x264', 'dva1', 'dvav'].map((code) => [code, 'h264'])),
  ...Object.fromEntries(['hvc1', 'hev1', 'hvc2', 'hev2', 'dvh1', 'dvhe', 'hevc'].map((code) => [code, 'h265'])),
  ...Object.fromEntries(['xvid', 'divx', 'dx50', 'fmp4', 'mp4v'].map((code) => [code, 'mpeg4'])),
  ...Object.fromEntries(['jpeg', 'mjpa', 'mjpb', 'mjpg', 'avdj', 'dmb1'].map((code) => [code, 'mjpeg'])),
  ...Object.fromEntries(['m2v1', 'mpg2', 'mpeg', 'm1v ', 'mp2v'].map((code) => [code, 'mpeg2'])),
  av01: 'av1',
};
/** Names, for messages, of codecs that are not supported. */
const NAMED: Record<string, string> = {
  ...{ vvc1: 'H.266 (VVC)', vvi1: 'H.266 (VVC)', vp08: 'VP8', vp09: 'VP9', h263: 'H.263', s263: 'H.263' },
  ...{ apch: 'ProRes', apcn: 'ProRes', apcs: 'ProRes', apco: 'ProRes', ap4h: 'ProRes', ap4x: 'ProRes' },
  ...{
    v_vp8: 'VP8',
    v_vp9: 'VP9',
    'v_mpegi/iso/vvc': 'H.266 (VVC)',
    v_prores: 'ProRes',
    v_ffv1: 'FFV1',
    v_theora: 'Theora',
  },
};
/** Codecs by the objectTypeIndication of a track `mp4v` (ISO/IEC 14496-1, table 5). */
const OBJECT_CODINGS = new Map([
  [0x20, 'mpeg4'],
  ...[0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x6a].map((type) => [type, 'mpeg2'] as const),
  [0x6c, 'mjpeg'],
]);
const COPIED = new Set(['h264', 'h265', 'mpeg2']);

function videoOf(code: string, rotation: number, coding = VIDEO_CODES[code.toLowerCase()]): Video {
  const small = code.toLowerCase();
  if (small === 'encv') throw refuse('its video is encrypted');
  if (coding === undefined) {
    const name = NAMED[small] ?? `in a coding that is not known (${code.replace(/[^\x21-\x7e]/g, '?')})`;
    const what = NAMED[small] ? `its video is ${name}, which is not read` : `its video is ${name}`;
    throw refuse(`${what}: convert it to H.264 first`);
  }
  return { coding, rotation, way: COPIED.has(coding) && rotation === 0 ? 'copy' : 'encode' };
}

const NO_MOOV =
  'it has no moov box, the table of contents that a recorder writes at the end: the recording was cut off before it was finished';

async function surveyMp4(source: StoredFile, nowUs: number): Promise<ContainerSurvey> {
  const file = await readMp4(source, nowUs);
  if (file === null) throw refuse(NO_MOOV);
  const { movie } = file;
  const videos = movie.tracks.filter(({ handler, coding }) => handler === 'vide' && coding !== '');
  const video = videos.find(({ isEnabled }) => isEnabled) ?? videos[0];
  if (video === undefined) throw refuse('it holds no video');
  const coding = video.coding.toLowerCase() === 'mp4v' ? OBJECT_CODINGS.get(video.objectType ?? 0x20) : undefined;
  const shown = videoOf(video.coding, video.rotation, coding ?? VIDEO_CODES[video.coding.toLowerCase()]);
  const sounds = movie.tracks.filter(({ handler }) => handler === 'soun');
  const sound = sounds.find(isKnownSound) ?? null;
  const metadata: Metadata = {
    video,
    klv: await klvTracks(source, file),
    gpmf: movie.tracks.find(({ coding: code }) => code === 'gpmd') ?? null,
    subtitles:
      movie.tracks.find(({ handler, coding: code }) => isText(handler) && (code === 'tx3g' || code === 'text')) ?? null,
  };
  const shownTracks = sound ? [video, sound] : [video];
  const until = await cutAt(source, file, shownTracks);
  const notes = [
    ...othersNote(videos.length),
    ...soundNote(sounds.length > 0 && sound === null, sounds[0]?.coding ?? ''),
    ...movie.tracks
      .filter(({ coding: code }) => code === 'djmd')
      .slice(0, 1)
      .map(() => DJMD),
    ...cutNote(until !== null || file.data.some(({ isCut }) => isCut)),
  ];
  const durationSeconds = movie.isFragmented
    ? Math.max(movie.durationSeconds, await fragmentedSeconds(source, file))
    : movie.durationSeconds;
  return {
    durationSeconds,
    createdUs: movie.createdUs,
    isZoned: movie.isZoned,
    // If several edits leave out parts in between, the video has to be decoded to cut it.
    video: isCutUp(video) ? { ...shown, way: 'encode' } : shown,
    sound: sound === null ? 'none' : isCutUp(video) || isCutUp(sound) ? 'encode' : 'copy',
    notes,
    mp4: { file, tracks: new Set(shownTracks.map(({ box }) => box.start)), metadata, until },
    mkv: null,
    hasSubtitles: false,
  };
}

const isCutUp = ({ edits }: Mp4Track): boolean => edits.length > 1;

const isText = (handler: string): boolean => handler === 'sbtl' || handler === 'text' || handler === 'subt';

/**
 * Returns whether the audio codec is supported: AAC (0x40, 0x66 to 0x68), MPEG layers (0x69, 0x6B), AC-3 and its
 * extension.
 */
function isKnownSound({ coding, objectType }: Mp4Track): boolean {
  if (coding === 'ac-3' || coding === 'ec-3') return true;
  if (coding === '.mp3' || coding === 'mp3 ') return true;
  return coding === 'mp4a' && [0x40, 0x66, 0x67, 0x68, 0x69, 0x6b].includes(objectType ?? 0x40);
}

const DJMD = 'It holds a DJI metadata track (djmd), which is not read: its format is not published.';

const othersNote = (videos: number): string[] =>
  videos < 2 ? [] : [`It holds ${videos} videos: the first is shown, the others are left out.`];

function soundNote(isLeftOut: boolean, code: string): string[] {
  const name = code.replace(/[^\x21-\x7e]/g, '');
  return isLeftOut ? [`Its sound (${name}) is in a coding that is not read, and is left out.`] : [];
}

const cutNote = (isCut: boolean): string[] => (isCut ? ['The file is cut off: its last pictures are missing.'] : []);

/** Finds KLV tracks by their first samples, which begin with a universal label (SMPTE ST 336). */
async function klvTracks(source: StoredFile, file: Mp4File): Promise<Mp4Track[]> {
  const found: Mp4Track[] = [];
  for (const track of file.movie.tracks) {
    if (['vide', 'soun', 'sbtl', 'text', 'tmcd'].includes(track.handler) || found.length === KLV_TRACKS_MAX) continue;
    let looked = 0;
    for await (const sample of trackSamples(source, file, track)) {
      if (sample.sizeBytes === 0) continue;
      const head = await sampleBytes(source, { ...sample, sizeBytes: Math.min(16, sample.sizeBytes) }, 16);
      if (head && isLabel(head)) found.push(track);
      looked += 1;
      if (looked === INSPECTED_SAMPLES || (head && isLabel(head))) break;
    }
  }
  return found;
}

const KLV_TRACKS_MAX = 8;
const INSPECTED_SAMPLES = 3;
const isLabel = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x06 && bytes[1] === 0x0e && bytes[2] === 0x2b && bytes[3] === 0x34;

const MATROSKA_VIDEO: Record<string, string> = {
  'v_mpeg4/iso/avc': 'avc1',
  'v_mpegh/iso/hevc': 'hvc1',
  'v_mpeg4/iso/sp': 'xvid',
  'v_mpeg4/iso/asp': 'xvid',
  'v_mpeg4/iso/ap': 'xvid',
  v_mpeg1: 'm2v1',
  v_mpeg2: 'm2v1',
  v_mjpeg: 'mjpg',
  v_av1: 'av01',
};

async function surveyMatroska(source: StoredFile, nowUs: number): Promise<ContainerSurvey> {
  const file = await readMatroska(source, nowUs);
  if (file === null) throw refuse('its tables are damaged');
  const videos = file.tracks.filter(({ type }) => type === TRACK.video);
  const [video] = videos;
  if (video === undefined) throw refuse('it holds no video');
  const codec = video.codec.toLowerCase();
  const code = codec === 'v_ms/vfw/fourcc' ? (video.fourcc ?? '') : (MATROSKA_VIDEO[codec] ?? video.codec);
  const sounds = file.tracks.filter(({ type }) => type === TRACK.sound);
  // The decoder uses the first audio track.
  const isKnown = sounds.length > 0 && /^A_(?:AAC|AC3|EAC3|MPEG\/L[123])/.test(sounds[0]!.codec);
  return {
    durationSeconds: file.durationSeconds,
    createdUs: file.createdUs,
    // DateUTC.
    isZoned: true,
    video: videoOf(code, video.rotation),
    sound: isKnown ? 'copy' : 'none',
    notes: [...othersNote(videos.length), ...soundNote(sounds.length > 0 && !isKnown, sounds[0]?.codec ?? '')],
    mp4: null,
    mkv: { klv: await matroskaKlv(source, file), tickNs: file.tickNs },
    hasSubtitles: file.tracks.some(({ type, codec: name }) => type === TRACK.subtitles && name === 'S_TEXT/UTF8'),
  };
}

/** Number of bytes at the beginning in which KLV is searched for; a KLV stream has sets long before that. */
const KLV_WITHIN_BYTES = 64 * 1024 * 1024;

/**
 * Returns the numbers of tracks that are neither video, audio nor text, and whose first frames begin with a universal
 * label.
 */
async function matroskaKlv(source: StoredFile, { tracks, tickNs }: Matroska): Promise<number[]> {
  const isOther = ({ type, codec }: Matroska['tracks'][number]) =>
    type !== TRACK.video && type !== TRACK.sound && !/^S_(?:TEXT|VOBSUB|HDMV|DVBSUB|ARIBSUB|ASS|SSA)/.test(codec);
  const looked = new Map(tracks.filter(isOther).map(({ number }) => [number, 0]));
  const found: number[] = [];
  if (looked.size === 0) return found;
  const untilByte = Math.min(source.sizeBytes, KLV_WITHIN_BYTES);
  for await (const frame of matroskaFrames(source, { tracks: new Set(looked.keys()), tickNs, untilByte })) {
    const count = looked.get(frame.track);
    if (count === undefined) continue;
    const head = await sampleBytes(source, { ...frame, sizeBytes: Math.min(16, frame.sizeBytes) }, 16);
    const isKlv = head !== null && isLabel(head);
    if (isKlv) found.push(frame.track);
    if (isKlv || count + 1 === INSPECTED_SAMPLES) looked.delete(frame.track);
    else looked.set(frame.track, count + 1);
    if (looked.size === 0 || found.length === KLV_TRACKS_MAX) break;
  }
  return found.sort((a, b) => a - b);
}

const TRACK = { video: 1, sound: 2, subtitles: 17 } as const;
