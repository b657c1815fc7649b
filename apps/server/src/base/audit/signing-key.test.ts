import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { signingKey } from './signing-key.ts';

const folder = await mkdtemp(join(tmpdir(), 'osprey-signing-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const path = join(folder, 'signing.pem');
const modeOf = async () => (await stat(path)).mode & 0o777;

describe("T-116 the audit's signing key", () => {
  it('is made at random with mode 0600 if there is none, kept, and gets its mode back if others were given access', async () => {
    const { id } = await signingKey(folder);
    const pem = await readFile(path, 'utf8');
    expect(await modeOf()).toBe(0o600);

    await chmod(path, 0o644);
    expect((await signingKey(folder)).id).toBe(id);
    expect(await modeOf()).toBe(0o600);
    expect(await readFile(path, 'utf8')).toBe(pem);
    expect((await signingKey(join(folder, 'other'))).id).not.toBe(id);
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

  it.each([
    ['nothing', ''],
    ['a word', 'secret'],
    ['half of a key', '-----BEGIN PRIVATE KEY-----\nMC4CAQAw\n-----END PRIVATE KEY-----\n'],
    ['a key of another kind', rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ])('that holds %s stops the start and is named, and stays as it is', async (_what, text) => {
    await writeFile(path, text);

    await expect(signingKey(folder)).rejects.toThrow(`${path} is no Ed25519 key in PEM`);
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});
