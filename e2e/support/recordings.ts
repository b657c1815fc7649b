import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type SimulationOptions, simulateToFile } from '../../tools/simulator/src/index.ts';
import { testData, testDataFolder } from '../../tools/test-support/test-data.ts';

export type Recordings = {
  /** A recording made by others where the test data are, else a simulated one. */
  real: () => Promise<string>;
  /** A simulated flight: small, with a code in each picture that says its frame. */
  simulated: (name: string, options?: SimulationOptions) => Promise<string>;
  remove: () => Promise<void>;
};

/** Small enough to be made and decoded in software together with a map. */
export const SMALL: SimulationOptions = { width: 320, height: 240, fps: 25, seconds: 20, ships: 2 };

/** Long enough for what is played and sought: one flight serves several files of tests. */
export const FLIGHT = { seconds: 40, mission: 'KEA' } as const;

/** Where `npm test` keeps flights for all of its files: drawing and coding one takes a fifth of its length. */
const RETAINED = process.env.OSPREY_TEST_RECORDINGS;

/** Pending work of this process, so that a flight wanted twice at a time is made once. */
const making = new Map<string, Promise<string>>();

/** The same for the same options, byte by byte. */
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
  // The file may be made by another process too; the rename shows complete files only.
  const part = `${path}.${process.pid}`;
  await simulateToFile(options, part);
  await rename(part, path);
  return path;
}

/** Files to drop, made on demand in a folder that goes away with the test. */
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
