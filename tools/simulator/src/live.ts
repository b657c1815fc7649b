import { spawn } from 'node:child_process';
import { startEncoder } from './encoder.ts';
import type { LiveOutput } from './live-output.ts';
import { makeModel } from './model.ts';
import type { SimulationOptions } from './options.ts';
import { createPicture } from './picture.ts';
import { makeRenderer } from './renderer.ts';
import { resolveOptions } from './resolve-options.ts';
import { createStream, frameTimeUs } from './stream.ts';

export type LiveRun = {
  output: LiveOutput;
  ffmpeg?: string;
  /** Aborting it ends the flight; otherwise the flight ends after `seconds`, or never if that is not set. */
  signal: AbortSignal;
};

export type LiveResult = { frames: number; skipped: number; klvPackets: number; bytes: number };

/**
 * Flies one sensor in real time. Each frame is drawn when its time has come, and its time code, PTS and metadata state
 * that time by this machine's clock. If the machine is too slow, frames are skipped; the clock continues.
 *
 * @throws OptionError, EncoderError; errors of `output`
 */
export async function simulateLive(given: SimulationOptions, { output, signal, ...how }: LiveRun): Promise<LiveResult> {
  const options = resolveOptions({ ...given, bFrames: 0 });
  const frames = given.seconds === undefined ? Number.POSITIVE_INFINITY : options.frames;
  const model = makeModel(options);
  const renderer = makeRenderer(options, model);
  const stream = createStream(options, model, { write: output.write, klvMax: Number.POSITIVE_INFINITY });
  /** Frames that were passed to the encoder and have not been returned yet. */
  const coding: number[] = [];
  const encoder = startEncoder(
    options,
    ({ bytes, keyframe }) => {
      const frame = coding.shift() ?? 0;
      stream.picture({ bytes, keyframe, shownFrame: frame, decodedFrame: frame });
      output.flush();
    },
    // The encoder runs in a separate process group, so that Ctrl-C does not reach it: it ends after its last picture.
    { ...how, live: true, startProcess: (name, args) => spawn(name, args, { stdio: 'pipe', detached: true }) },
  );
  const picture = createPicture(options.width, options.height, options.spectrum === 'EO');
  let drawn = 0;
  let frame = 0;
  try {
    while (frame < frames && !signal.aborted) {
      await until(frameTimeUs(options, frame), signal);
      if (signal.aborted) break;
      renderer.render(picture, model.at(frameTimeUs(options, frame)), frame);
      coding.push(frame);
      drawn += 1;
      await encoder.write(picture.bytes);
      frame = Math.max(frame + 1, dueFrame(options));
    }
    await encoder.end();
    await output.close();
    return { frames: drawn, skipped: frame - drawn, ...stream.counts() };
  } catch (error) {
    encoder.kill();
    await output.close();
    throw error;
  }
}

/** Returns the last frame whose time has come. */
const dueFrame = ({ startUs, fps }: { startUs: number; fps: number }): number =>
  Math.floor(((Date.now() * 1000 - startUs) * fps) / 1e6);

async function until(timeUs: number, signal: AbortSignal): Promise<void> {
  const waitMs = timeUs / 1000 - Date.now();
  if (waitMs <= 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const wake = () => {
      clearTimeout(clock);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const clock = setTimeout(wake, waitMs);
    signal.addEventListener('abort', wake);
  });
}
