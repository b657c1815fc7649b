import { mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderStorage } from './folder.ts';
import { storageContract } from './storage.contract-test.ts';

const made: string[] = [];

async function freshRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'osprey-storage-'));
  made.push(root);
  return root;
}

afterAll(async () => {
  for (const root of made) await rm(root, { recursive: true, force: true });
});

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
