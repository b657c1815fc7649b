import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** Folder of the programs from Debian's postgresql-15, to which postgresql-15-postgis-3 belongs. */
const BIN = '/usr/lib/postgresql/15/bin';
const POSTGIS = '/usr/share/postgresql/15/extension/postgis.control';
const SETTINGS = [
  ...['shared_buffers=512MB', 'work_mem=64MB', 'maintenance_work_mem=512MB', 'max_wal_size=4GB', 'jit=off'],
  'listen_addresses=',
];

/** Whether PostgreSQL 15 and PostGIS are installed. */
export const hasPostgis = (): boolean => existsSync(join(BIN, 'postgres')) && existsSync(POSTGIS);

/** Runs work with a separate cluster of Debian's PostgreSQL 15, for a database of the product with PostGIS in it. */
export async function withPostgis<Result>(work: (databaseUrl: string) => Promise<Result>): Promise<Result> {
  if (!hasPostgis()) {
    throw new Error("Debian's packages postgresql-15 and postgresql-15-postgis-3 are needed: apt install them");
  }
  const folder = mkdtempSync(join(tmpdir(), 'osprey-postgis-'));
  const owner = ownerOf(folder);
  const data = join(folder, 'data');
  execFileSync(join(BIN, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--locale=C.UTF-8', '-N', '-k'], {
    ...owner,
    cwd: folder,
    stdio: 'ignore',
  });
  const options = SETTINGS.flatMap((setting) => ['-c', setting]);
  const server = spawn(join(BIN, 'postgres'), ['-D', data, '-k', folder, ...options], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  try {
    // The product requires a password in the address; the socket lets its owner in without one.
    const password = randomBytes(12).toString('hex');
    const address = (name: string) => `postgres://postgres:${password}@${encodeURIComponent(folder)}:5432/${name}`;
    await untilReady(address('postgres'));
    const client = new pg.Client(address('postgres'));
    await client.connect();
    await client.query('create database osprey');
    await client.end();
    return await work(address('osprey'));
  } finally {
    await ended(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the user to run as, since PostgreSQL refuses to run as root. */
function ownerOf(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres']).toString())) as [
    number,
    number,
  ];
  chownSync(folder, uid, gid);
  return { uid, gid };
}

async function untilReady(databaseUrl: string): Promise<void> {
  for (let left = 100; ; left -= 1) {
    const client = new pg.Client(databaseUrl);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function ended(server: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  await exit;
}
