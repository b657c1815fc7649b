import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { type StartProcess, startEncoder } from './encoder.ts';
import { makeModel } from './model.ts';
import type { ResolvedOptions, SimulationOptions } from './options.ts';
import { createPicture } from './picture.ts';
import { makeRenderer } from './renderer.ts';
import { resolveOptions } from './resolve-options.ts';
import { createStream, frameTimeUs } from './stream.ts';

/** Settings for making a recording, as opposed to its content. */
export type SimulationRun = {
  /** Name or path of ffmpeg. Default `ffmpeg`. */
  ffmpeg?: string;
  /** Starts ffmpeg; a server passes its own function, which applies its limits. */
  startProcess?: StartProcess;
  /** Aborting it stops the work; the unfinished file is removed, and the reason is thrown. */
  signal?: AbortSignal;
  /** Called after each frame that was drawn. */
  onProgress?: (frames: number, of: number) => void;
};

/** Counts of the written recording. */
export type SimulationResult = {
  frames: number;
  klvPackets: number;
  bytes: number;
  /** Time of the first frame (`startUs`) and of the end of the last one (`endUs`), in UTC microseconds. */
  startUs: number;
  endUs: number;
};

/** Number of bytes collected before they are written to the file. */
const WRITE_BYTES = 1 << 20;

/**
 * Simulates the flight of one sensor and writes it as an MPEG transport stream to `path`, which is overwritten. Memory
 * use does not grow with the length.
 *
 * @throws OptionError for an option out of range, EncoderError when ffmpeg is missing or fails; in both cases no file
 * is left.
 */
export async function simulateToFile(
  options: SimulationOptions,
  path: string,
  run: SimulationRun = {},
): Promise<SimulationResult> {
  const resolved = resolveOptions(options);
  const file = createFileWriter(path);
  try {
    const result = await simulate(resolved, file.write, run);
    file.close();
    return result;
  } catch (error) {
    file.abandon();
    throw error;
  }
}

async function simulate(
  options: ResolvedOptions,
  write: (bytes: Uint8Array) => void,
  { signal, onProgress, ...how }: SimulationRun,
): Promise<SimulationResult> {
  signal?.throwIfAborted();
  const model = makeModel(options);
  const renderer = makeRenderer(options, model);
  const { frames, fps, klvRate, bFrames } = options;
  const klvMax = Math.max(1, Math.ceil((frames / fps) * (klvRate === 'frame' ? fps : klvRate) - 1e-6));
  const stream = createStream(options, model, { write, klvMax });
  // Without B-pyramids, a B-frame waits for only one later picture.
  const delay = bFrames > 0 ? 1 : 0;
  let coded = 0;
  const encoder = startEncoder(
    options,
    ({ bytes, shownAt, keyframe }) => {
      stream.picture({ bytes, keyframe, shownFrame: shownAt, decodedFrame: coded - delay });
      coded += 1;
    },
    how,
  );
  // Use two pictures: one is drawn while the encoder is still reading the other.
  const { width, height, spectrum } = options;
  const pictures = [0, 1].map(() => createPicture(width, height, spectrum === 'EO'));
  let taken = Promise.resolve();
  try {
    for (let frame = 0; frame < frames; frame += 1) {
      signal?.throwIfAborted();
      const picture = pictures[frame % 2]!;
      renderer.render(picture, model.at(frameTimeUs(options, frame)), frame);
      await taken;
      taken = encoder.write(picture.bytes);
      onProgress?.(frame + 1, frames);
    }
    await taken;
    await encoder.end();
    if (coded !== frames) throw new Error(`The encoder gave ${coded} pictures for ${frames} frames`);
    stream.end();
    return { frames, ...stream.counts(), startUs: options.startUs, endUs: frameTimeUs(options, frames) };
  } catch (error) {
    encoder.kill();
    throw error;
  }
}

/** Creates a writer that writes a file in large pieces. */
function createFileWriter(path: string) {
  const file = openSync(path, 'w');
  const gathered = new Uint8Array(WRITE_BYTES);
  let used = 0;
  const writeOut = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  };
  const flush = () => {
    writeOut(gathered.subarray(0, used));
    used = 0;
  };
  return {
    write(bytes: Uint8Array) {
      if (used + bytes.length > WRITE_BYTES) flush();
      if (bytes.length > WRITE_BYTES) return writeOut(bytes);
      gathered.set(bytes, used);
      used += bytes.length;
    },
    close() {
      flush();
      closeSync(file);
    },
    abandon() {
      closeSync(file);
      rmSync(path, { force: true });
    },
  };
}
