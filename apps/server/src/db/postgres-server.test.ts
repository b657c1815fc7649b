import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { databaseRoot } from '../../../../tools/test-support/memory-folder.ts';
import { atEnd } from '../../test/cleanup.ts';
import { runningPostgres, startPostgres } from './postgres-server.ts';

const settings = ['fsync=off'];

it('T-116 makes the password at random for its own account alone, and stops over one that is none, naming its file', async () => {
  const folder = await mkdtemp(join(databaseRoot(), 'osprey-password-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'password');
  const first = await startPostgres({ folder, settings });
  atEnd(first.stop);

  const made = await readFile(file, 'utf8');
  expect(made).toMatch(/^[0-9a-f]{48}$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  for (const text of [null, '', 'postgres']) {
    await (text === null ? rm(file) : writeFile(file, text));
    const refused = `${file} does not hold the password that was made with the database beside it`;
    await expect(startPostgres({ folder, settings })).rejects.toThrow(refused);
    await expect(runningPostgres(folder)).rejects.toThrow(refused);
  }
});
