import type { Storage } from '../../base/storage/storage.ts';
import { type Piece, PLAYLIST_MAX_BYTES, type Playlist, type PlaylistSegment, readPlaylist } from './hls-playlist.ts';
import { openZip, refuse, UNNAMED_MAX, type Zip, type ZipEntry } from './zip.ts';

/** Consecutive segments without a clock discontinuity, which form one recording. */
export type ArchiveRun = {
  segments: PlaylistSegment[];
  durationSeconds: number;
  timeUs: number | null;
  /** Name of a single file that is a recording or telemetry; null for a run of segments. */
  name: string | null;
};

/**
 * Maximum number of runs. If there are more discontinuities, the segments are read as one stream, in which the demuxer
 * finds the clock jumps.
 */
export const RUNS_MAX = 500;

/**
 * Maximum size of all playlists together: a zip file of 3 MB may contain ten thousand of them, and they are read in the
 * process that serves requests.
 */
const PLAYLISTS_MAX_BYTES = 24 * 1024 * 1024;
const NAMED_MAX = 200_000;
/** Maximum number of files in an archive without a playlist. */
const FILES_MAX = 500;

/** Result of planning an HLS archive: its streams, and a sentence on entries that are left out. */
export type ArchivePlan = { runs: ArchiveRun[]; remark: string | null };

/** Plans the unpacking of an HLS archive. @throws AppError badArchive */
export async function inspectArchive(storage: Storage, key: string): Promise<ArchivePlan> {
  const zip = await openZip(storage, key);
  try {
    return await planArchive(zip);
  } finally {
    await zip.close();
  }
}

/** Returns whether an entry contains file attributes that macOS adds for each file, under the name of the file. */
const isAttributes = (name: string): boolean =>
  name.startsWith('__MACOSX/') || (name.split('/').at(-1) ?? '').startsWith('._');

/** Checks all playlists of the archive, chooses the main one, and divides its segments into runs. */
export async function planArchive(zip: Zip): Promise<ArchivePlan> {
  const files = [...zip.files.values()].filter(({ name }) => /\.m3u8?$/i.test(name) && !isAttributes(name));
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (bytes > PLAYLISTS_MAX_BYTES) throw refuse('its playlists are too long');
  const playlists = new Map<string, Playlist>();
  let named = 0;
  for (const file of files) {
    const playlist = readPlaylist(await readText(zip, file), file.name, (name) => zip.files.has(name));
    named += playlist.segments.length + playlist.variants.length;
    if (named > NAMED_MAX) throw refuse(`its playlists name more than ${NAMED_MAX} files`);
    playlists.set(file.name, playlist);
  }
  if (playlists.size === 0) return planFiles(zip);
  const { segments, hasOwnSound } = leading(playlists);
  if (segments.length === 0) throw refuse('its playlist names no segments');
  for (const { map, ...segment } of segments) {
    checkPiece(zip, segment);
    if (map !== null) checkPiece(zip, map);
  }
  checkMany(zip, playlists);
  return { runs: toRuns(segments), remark: remarkOf(unnamed(zip, playlists), hasOwnSound) };
}

/** Names of pictures, sound and telemetry files. */
const CONTENT = /\.(?:m?ts|m2ts?|mpe?g|mp4|m4[asv]|aac|csv|gpx|klv|srt)$/i;

/** Returns content files that no playlist names. */
function unnamed(zip: Zip, playlists: Map<string, Playlist>): string[] {
  const existing = new Set(
    [...playlists.values()].flatMap(({ segments }) =>
      segments.flatMap(({ name, map }) => (map === null ? [name] : [name, map.name])),
    ),
  );
  return [...zip.files.keys()].filter((name) => CONTENT.test(name) && !isAttributes(name) && !existing.has(name));
}

function remarkOf(files: readonly string[], hasOwnSound: boolean): string | null {
  const texts: string[] = files.length === 0 ? [] : [leftOutText(files, 'unnamed')];
  if (hasOwnSound) texts.push('The archive holds the sound in a playlist of its own: it was left out.');
  return texts.join(' ') || null;
}

