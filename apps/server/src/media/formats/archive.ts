import type { Storage } from '../../base/storage/storage.ts';
import { PLAYLIST_MAX_BYTES, type Playlist, type PlaylistSegment, readPlaylist } from './hls-playlist.ts';
import { openZip, refuse, type Zip, type ZipEntry } from './zip.ts';

/** Segments whose clock runs on: together one transport stream. */
export type ArchiveRun = { segments: PlaylistSegment[]; durationSeconds: number; timeUs: number | null };

/** More discontinuities than this are read as one stream; the demuxer finds the jumps itself. */
export const RUNS_MAX = 500;

/** Of all playlists together: a file of 3 MB may hold ten thousand, and they are read where everybody is served. */
const PLAYLISTS_MAX_BYTES = 16 * 1024 * 1024;
const NAMED_MAX = 100_000;

/** What becomes of an HLS archive: its streams, and a sentence on what of it is left out. */
export type ArchivePlan = { runs: ArchiveRun[]; remark: string | null };

/** What an HLS archive would unpack to. @throws AppError badArchive */
export async function inspectArchive(storage: Storage, key: string): Promise<ArchivePlan> {
  const zip = await openZip(storage, key);
  try {
    return await planArchive(zip);
  } finally {
    await zip.close();
  }
}

/** What macOS packs beside each file: its attributes, under the name of the file. */
const isAttributes = (name: string): boolean =>
  name.startsWith('__MACOSX/') || (name.split('/').at(-1) ?? '').startsWith('._');

/** Checks every playlist in the archive, chooses the leading one, and orders its segments into runs. */
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
  if (playlists.size === 0) throw refuse('it holds no HLS playlist');
  const { segments, hasOwnSound } = leading(playlists);
  if (segments.length === 0) throw refuse('its playlist names no segments');
  for (const segment of segments) checkSegment(zip, segment);
  return { runs: toRuns(segments), remark: remarkOf(unnamed(zip, playlists), hasOwnSound) };
}

/** Pictures, sound and telemetry, by their names. */
const CONTENT = /\.(?:m?ts|m2ts?|mpe?g|mp4|m4[asv]|aac|csv|gpx|klv|srt)$/i;

/** Content that no playlist names. */
function unnamed(zip: Zip, playlists: Map<string, Playlist>): string[] {
  const known = new Set([...playlists.values()].flatMap(({ segments }) => segments.map(({ name }) => name)));
  return [...zip.files.keys()].filter((name) => CONTENT.test(name) && !isAttributes(name) && !known.has(name));
}

function remarkOf(files: readonly string[], hasOwnSound: boolean): string | null {
  const texts: string[] = [];
  const first = shown(files[0] ?? '');
  if (files.length === 1) texts.push(`The archive holds ${first}, which its playlist does not name: it was left out.`);
  if (files.length > 1) {
    const many = `${files.length} files that its playlist does not name, ${first} the first`;
    texts.push(`The archive holds ${many}: they were left out.`);
  }
  if (hasOwnSound) texts.push('The archive holds the sound in a playlist of its own: it was left out.');
  return texts.join(' ') || null;
}

type Leading = Pick<Playlist, 'segments'> & { hasOwnSound: boolean };

/** The best variant of the master playlist, or the only media playlist. */
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

function checkSegment(zip: Zip, { name, range }: PlaylistSegment): void {
  const file = zip.files.get(name);
  if (file === undefined) throw refuse(`its playlist names ${shown(name)}, which is not in it`);
  if (range !== null && range.end > file.sizeBytes)
    throw refuse('its playlist names bytes behind the end of a segment');
}

/** The last part of a name from the archive, short, for the message. */
const shown = (name: string): string => `"${name.split('/').at(-1)?.slice(0, 60)}"`;

function toRuns(segments: readonly PlaylistSegment[]): ArchiveRun[] {
  const parts = segments.filter(({ discontinuity }, index) => index > 0 && discontinuity).length;
  const runs: ArchiveRun[] = [];
  for (const segment of segments) {
    let run = runs.at(-1);
    if (run === undefined || (segment.discontinuity && parts < RUNS_MAX)) {
      run = { segments: [], durationSeconds: 0, timeUs: null };
      runs.push(run);
    }
    // A time on a later segment dates the run's beginning too.
    if (run.timeUs === null && segment.timeUs !== null) {
      run.timeUs = Math.round(segment.timeUs - run.durationSeconds * 1e6);
    }
    run.segments.push(segment);
    run.durationSeconds += segment.durationSeconds;
  }
  return runs;
}

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

/**
 * The bytes of one run, segment after segment. `spend` is told of every unpacked byte, also of those that lie outside
 * a range, and throws when there are too many.
 */
export async function* readRun(zip: Zip, run: ArchiveRun, spend: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for (const { name, range } of joinRanges(run.segments)) {
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

/** Ranges that follow each other in one entry become one, so the entry is unpacked once. */
function joinRanges(segments: readonly PlaylistSegment[]): Pick<PlaylistSegment, 'name' | 'range'>[] {
  const joined: Pick<PlaylistSegment, 'name' | 'range'>[] = [];
  for (const { name, range } of segments) {
    const last = joined.at(-1);
    if (last?.range && range && last.name === name && last.range.end === range.start) {
      last.range = { start: last.range.start, end: range.end };
    } else joined.push({ name, range: range && { ...range } });
  }
  return joined;
}
