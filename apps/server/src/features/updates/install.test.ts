import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { type UpdateFolder, updateFolder } from '../../../test/updates.ts';
import { installRelease, removeOldReleases } from './install.ts';
import type { Packed } from './pack.ts';
import { completeRelease, pointedRelease, readPointer, releasesFolder, writePointer } from './pointer.ts';

let site: UpdateFolder;
let dataDir: string;

beforeEach(async () => {
  site = await updateFolder();
  dataDir = await mkdtemp(join(tmpdir(), 'osprey-test-data-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
});

/** Packs a release and unpacks it; `spoil` changes the archive in between. */
async function install(
  version: string,
  entries?: readonly Packed[],
  spoil: (path: string) => Promise<void> = async () => {},
) {
  const manifest = await site.pack(version, entries && { entries });
  const path = join(site.folder, `osprey-${version}.tar.gz`);
  await spoil(path);
  await installRelease({ manifest, path, dataDir, progress: () => undefined });
}

const inside = (version: string, path: string) => join(releasesFolder(dataDir), version, path);
const pointerTo = (version: string | null) =>
  ({ format: 1, version, trial: null, restoreFromUs: null, last: null }) as const;

it('unpacks files with their mode, folders and links, and then gives the release its name', async () => {
  const program = join(site.folder, 'program');
  await writeFile(program, '#!/bin/sh\n');
  await chmod(program, 0o755);
  const main = { path: 'dist/server/main.js', bytes: Buffer.from('main') };

  await install('1.0.1', [main, { path: 'bin/run', from: program }, { path: 'link', target: 'bin/run' }]);

  expect(await readFile(inside('1.0.1', 'dist/server/main.js'), 'utf8')).toBe('main');
  expect((await stat(inside('1.0.1', 'bin/run'))).mode & 0o777).toBe(0o755);
  expect(await readlink(inside('1.0.1', 'link'))).toBe('bin/run');
  expect(await completeRelease(dataDir, '1.0.1')).toMatchObject({ version: '1.0.1' });
  expect(await readdir(releasesFolder(dataDir))).toEqual(['1.0.1']);
});

it('puts a release in the place of what is left of the same version', async () => {
  await install('1.0.1', [
    { path: 'dist/server/main.js', bytes: Buffer.from('before') },
    { path: 'old', bytes: Buffer.from('x') },
  ]);
  await rm(inside('1.0.1', 'release.json'));

  await install('1.0.1', [{ path: 'dist/server/main.js', bytes: Buffer.from('after') }]);

  expect(await readFile(inside('1.0.1', 'dist/server/main.js'), 'utf8')).toBe('after');
  expect((await readdir(inside('1.0.1', '.'))).sort()).toEqual(['dist', 'release.json']);
});

it.each<[string, Packed]>([
  ['with the name ../', { path: '../evil', bytes: Buffer.from('x') }],
  ['with an absolute name', { path: '/tmp/osprey-evil', bytes: Buffer.from('x') }],
  ['with a link out of the tree', { path: 'link', target: '../../keys' }],
])('T-112 refuses an archive %s and leaves nothing of it', async (_what, entry) => {
  await expect(install('1.0.1', [entry])).rejects.toThrow('leads out of its folder');

  expect(await readdir(releasesFolder(dataDir))).toEqual([]);
  expect(await readdir(dataDir)).toEqual(['releases']);
});

it('T-112 refuses an archive that was replaced after it was checked', async () => {
  const other = await updateFolder();
  await other.pack('1.0.1', { entries: [{ path: 'dist/server/main.js', bytes: Buffer.from('process.exit(4);\n') }] });
  const replace = async (path: string) => writeFile(path, await readFile(join(other.folder, 'osprey-1.0.1.tar.gz')));

  await expect(install('1.0.1', undefined, replace)).rejects.toThrow('not the one that was signed');

  expect(await completeRelease(dataDir, '1.0.1')).toBeNull();
});

it('follows a pointer only to a whole release that is newer than the installed version, and says why not', async () => {
  const notes: string[] = [];
  const pointed = async (installed = '1.0.0') =>
    (await pointedRelease(dataDir, installed, (line) => notes.push(line)))?.release.version ?? null;

  expect(await pointed()).toBeNull();
  await install('1.0.1');
  await writePointer(dataDir, pointerTo('1.0.1'));
  expect(await pointed()).toBe('1.0.1');
  expect(notes).toEqual([]);

  expect([await pointed('1.0.1'), await pointed('1.1.0')]).toEqual([null, null]);
  expect(notes.splice(0)[1]).toBe('Release 1.0.1 is not newer than the installed version 1.1.0, which starts.');
  await rm(inside('1.0.1', 'release.json'));
  expect(await pointed()).toBeNull();
  expect(notes.splice(0)).toEqual(['Release 1.0.1 is not whole: the installed version 1.0.0 starts.']);
  await writeFile(join(releasesFolder(dataDir), 'current.json'), '{"format":1');
  expect(await pointed()).toBeNull();
  expect(notes[0]).toMatch(/^The releases cannot be read, and the installed version 1\.0\.0 starts: /);
  await writePointer(dataDir, pointerTo(null));
  expect(await pointed()).toBeNull();
  expect(await readPointer(dataDir)).toEqual(pointerTo(null));
});

it('keeps the three newest releases and the one that runs, and no halves', async () => {
  for (const version of ['1.0.1', '1.0.2', '1.0.3', '1.0.10', '1.0.4']) await install(version);
  await mkdir(join(releasesFolder(dataDir), '9.9.9.partial'));
  await writePointer(dataDir, pointerTo('1.0.4'));

  await removeOldReleases(dataDir, '1.0.1');

  expect((await readdir(releasesFolder(dataDir))).sort()).toEqual([
    '1.0.1',
    '1.0.10',
    '1.0.3',
    '1.0.4',
    'current.json',
  ]);
});