/** Reasons why files are left out, in the singular and in the plural. */
const EXCLUSION_REASONS = {
  unnamed: [', which its playlist does not name', ' that its playlist does not name'],
  other: [', which is no recording', ' that are no recordings'],
} as const;

function leftOutText(files: readonly string[], why: keyof typeof EXCLUSION_REASONS): string {
  const first = shown(files[0] ?? '');
  const [one, many] = EXCLUSION_REASONS[why];
  if (files.length === 1) return `The archive holds ${first}${one}: it was left out.`;
  return `The archive holds ${files.length} files${many}, ${first} the first: they were left out.`;
}

type Leading = Pick<Playlist, 'segments'> & { hasOwnSound: boolean };

/** Returns the best variant of the master playlist, or else the only media playlist. */
function leading(playlists: Map<string, Playlist>): Leading {
  const masters = [...playlists.values()].filter(({ variants }) => variants.length > 0);
  if (masters.length > 1) throw refuse('it holds several master playlists');
  const [master] = masters;
  if (master !== undefined) {
    const best = master.variants[0]!;
    const chosen = playlists.get(best.name);
    if (chosen === undefined) throw refuse('its master playlist names a playlist that is not there');
    if (chosen.variants.length > 0) throw refuse('its master playlist names a master playlist');
    return { segments: chosen.segments, hasOwnSound: best.sound !== null && master.ownSounds.has(best.sound) };
  }
  const [only, second] = playlists.values();
  if (only === undefined || second !== undefined) throw refuse('it holds several playlists and none that leads');
  return { segments: only.segments, hasOwnSound: false };
}

/** Names of recordings and telemetry files; their content is checked when they are unpacked. */
const RECORDING = /\.(?:m?ts|m2ts?|mpe?g|mp4|m4v|mov|mkv|webm)$/i;
const TELEMETRY = /\.(?:srt|csv|gpx|kml|geojson|ulg|bin|tlog)$/i;

/** Plans an archive without a playlist: its recordings as they are, and their telemetry. */
function planFiles(zip: Zip): ArchivePlan {
  const names = [...zip.files.keys()].filter((name) => !isAttributes(name));
  const recordings = names.filter((name) => RECORDING.test(name));
  if (recordings.length === 0) throw refuse('it holds no HLS playlist and no recording');
  const taken = names.filter((name) => RECORDING.test(name) || TELEMETRY.test(name));
  if (taken.length > FILES_MAX) throw refuse(`it has no HLS playlist, and more than ${FILES_MAX} recordings`);
  refuseMany(zip, new Set());
  const runs = taken.map((name): ArchiveRun => {
    const segment = { name, range: null, durationSeconds: 0, discontinuity: false, timeUs: null, map: null };
    return { segments: [segment], durationSeconds: 0, timeUs: null, name: name.split('/').at(-1) ?? name };
  });
  const leftOut = names.filter((name) => CONTENT.test(name) && !taken.includes(name));
  return { runs, remark: leftOut.length === 0 ? null : leftOutText(leftOut, 'other') };
}

/** Refuses an archive with very many entries, unless playlists name all of them. */
function checkMany(zip: Zip, playlists: Map<string, Playlist>): void {
  const named = new Set<string>(playlists.keys());
  for (const { segments } of playlists.values()) {
    for (const { name, map } of segments) {
      named.add(name);
      if (map) named.add(map.name);
    }
  }
  refuseMany(zip, named);
}

function refuseMany(zip: Zip, named: ReadonlySet<string>): void {
  if (zip.files.size <= UNNAMED_MAX) return;
  for (const name of zip.files.keys()) {
    if (!named.has(name)) throw refuse(`it has more than ${UNNAMED_MAX} entries, and its playlist does not name each`);
  }
}

function checkPiece(zip: Zip, { name, range }: Piece): void {
  const file = zip.files.get(name);
  if (file === undefined) throw refuse(`its playlist names ${shown(name)}, which is not in it`);
  if (range !== null && range.end > file.sizeBytes) throw refuse('its playlist names bytes after the end of a segment');
}

