import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { TICKS_PER_SECOND } from '@osprey/mpegts';
import { scheduleOf } from '../../test-support/endless-stream.ts';

export const MEGABITS = 2;
export const PICTURES_PER_SECOND = 25;
/** Length of the file in seconds; the file is repeated as long as needed. */
const SECONDS = 20;

/**
 * Makes a stream of 2 Mbit/s with noise in its pictures, so that it consists of picture data rather than filler data.
 */
export function makeStream(path: string): Buffer {
  const rate = `${MEGABITS}M`;
  const picture = `testsrc2=size=640x360:rate=${PICTURES_PER_SECOND},noise=alls=14:allf=t`;
  const codec = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '0', '-g', String(PICTURES_PER_SECOND)];
  const bounds = ['-pix_fmt', 'yuv420p', '-b:v', rate, '-maxrate', rate, '-bufsize', '500k'];
  const input = ['-f', 'lavfi', '-i', picture, '-t', String(SECONDS)];
  const output = ['-f', 'mpegts', '-pcr_period', '20', path];
  execFileSync('/usr/bin/ffmpeg', ['-nostdin', '-v', 'error', ...input, ...codec, ...bounds, ...output]);
  return readFileSync(path);
}

/**
 * Returns the step from the last picture of a round to the first of the next, in 90 kHz ticks. Rounds are joined by
 * their program clock.
 */
export const seamTicks = (bytes: Uint8Array): number =>
  Math.round(scheduleOf(bytes).ticks) - (SECONDS - 1 / PICTURES_PER_SECOND) * TICKS_PER_SECOND;
