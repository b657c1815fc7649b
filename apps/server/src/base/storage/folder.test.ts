import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { storageContract } from '../../../test/storage-contract.ts';
import { folderStorage } from './folder.ts';

const made: string[] = [];

async function freshRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'osprey-storage-'));
  made.push(root);
  return root;
}

afterAll(async () => {
  for (const root of made) await rm(root, { recursive: true, force: true });
});

/** The files that this process has open. */
async function openFiles(): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd');
  return Promise.all(numbers.map((number) => readlink(join('/proc/self/fd', number)).catch(() => '')));
}

storageContract('a folder', async () => folderStorage({ root: join(await freshRoot(), 'not/yet/there') }));

describe('folder storage', () => {
  it('does not follow a link, neither reading nor appending', async () => {
    const root = await freshRoot();
    const storage = folderStorage({ root });
    await storage.put('originals/a.ts', [Buffer.from('x')]);
    await symlink('/etc/passwd', join(root, 'originals/link.ts'));

    await expect(storage.open('originals/link.ts')).rejects.toMatchObject({ code: 'ELOOP' });
    await expect(storage.append('originals/link.ts')).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it('leaves no file open to a reader who goes while it is being opened', async () => {
    const storage = folderStorage({ root: await freshRoot() });
    await storage.put('originals/a.ts', [Buffer.alloc(1000)]);
    const read = storage.read('originals/a.ts');
    read.read(0);

    read.destroy();
    await once(read, 'close');
    // Work begun earlier is through once another file was read whole.
    for await (const _bytes of storage.read('originals/a.ts'));

    expect(await openFiles()).not.toContain(storage.path('originals/a.ts'));
  });

  it('sweeps what a crash left of a put, but not what is being written now', async () => {
    const root = await freshRoot();
    const storage = folderStorage({ root });
    await storage.put('originals/a.ts', []);
    const folder = join(root, '.temporary');
    await writeFile(join(folder, 'old'), 'half');
    await writeFile(join(folder, 'young'), 'half');
    await utimes(join(folder, 'old'), 1, 1);

    expect(await storage.sweep(3_600_000)).toBe(1);

    expect(await readdir(folder)).toEqual(['young']);
  });
});
