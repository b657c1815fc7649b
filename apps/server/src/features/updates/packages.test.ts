import { generateKeyPairSync } from 'node:crypto';
import { appendFile, chmod, copyFile, mkdir, open, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { type UpdateFolder, updateFolder } from '../../../test/updates.ts';
import { compareVersions, packageFiles } from './manifest.ts';
import { updatePackages } from './packages.ts';

const INSTALLED = '1.2.0';
const other = generateKeyPairSync('ed25519').privateKey;

const at = ({ folder, keyFile }: UpdateFolder, installed = INSTALLED) =>
  updatePackages({ source: { folder, keyFile }, installed });

/** The list once no archive is being compared any more. */
const listed = (packages: ReturnType<typeof at>) =>
  vi.waitFor(async () => {
    const found = await packages.list();
    expect(found.packages.map(({ state }) => state)).not.toContain('checking');
    return found;
  });

it('lists what is newer than the installed version, the newest first', async () => {
  const site = await updateFolder();
  for (const version of ['1.1.9', '1.2.0', '1.2.1', '1.10.0']) await site.pack(version);
  await writeFile(join(site.folder, 'osprey-9.9.9;id.tar.gz'), '');
  const packages = at(site);

  expect((await packages.list()).packages[0]).toMatchObject({ state: 'checking' });
  expect(await listed(packages)).toMatchObject({
    problem: null,
    packages: [
      { version: '1.10.0', state: 'valid', created: 1_790_000_000_000_000, reason: null },
      { version: '1.2.1', state: 'valid' },
    ],
  });
});

type Spoil = (site: UpdateFolder) => Promise<unknown>;
const file = (site: UpdateFolder, name: keyof ReturnType<typeof packageFiles>) =>
  join(site.folder, packageFiles('1.3.0')[name]);

const REFUSED: readonly (readonly [string, Spoil, RegExp])[] = [
  ['without a signature', (site) => rm(file(site, 'signature')), /^It is not signed: osprey-1\.3\.0\.manifest\.sig is/],
  ['without a manifest', (site) => rm(file(site, 'manifest')), /^It has no manifest/],
  ['with half a signature', (site) => truncate(file(site, 'signature'), 32), /^Its signature does not fit/],
  ['signed with another key', (site) => site.pack('1.3.0', { key: other }), /^Its signature does not fit/],
  ['with a changed manifest', (site) => appendFile(file(site, 'manifest'), ' '), /^Its signature does not fit/],
  [
    'with a byte more',
    (site) => appendFile(file(site, 'archive'), ' '),
    /^Its archive has \d+ bytes, and its manifest/,
  ],
  ['with one byte changed', (site) => changeByte(file(site, 'archive')), /^Its archive is not the one that was signed/],
  ['of another machine', (site) => site.pack('1.3.0', { platform: 'plan9-vax' }), /^It was made for plan9-vax/],
  [
    'with the manifest of another version',
    (site) => asVersion(site, '1.4.0'),
    /^Its manifest is that of version 1\.4\.0/,
  ],
];

async function changeByte(path: string) {
  const handle = await open(path, 'r+');
  await handle.write(Buffer.from([0xaa]), 0, 1, 20);
  await handle.close();
}

/** A package of another version, under the names of 1.3.0. */
async function asVersion(site: UpdateFolder, version: string) {
  await site.pack(version);
  const files = packageFiles(version);
  for (const name of ['archive', 'manifest', 'signature'] as const) {
    await rename(join(site.folder, files[name]), file(site, name));
  }
}

it.each(REFUSED)('T-112 refuses a package %s, in the list and before an update', async (_what, spoil, reason) => {
  const site = await updateFolder();
  await site.pack('1.3.0');
  await spoil(site);
  const packages = at(site);

  const [row] = (await listed(packages)).packages;
  expect(row).toMatchObject({ version: '1.3.0', state: 'refused', created: null });
  expect(row?.reason).toMatch(reason);
  await expect(packages.check('1.3.0')).rejects.toThrow(reason);
});

it('T-112 refuses a version that is not newer, and one that is not there', async () => {
  const site = await updateFolder();
  await site.pack('1.1.0');
  const packages = at(site);

  await expect(packages.check('1.1.0')).rejects.toThrow('Version 1.1.0 is not newer than the installed version 1.2.0.');
  await expect(packages.check('1.2.0')).rejects.toThrow('is not newer');
  await expect(packages.check('7.0.0')).rejects.toThrow('It has no manifest');
});

it('reads an archive again before an update, and in the list when its file has changed', async () => {
  const site = await updateFolder();
  await site.pack('1.3.0');
  const packages = at(site);
  expect((await listed(packages)).packages[0]).toMatchObject({ state: 'valid' });

  await changeByte(file(site, 'archive'));

  await expect(packages.check('1.3.0')).rejects.toThrow('the SHA-256 differs');
  expect((await listed(packages)).packages[0]).toMatchObject({ state: 'refused' });
});

it('says what is wrong with the folder or the key of the site', async () => {
  const site = await updateFolder();
  await site.pack('1.3.0');
  const problem = async (source: Partial<UpdateFolder>) => (await at({ ...site, ...source }).list()).problem;

  expect(await problem({ folder: join(site.folder, 'gone') })).toMatch(/^The folder of updates cannot be read/);
  expect(await problem({ keyFile: join(site.folder, 'gone') })).toMatch(/^The key of updates cannot be read/);
  const secret = join(site.folder, 'secret');
  await writeFile(secret, other.export({ type: 'pkcs8', format: 'pem' }));
  expect(await problem({ keyFile: secret })).toMatch(/holds a private key/);
  const open = join(site.folder, 'open');
  await copyFile(site.keyFile, open);
  await chmod(open, 0o666);
  expect(await problem({ keyFile: open })).toMatch(/^Other accounts may change the key of updates/);
  await mkdir(join(site.folder, 'folder'));
  expect(await problem({ keyFile: join(site.folder, 'folder') })).toMatch(/^The key of updates cannot be used/);
});

it('compares versions as numbers', () => {
  const sorted = ['2.0.0', '0.10.0', '0.9.9', '99999999999999999999.0.0', '0.9.10'].sort(compareVersions);

  expect(sorted).toEqual(['0.9.9', '0.9.10', '0.10.0', '2.0.0', '99999999999999999999.0.0']);
});
