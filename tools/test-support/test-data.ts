import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The folder of real recordings: OSPREY_TEST_DATA, else ../shared/data from the clone; null if neither exists. */
export const testDataFolder: string | null = findFolder();

function findFolder(): string | null {
  const candidates = [process.env.OSPREY_TEST_DATA, join(root, '../shared/data')];
  return candidates.find((folder) => folder && existsSync(join(folder, 'INDEX.md'))) ?? null;
}

/** Path of one file of the test data. Call it only inside tests made with `itWithData`. */
export function testData(path: string): string {
  if (testDataFolder === null) throw new Error('No test data: set OSPREY_TEST_DATA');
  return join(testDataFolder, path);
}

/** `it`, skipped where no recordings are; the closing line of `npm test` counts these and says why. */
export const itWithData = it.skipIf(testDataFolder === null);
