import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { testKey, testPackage, zipOf } from '@osprey/case-package/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { runCaseCommand } from './case-command.ts';

const folder = await mkdtemp(join(tmpdir(), 'osprey-case-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const made = testPackage({
  'parts/1-picture.jpg': new Uint8Array(5_000_000).fill(7),
  'report.html': new Uint8Array(30),
});
const zip = join(folder, 'case.zip');
await writeFile(zip, zipOf(made));
const key = join(folder, 'key.pem');
await writeFile(key, testKey().pem);

async function run(...args: string[]) {
  let text = '';
  const write = async (more: string) => {
    text += more;
  };
  const code = await runCaseCommand({ write, nowMs: () => performance.now() }, args);
  return { code, text };
}

describe('npm run case', () => {
  it('says that a package is what was signed, and by which key', async () => {
    const known = await run('verify', zip, '--key', key);
    const unknown = await run('verify', zip);

    expect(known.code).toBe(0);
    expect(known.text).toContain('Case 7 "Kea", version 2, RESTRICTED');
    expect(known.text).toContain('The package is what was signed');
    expect(known.text).toContain(`It is signed by the key that you gave (${testKey().fingerprint})`);
    expect(unknown.code).toBe(2);
    expect(unknown.text).toContain('It is signed by an unknown key');
  });

  it('names what was changed, also in the folder that it was unpacked to', async () => {
    const unpacked = join(folder, 'unpacked');
    for (const [path, bytes] of made) {
      await mkdir(dirname(join(unpacked, path)), { recursive: true });
      await writeFile(join(unpacked, path), bytes);
    }
    expect((await run('verify', unpacked, '--key', key)).code).toBe(0);

    const other = made.get('parts/1-picture.jpg')!.slice();
    other[4_000_000] = 0;
    await writeFile(join(unpacked, 'parts/1-picture.jpg'), other);
    await writeFile(join(unpacked, 'more.txt'), 'more');
    const { code, text } = await run('verify', unpacked, '--key', key);

    expect(code).toBe(1);
    expect(text).toContain('parts/1-picture.jpg was changed: block 4 of 5 (bytes 3145728 to 4194303) differs.');
    expect(text).toContain('more.txt was added');
    expect(text).toContain('The package does NOT hold, 2 differences');
  });

  it.each([
    [['verify'], 'Name one zip or folder'],
    [['prove', 'x'], 'Unknown command prove'],
    [['verify', join(folder, 'none.zip')], 'The package could not be read'],
    [['verify', key], 'This is no whole zip'],
    [['verify', zip, '--key', zip], 'The given key is no Ed25519 public key in PEM'],
    [['verify', zip, '--key', join(folder, 'none.pem')], 'The key could not be read'],
  ])('refuses %j with a sentence', async (args, sentence) => {
    await expect(run(...args)).rejects.toThrow(sentence);
  });
});
