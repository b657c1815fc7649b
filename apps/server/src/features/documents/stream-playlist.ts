import { isBrowserPlayable, type Segment, TICKS_PER_SECOND } from '@osprey/mpegts';
import type { Storage } from '../../base/storage/storage.ts';
import { programsOf } from '../../media/index/file-index.ts';
import { stopsPlayers } from '../../media/index/sound.ts';
import { readStream } from '../../media/index/stream-pass.ts';
import { segmentLines, vodPlaylist } from '../../media/play/vod-playlist.ts';

/**
 * Returns the HLS playlist (RFC 8216) of a transport stream whose byte ranges can be played as stored; its media is at
 * the relative address `video`. Null for any other stream. Reads the stream once, without its telemetry, which a
 * document does not need.
 */
export async function streamPlaylist(storage: Storage, key: string, nowUs: number): Promise<string | null> {
  const source = await storage.open(key);
  try {
    const { segments, video, formats, program, moves } = await readStream({
      source,
      writeIndex: async () => undefined,
      nowUs,
    });
    if (segments === null || !segments.rangesPlayable || video === null) return null;
    const isPlayable = [video, ...formats].every(isBrowserPlayable);
    return isPlayable && !programsOf({ program, moves }).some(stopsPlayers) ? playlistOf(segments.segments) : null;
  } finally {
    await source.close();
  }
}

function playlistOf(segments: readonly Segment[]): string {
  const seconds = segments.map(({ durationTicks }) => durationTicks / TICKS_PER_SECOND);
  const body = segments.flatMap((segment, n) => [
    ...(n > 0 && segments[n - 1]!.run !== segment.run ? ['#EXT-X-DISCONTINUITY'] : []),
    ...segmentLines(seconds[n]!, 'video', segment),
  ]);
  return vodPlaylist(Math.max(...seconds), body);
}
