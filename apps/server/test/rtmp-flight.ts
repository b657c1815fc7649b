import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';

/** A file that an encoder pushes over RTMP: H.264 with B-frames, and AAC. */
export function makeFlight(path: string, { seconds, rate }: { seconds: number; rate: number }): void {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=${rate}:duration=${seconds}`];
  const sound = ['-f', 'lavfi', '-i', `sine=sample_rate=44100:duration=${seconds}`];
  const codecs = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-g', '15', '-c:a', 'aac'];
  const made = spawnSync('ffmpeg', ['-v', 'error', ...picture, ...sound, ...codecs, '-f', 'flv', path]);
  expect(made.stderr.toString()).toBe('');
}

export type Probed = { codec_name: string; nb_read_packets: string; width?: number };

/** Result of ffprobe for a file, by codec. */
export function probe(path: string): Record<string, Probed> {
  const what = ['-count_packets', '-show_entries', 'stream=codec_name,nb_read_packets,width', '-of', 'json'];
  const { stdout, stderr } = spawnSync('ffprobe', ['-v', 'error', ...what, path]);
  expect(stderr.toString()).toBe('');
  const { streams } = JSON.parse(stdout.toString()) as { streams: Probed[] };
  return Object.fromEntries(streams.map((stream) => [stream.codec_name, stream]));
}
