import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { databaseRoot } from '../../../../../tools/test-support/memory-folder.ts';
import { atEnd } from '../../../test/cleanup.ts';
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
    const refused = `${file} does not hold the password that was made with this database`;
    await expect(startPostgres({ folder, settings })).rejects.toThrow(refused);
    await expect(runningPostgres(folder)).rejects.toThrow(refused);
  }
});

it('gives the database nothing of our environment that is a secret', async () => {
  const folder = await mkdtemp(join(databaseRoot(), 'osprey-environment-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  process.env.OSPREY_ADMIN_PASSWORD = 'a-secret-of-the-operator';
  atEnd(() => {
    delete process.env.OSPREY_ADMIN_PASSWORD;
  });
  const server = await startPostgres({ folder, settings });
  atEnd(server.stop);

  const pid = (await readFile(join(folder, 'cluster/postmaster.pid'), 'utf8')).split('\n')[0];
  const names = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').map((entry) => entry.split('=')[0]);

  expect(names).toContain('PATH');
  expect(names.filter((name) => /OSPREY|SECRET|PASSWORD|TOKEN|KEY/.test(name ?? ''))).toEqual([]);
});

/** A folder whose name ends with `rest`. */
async function folderWith(rest: string): Promise<string> {
  const made = await mkdtemp(join(databaseRoot(), 'osprey-reach-'));
  atEnd(() => rm(made, { recursive: true, force: true }));
  await chmod(made, 0o755);
  return join(made, rest);
}

async function ask(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select coalesce(host(inet_server_addr()), 'socket') as by, 1 as one");
  await client.end();
  return rows[0];
}

it('is reached by a socket in its folder and not over the network, and again so after an end', async () => {
  const folder = await folderWith('with, comma and "quotes"');
  const first = await startPostgres({ folder, settings });
  atEnd(first.stop);

  expect(first.reach).toEqual({ host: folder, port: 5432 });
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await ask(first.url('postgres'))).toEqual({ by: 'socket', one: 1 });
  expect((await runningPostgres(folder))?.('postgres')).toBe(first.url('postgres'));
  await first.stop();
  const again = await startPostgres({ folder, settings, reach: first.reach });
  atEnd(again.stop);
  expect(await ask(first.url('postgres'))).toEqual({ by: 'socket', one: 1 });
});

it.each([
  ['the name of its socket would be too long', 'a'.repeat(80), null],
  ['no socket can be made', 'data', '.s.PGSQL.5432.lock'],
])('is reached on the loopback where %s', async (_why, name, inTheWay) => {
  const folder = await folderWith(name);
  if (inTheWay !== null) await mkdir(join(folder, inTheWay), { recursive: true });
  const server = await startPostgres({ folder, settings });
  atEnd(server.stop);

  expect(server.reach.host).toBe('127.0.0.1');
  expect(await ask(server.url('postgres'))).toEqual({ by: '127.0.0.1', one: 1 });
  expect((await runningPostgres(folder))?.('postgres')).toBe(server.url('postgres'));
});
