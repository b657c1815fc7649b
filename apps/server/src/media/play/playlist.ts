import type { SensorTimeline } from '@osprey/contract';
import { TICKS_PER_SECOND } from '@osprey/mpegts';
import { byRun } from '../index/by-run.ts';
import type { IndexedFile } from '../index/sensor-index.ts';
import { segmentLines, vodPlaylist } from './vod-playlist.ts';

export type PlaylistOptions = {
  files: readonly IndexedFile[];
  timeline: Pick<SensorTimeline, 'runs'>;
  shiftUs: number;
  /**
   * Returns whether a file is played from its original; renditions have no address for byte ranges, since `{fileId}.ts`
   * is the original.
   */
  isOriginal: (file: IndexedFile) => boolean;
  /** Token included in every address, for clients without the cookie. */
  token: string | null;
};

/**
 * Writes the HLS playlist of a sensor (RFC 8216): byte ranges of the originals if players can play them, otherwise
 * segments with separate addresses. A new run of the clock, and therefore a new file, begins with a discontinuity.
 */
export function playlistOf({ files, timeline, shiftUs, isOriginal, token }: PlaylistOptions): string {
  const query = token === null ? '' : `?token=${encodeURIComponent(token)}`;
  const body: string[] = [];
  let longest = 0;
  let run = 0;
  for (const file of files) {
    const { media, fileId } = file;
    if (media === null) continue;
    const byRange = media.rangesPlayable && isOriginal(file);
    for (const stretch of byRun(media.segments)) {
      if (run > 0) body.push('#EXT-X-DISCONTINUITY');
      const start = timeline.runs[run]?.startTime;
      if (start !== undefined) body.push(`#EXT-X-PROGRAM-DATE-TIME:${isoMs(start + shiftUs)}`);
      run += 1;
      for (const segment of stretch) {
        const seconds = segment.durationTicks / TICKS_PER_SECOND;
        longest = Math.max(longest, seconds);
        if (byRange && !segment.isTrimmed) body.push(...segmentLines(seconds, `${fileId}.ts${query}`, segment));
        else body.push(...segmentLines(seconds, `${fileId}/${segment.n}.ts${query}`, null));
      }
    }
  }
  return vodPlaylist(longest, body);
}

const isoMs = (timeUs: number): string => new Date(Math.round(timeUs / 1000)).toISOString();
