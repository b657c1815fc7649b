import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type SimulationOptions, simulateToFile } from '../../simulator/src/index.ts';
import { testData, testDataFolder } from '../test-data.ts';

export type Recordings = {
  /** Returns a third-party recording if the test data is installed, else a simulated one. */
  real: () => Promise<string>;
  /** Creates a small simulated flight with a code in each picture that identifies its frame. */
  simulated: (name: string, options?: SimulationOptions) => Promise<string>;
  remove: () => Promise<void>;
};

/** Options small enough to be generated and decoded in software together with a map. */
export const SMALL: SimulationOptions = { width: 320, height: 240, fps: 25, seconds: 20, ships: 2 };

/** Options for a flight long enough for playing and seeking, which several test files share. */
export const FLIGHT = { seconds: 40, mission: 'KEA' } as const;

/** Folder in which `npm test` keeps flights for all test files, since generating one takes a fifth of its duration. */
const RETAINED = process.env.OSPREY_TEST_RECORDINGS;

/** Flights being generated in this process, so that one requested twice at the same time is generated once. */
const making = new Map<string, Promise<string>>();

/** Returns the flight for these options; equal options give the same file, byte by byte. */
function flown(options: SimulationOptions, folder: string): Promise<string> {
  const name = createHash('sha256')
    .update(JSON.stringify(options, Object.keys(options).sort()))
    .digest('hex');
  const path = join(RETAINED ?? folder, `.${name}.ts`);
  const made = making.get(path) ?? makeOnce(options, path);
  making.set(path, made);
  return made;
}

async function makeOnce(options: SimulationOptions, path: string): Promise<string> {
  if (existsSync(path)) return path;
  await mkdir(dirname(path), { recursive: true });
  // Another process may generate the same file; by renaming, only complete files become visible.
  const part = `${path}.${process.pid}`;
  await simulateToFile(options, part);
  await rename(part, path);
  return path;
}

/** Creates recordings on demand in a folder that is removed after the test. */
export async function makeRecordings(): Promise<Recordings> {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-recordings-'));
  async function simulated(name: string, options: SimulationOptions = {}): Promise<string> {
    const path = join(folder, name);
    await copyFile(await flown({ ...SMALL, ...options }, folder), path);
    return path;
  }
  return {
    simulated,
    real: () =>
      testDataFolder === null ? simulated('flight.ts') : Promise.resolve(testData('ts/osh/sample-stream.ts')),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
