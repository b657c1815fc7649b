import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { tinyRelease, updateFolder } from '../../test/updates.ts';
import { installRelease } from '../features/updates/install.ts';
import { pointedRelease, readPointer, writePointer } from '../features/updates/pointer.ts';
import { runRelease } from './run-release.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'osprey-test-data-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
});

/** Installs a release whose program is this, and runs it in its trial until another version is to begin. */
async function tried(main: string, starts = 0) {
  const site = await updateFolder();
  const manifest = await site.pack('1.0.1', { entries: [{ path: 'dist/server/main.js', bytes: Buffer.from(main) }] });
  await installRelease({
    manifest,
    path: join(site.folder, 'osprey-1.0.1.tar.gz'),
    dataDir,
    progress: () => undefined,
  });
  const trial = { from: '1.0.0', previous: null, startedUs: 5, starts };
  await writePointer(dataDir, { format: 1, version: '1.0.1', trial, restoreFromUs: null, last: null });
  const found = await pointedRelease(dataDir, '1.0.0', () => undefined);
  const lines: string[] = [];
  const times = { healthyMs: 3000, steadyMs: 50 };
  await runRelease({ ...found!, dataDir, args: [], warn: (line) => lines.push(line), ...times });
  return { lines, pointer: await readPointer(dataDir) };
}

it('accepts a release that is healthy, and returns when it asks for another one', async () => {
  const { pointer, lines } = await tried(tinyRelease('1.0.1', { switchAfterMs: 700 }));

  expect(pointer).toMatchObject({ version: '1.0.1', trial: null, restoreFromUs: null });
  expect(pointer?.last).toMatchObject({ from: '1.0.0', version: '1.0.1', result: 'done', reason: null });
  expect(lines[0]).toBe('The server was updated from version 1.0.0 to 1.0.1.');
});

it.each([
  ['ends at once', 'process.exit(3);', 'It ended before it was healthy, with code 3.'],
  [
    'is never ready',
    'setInterval(() => undefined, 1000); process.once("disconnect", () => process.exit());',
    'It was not healthy within 3 s.',
  ],
  ['says that it is down', tinyRelease('1.0.1', { status: 'down' }), 'It was not healthy within 3 s.'],
])('gives up a release that %s: the old version begins, and its database with it', async (_what, main, reason) => {
  const { pointer, lines } = await tried(main);

  expect(pointer).toMatchObject({ version: null, trial: null, restoreFromUs: 5 });
  expect(pointer?.last).toMatchObject({ version: '1.0.1', result: 'rolledBack', reason });
  expect(lines).toEqual([`Version 1.0.1 was given up, and version 1.0.0 begins again: ${reason}`]);
});

it('gives up a release that was killed in each of three trials', async () => {
  const { pointer } = await tried(tinyRelease('1.0.1'), 3);

  expect(pointer?.last).toMatchObject({ result: 'rolledBack', reason: expect.stringContaining('started 3 times') });
});
