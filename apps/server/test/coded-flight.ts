import { spawnSync } from 'node:child_process';
import { PACKET_SIZE } from '@osprey/mpegts';

const CODINGS = {
  h264: ['libx264', '-preset', 'ultrafast', '-profile:v', 'baseline', '-bf', '0', '-sc_threshold', '0'],
  hevc: ['libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error:bframes=0:scenecut=0:open-gop=0'],
  mpeg2video: ['mpeg2video', '-bf', '0', '-sc_threshold', '1000000000'],
} as const;
export type Coding = keyof typeof CODINGS;

const RATE = 25;

/** Pictures by ffmpeg in the transport stream that it makes of them: one program, its video always on the same PID. */
function clip(coding: Coding, { seconds, startSeconds }: { seconds: number; startSeconds: number }): Buffer {
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=${RATE}:duration=${seconds}`];
  const coded = ['-c:v', ...CODINGS[coding], '-g', String(RATE), '-pix_fmt', 'yuv420p', '-threads', '1'];
  const written = [
    '-muxdelay',
    '0',
    '-muxpreload',
    '0',
    '-output_ts_offset',
    String(startSeconds),
    '-f',
    'mpegts',
    '-',
  ];
  const { status, stdout, stderr } = spawnSync('/usr/bin/ffmpeg', ['-v', 'error', ...source, ...coded, ...written], {
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
  return stdout;
}

/**
 * The flight of one encoder that is set to another coding on the way: each piece begins with a key frame where the one
 * before it ended, by the same clock, on the same PIDs, with continuity counters that go on.
 */
export function codedFlight(codings: readonly Coding[], seconds: number): Buffer[] {
  const counters = new Map<number, number>();
  return codings.map((coding, n) => {
    const bytes = clip(coding, { seconds, startSeconds: 10 + n * seconds });
    for (let at = 0; at < bytes.length; at += PACKET_SIZE) {
      const pid = bytes.readUInt16BE(at + 1) & 0x1fff;
      const hasPayload = (bytes[at + 3]! & 0x10) !== 0;
      const counter = ((counters.get(pid) ?? 0) + (hasPayload ? 1 : 0)) & 0x0f;
      counters.set(pid, counter);
      bytes[at + 3] = (bytes[at + 3]! & 0xf0) | counter;
    }
    return bytes;
  });
}

/** Pictures of one piece. */
export const picturesOf = (seconds: number): number => seconds * RATE;
