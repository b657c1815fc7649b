import { utcTime } from './utc-time.ts';
import { refuse } from './zip.ts';

/** Maximum size of a playlist in bytes: two days of 2 s segments, each with its time. */
export const PLAYLIST_MAX_BYTES = 16 * 1024 * 1024;
const SEGMENTS_MAX = 100_000;

export type PlaylistSegment = {
  /** Name of the entry in the archive. */
  name: string;
  /** Half-open range; null for the whole entry. */
  range: { start: number; end: number } | null;
  durationSeconds: number;
  /** EXT-X-DISCONTINUITY: the clock of this segment does not continue that of the segment before. */
  discontinuity: boolean;
  /** EXT-X-PROGRAM-DATE-TIME in microseconds. */
  timeUs: number | null;
  /** Initialization segment of fragmented MP4 (EXT-X-MAP). */
  map: Piece | null;
};

/** An entry of the archive, or a range of it. */
export type Piece = { name: string; range: { start: number; end: number } | null };

/** `sound`: the group of its audio, which may be in other playlists. */
type Variant = { name: string; bandwidth: number; sound: string | null };

/**
 * A playlist of RFC 8216: a media playlist contains segments; a master playlist contains variants, highest bandwidth
 * first.
 */
export type Playlist = {
  segments: PlaylistSegment[];
  variants: Variant[];
  /** Audio groups that have separate playlists. */
  ownSounds: Set<string>;
};

/**
 * Reads a playlist of an archive. It may refer only to entries of that archive: the whole playlist is refused if it has
 * keys, absolute addresses or paths that lead out of the archive.
 *
 * @param path name of the playlist's own entry
 * @param isThere returns whether the archive has an entry with a name
 * @throws AppError badArchive
 */
export function readPlaylist(text: string, path: string, isThere: (name: string) => boolean): Playlist {
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => line.trim());
  const first = lines.indexOf('#EXTM3U');
  // Some tools write comments before the first tag.
  const isComment = (line: string) => line === '' || (line.startsWith('#') && !line.startsWith('#EXT'));
  if (first < 0 || !lines.slice(0, first).every(isComment)) throw refuse('its playlist is not valid');
  const place: Place = { folder: path.split('/').slice(0, -1), isThere };
  const playlist: Playlist = { segments: [], variants: [], ownSounds: new Set() };
  let next = emptySegment();
  let map: Piece | null = null;
  let variant: Omit<Variant, 'name'> | null = null;

  for (const line of lines) {
    if (line === '') continue;
    if (line.startsWith('#')) {
      const [tag = '', value = ''] = split(line);
      checkTag(tag, value, place);
      if (tag === '#EXT-X-STREAM-INF') variant = variantOf(value);
      else if (tag === '#EXT-X-MAP') map = mapOf(value, place);
      else if (tag === '#EXT-X-MEDIA') noteOwnSound(value, playlist);
      else readSegmentTag(tag, value, next);
      continue;
    }
    const name = entryName(line, place);
    if (variant !== null) playlist.variants.push({ name, ...variant });
    else playlist.segments.push({ ...toSegment(name, next, playlist.segments.at(-1)), map });
    if (playlist.segments.length > SEGMENTS_MAX) throw refuse(`its playlist names more than ${SEGMENTS_MAX} segments`);
    variant = null;
    next = emptySegment();
  }
  playlist.variants.sort((a, b) => b.bandwidth - a.bandwidth);
  return playlist;
}

const variantOf = (value: string): Omit<Variant, 'name'> => ({
  bandwidth: Number(/(?:^|,)\s*BANDWIDTH=(\d+)/.exec(value)?.[1] ?? 0),
  sound: /(?:^|,)\s*AUDIO="([^"]*)"/.exec(value)?.[1] ?? null,
});

function noteOwnSound(value: string, { ownSounds }: Playlist): void {
  const group = /(?:^|,)\s*GROUP-ID="([^"]*)"/.exec(value)?.[1];
  const isOwn = /(?:^|,)\s*TYPE=AUDIO(?:,|$)/.test(value) && /(?:^|,)\s*URI="/.test(value);
  if (group !== undefined && isOwn) ownSounds.add(group);
}

