import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { secretFile } from './secret-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'osprey-keys-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('T-116 a key file', () => {
  it('is made with random bytes and mode 0600 where there is none, and kept', async () => {
    const path = join(folder, 'made/a.key');

    const key = await secretFile(path);

    expect(key).toHaveLength(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await secretFile(path)).toEqual(key);
    expect(await secretFile(join(folder, 'made/b.key'))).not.toEqual(key);
  });

  it('gets its mode back if others were given access', async () => {
    const path = join(folder, 'open.key');
    await writeFile(path, await readFile(join(folder, 'made/a.key')), { mode: 0o644 });

    await secretFile(path);

    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it.each(['', 'secret', '0'.repeat(64), 'ab'.repeat(32)])('holding %j stops the start and is named', async (text) => {
    const path = join(folder, 'bad.key');
    await writeFile(path, text);

    await expect(secretFile(path)).rejects.toThrow(`${path} is no random key`);
  });
});

it('T-116 no key is written in the sources', async () => {
  const root = resolve(import.meta.dirname, '../../../../..');
  // 32 random bytes as digits or base64, and the frame of a private key.
  const key = /(['"`])(?:[0-9a-f]{64}|[\w+/-]{43}=?)\1|BEGIN [A-Z ]*PRIVATE KEY/i;
  expect(key.test(`'${randomBytes(32).toString('base64url')}'`)).toBe(true);
  const found: string[] = [];
  for (const folder of ['apps', 'packages', 'tools', 'scripts', 'docs']) {
    for (const entry of await readdir(join(root, folder), { recursive: true })) {
      if (/(?:^|\/)(?:node_modules|test|test-support)\/|\.(?:test|spec)\./.test(entry)) continue;
      if (!/\.(?:[cm]?[jt]sx?|json|ya?ml|md|html|sh|pem|key)$/.test(entry)) continue;
      if (key.test(await readFile(join(root, folder, entry), 'utf8'))) found.push(join(folder, entry));
    }
  }
  expect(found).toEqual([]);
});
