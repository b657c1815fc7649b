import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SimulationOptions, simulateToFile } from '../../tools/simulator/src/index.ts';
import { testData, testDataFolder } from '../../tools/test-support/test-data.ts';

export type Recordings = {
  /** A recording made by others where the test data are, else a simulated one. */
  real: () => Promise<string>;
  /** A simulated flight: small, with a code in each picture that says its frame. */
  simulated: (name: string, options?: SimulationOptions) => Promise<string>;
  remove: () => Promise<void>;
};

/** Small enough to be made and decoded in software beside a map. */
export const SMALL: SimulationOptions = { width: 320, height: 240, fps: 25, seconds: 20, ships: 2 };

/** Files to drop, made on demand in a folder that goes away with the test. */
export async function makeRecordings(): Promise<Recordings> {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-recordings-'));
  async function simulated(name: string, options: SimulationOptions = {}): Promise<string> {
    const path = join(folder, name);
    await simulateToFile({ ...SMALL, ...options }, path);
    return path;
  }
  return {
    simulated,
    real: () =>
      testDataFolder === null ? simulated('flight.ts') : Promise.resolve(testData('ts/osh/sample-stream.ts')),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
