import { spawnSync } from 'node:child_process';
import { createMuxer } from '@osprey/mpegts';

const RATE = 10;
const STEP = 90_000 / RATE;
const DELIMITER = Buffer.from('0000000109', 'hex');

/** Pictures that ffmpeg made and can decode, ten a second, each tenth a key frame, with this KLV set beside each. */
export function decodableFlight(pictures: number, set: Uint8Array): Buffer {
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=${RATE}:duration=${pictures / RATE}`];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', String(RATE), '-pix_fmt', 'yuv420p'];
  const out = ['-threads', '1', '-bsf:v', 'h264_metadata=aud=insert', '-f', 'h264', '-'];
  const { status, stdout, stderr } = spawnSync('/usr/bin/ffmpeg', ['-v', 'error', ...source, ...coding, ...out]);
  if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
  const written: Uint8Array[] = [];
  const muxer = createMuxer({
    streams: [
      { pid: 256, kind: 'h264' },
      { pid: 257, kind: 'klvAsync' },
    ],
    write: (bytes) => written.push(bytes.slice()),
  });
  for (let at = 0, n = 0; at >= 0 && at < stdout.length; n += 1) {
    const next = stdout.indexOf(DELIMITER, at + DELIMITER.length);
    const bytes = stdout.subarray(at, next < 0 ? undefined : next);
    muxer.unit({ pid: 256, ptsTicks: 90_000 + n * STEP, keyframe: n % RATE === 0, bytes });
    muxer.unit({ pid: 257, ptsTicks: 90_000 + n * STEP, bytes: set });
    at = next;
  }
  muxer.end();
  return Buffer.concat(written);
}