type Pending = {
  duration: number;
  discontinuity: boolean;
  timeUs: number | null;
  range: { length: number; offset: number | null } | null;
};
const emptySegment = (): Pending => ({ duration: 0, discontinuity: false, timeUs: null, range: null });

function split(line: string): [string, string] {
  const colon = line.indexOf(':');
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)];
}

function checkTag(tag: string, value: string, place: Place): void {
  const isKey = tag === '#EXT-X-KEY' || tag === '#EXT-X-SESSION-KEY';
  if (isKey && !/(?:^|,)METHOD=NONE(?:,|$)/.test(value)) throw refuse('its playlist asks for a key');
  if (!tag.startsWith('#EXT-X-')) return;
  for (const [, uri = ''] of value.matchAll(/URI="([^"]*)"/g)) entryName(uri, place);
}

function readSegmentTag(tag: string, value: string, next: Pending): void {
  if (tag === '#EXTINF') next.duration = Math.max(0, Number.parseFloat(value) || 0);
  if (tag === '#EXT-X-DISCONTINUITY') next.discontinuity = true;
  if (tag === '#EXT-X-PROGRAM-DATE-TIME') next.timeUs = utcTime(value);
  if (tag === '#EXT-X-BYTERANGE') {
    const [, length, offset] = /^(\d{1,15})(?:@(\d{1,15}))?$/.exec(value) ?? [];
    if (length === undefined) throw refuse('its playlist has an invalid byte range');
    next.range = { length: Number(length), offset: offset === undefined ? null : Number(offset) };
  }
}

/** Parses EXT-X-MAP. Without an offset, its range begins at the start of the entry (RFC 8216, 4.3.2.5). */
function mapOf(value: string, place: Place): Piece {
  const uri = /(?:^|,)\s*URI="([^"]*)"/.exec(value)?.[1];
  if (uri === undefined) throw refuse('its playlist holds a map without an address');
  const stated = /(?:^|,)\s*BYTERANGE="(\d{1,15})(?:@(\d{1,15}))?"/.exec(value);
  const start = Number(stated?.[2] ?? 0);
  return { name: entryName(uri, place), range: stated && { start, end: start + Number(stated[1]) } };
}

function toSegment(name: string, next: Pending, last: PlaylistSegment | undefined): Omit<PlaylistSegment, 'map'> {
  const { duration, discontinuity, timeUs, range } = next;
  const segment = { name, durationSeconds: duration, discontinuity, timeUs };
  if (range === null) return { ...segment, range: null };
  // Without an offset, a range begins where the previous one ended (RFC 8216, 4.3.2.2).
  const start = range.offset ?? (last?.name === name ? last.range?.end : undefined);
  if (start === undefined) throw refuse('its playlist holds a byte range without a beginning');
  return { ...segment, range: { start, end: start + range.length } };
}

/** Folder to which the addresses of a playlist are relative, and the entries of the archive. */
type Place = { folder: readonly string[]; isThere: (name: string) => boolean };

/**
 * Returns the entry that a relative address refers to, percent-decoded once. ffmpeg writes file names with `#` and `%`
 * unescaped, and tools that download playlists save files under their whole address. So if that entry does not exist,
 * an entry with exactly the written name is used.
 */
function entryName(uri: string, { folder, isThere }: Place): string {
  // A regular expression with `.*$` would be too slow: for a line of two million question marks and a line separator,
  // it would start again at each of them.
  const path = uri.split(/[?#]/, 1)[0] ?? '';
  const decoded = decode(path);
  const named = decoded === null ? null : resolved(decoded, folder);
  if (named !== null && isThere(named)) return named;
  for (const one of [path, uri]) {
    const written = resolved(one, folder);
    if (isThere(written)) return written;
  }
  if (named === null) throw refuse('its playlist has an invalid address');
  return named;
}

/** @throws AppError badArchive for a path that is not inside the archive */
function resolved(name: string, folder: readonly string[]): string {
  const isOutside = /^[a-z][a-z0-9+.-]*:|^\/|[\\\p{Cc}]/iu.test(name);
  if (isOutside) throw refuse('its playlist names something outside of it');
  const parts = [...folder];
  for (const part of name.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) throw refuse('its playlist names something outside of it');
  }
  return parts.join('/').normalize('NFC');
}

/** Decodes the percent escapes of a path; null if an escape is invalid. */
function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
