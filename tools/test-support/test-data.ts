import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Folder of real recordings: OSPREY_TEST_DATA, otherwise ../shared/data relative to the clone; null if neither exists.
 */
export const testDataFolder: string | null = findFolder();

function findFolder(): string | null {
  const candidates = [process.env.OSPREY_TEST_DATA, join(root, '../shared/data')];
  return candidates.find((folder) => folder && existsSync(join(folder, 'INDEX.md'))) ?? null;
}

/** Returns the path of one file of the test data. Call this only inside tests made with `itWithData`. */
export function testData(path: string): string {
  if (testDataFolder === null) throw new Error('No test data: set OSPREY_TEST_DATA');
  return join(testDataFolder, path);
}

/**
 * `it`, but skipped if there are no recordings; the closing line of `npm test` counts such tests and states the reason.
 */
export const itWithData = it.skipIf(testDataFolder === null);