/** Shortens the last part of an entry's name for a message. */
const shown = (name: string): string => `"${name.split('/').at(-1)?.slice(0, 60)}"`;

function toRuns(segments: readonly PlaylistSegment[]): ArchiveRun[] {
  const parts = segments.filter(({ discontinuity }, index) => index > 0 && discontinuity).length;
  const runs: ArchiveRun[] = [];
  for (const segment of segments) {
    let run = runs.at(-1);
    // A segment with another map (initialization section) begins a new run.
    const isMapped = run !== undefined && !isSamePiece(run.segments[0]!.map, segment.map);
    if (run === undefined || isMapped || (segment.discontinuity && parts < RUNS_MAX)) {
      if (runs.length === RUNS_MAX) throw refuse(`its playlist has more than ${RUNS_MAX} maps`);
      run = { segments: [], durationSeconds: 0, timeUs: null, name: null };
      runs.push(run);
    }
    // The time of a later segment also determines the start time of the run.
    if (run.timeUs === null && segment.timeUs !== null) {
      run.timeUs = Math.round(segment.timeUs - run.durationSeconds * 1e6);
    }
    run.segments.push(segment);
    run.durationSeconds += segment.durationSeconds;
  }
  return runs;
}

const isSamePiece = (one: Piece | null, other: Piece | null): boolean =>
  one?.name === other?.name && one?.range?.start === other?.range?.start && one?.range?.end === other?.range?.end;

async function readText(zip: Zip, file: ZipEntry): Promise<string> {
  if (file.sizeBytes > PLAYLIST_MAX_BYTES) throw refuse('its playlist is too long');
  const parts: Uint8Array[] = [];
  for await (const bytes of zip.read(file)) parts.push(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (error) {
    throw refuse('its playlist is not text', error);
  }
}

/** Times of a playlist by position in the bytes of its run: offset, and UTC microseconds. */
export type SegmentTime = [offset: number, timeUs: number];

/** Returns the times of the segments of a run, by the number of bytes before each of them. */
export function timesOf(zip: Zip, { segments }: ArchiveRun): SegmentTime[] {
  const times: SegmentTime[] = [];
  const sizeOf = ({ name, range }: Piece) => (range ? range.end - range.start : (zip.files.get(name)?.sizeBytes ?? 0));
  const map = segments[0]?.map ?? null;
  let offset = map ? sizeOf(map) : 0;
  for (const segment of segments) {
    if (segment.timeUs !== null) times.push([offset, segment.timeUs]);
    offset += sizeOf(segment);
  }
  return times;
}

/**
 * Yields the bytes of one run: those of its map first, then segment after segment. `spend` is called for all unpacked
 * bytes, including those outside of a range, and throws if there are too many.
 */
export async function* readRun(zip: Zip, run: ArchiveRun, spend: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const map = run.segments[0]?.map ?? null;
  for (const { name, range } of [...(map ? [map] : []), ...joinRanges(run.segments)]) {
    const file = zip.files.get(name);
    if (file === undefined) throw refuse('a segment is missing');
    let position = 0;
    for await (const bytes of zip.read(file)) {
      spend(bytes.byteLength);
      const from = Math.max(0, (range?.start ?? 0) - position);
      const to = Math.min(bytes.byteLength, (range?.end ?? Number.POSITIVE_INFINITY) - position);
      position += bytes.byteLength;
      if (from < to) yield bytes.subarray(from, to);
    }
  }
}

/** Joins ranges that follow each other in one entry, so that the entry is unpacked only once. */
function joinRanges(segments: readonly PlaylistSegment[]): Piece[] {
  const joined: Piece[] = [];
  for (const { name, range } of segments) {
    const last = joined.at(-1);
    if (last?.range && range && last.name === name && last.range.end === range.start) {
      last.range = { start: last.range.start, end: range.end };
    } else joined.push({ name, range: range && { ...range } });
  }
  return joined;
}
