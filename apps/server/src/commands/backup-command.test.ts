import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { emptyDatabaseAt, testDatabaseAt } from '../../test/database.ts';
import { addMission } from '../../test/missions.ts';
import { writeSetting } from '../base/db/settings.ts';
import { folderStorage } from '../base/storage/folder.ts';

const COMMAND = resolve(import.meta.dirname, './backup.ts');
/** Where a server keeps what it has compiled. */
const COMPILED = resolve(import.meta.dirname, '../../../../node_modules/.cache/osprey');
const FIRST_ID = crypto.randomUUID();
const LARGE_BYTES = 24 * 1024 * 1024;
const PIECE = randomBytes(1024 * 1024);

let folder: string;
let from: { url: string; dataDir: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'osprey-kill-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const { db, url } = await testDatabaseAt();
  from = { url, dataDir: join(folder, 'data') };
  await addMission(db, { name: 'written before', classification: 3 });
  await writeSetting(db, 'installationId', FIRST_ID);
  const files = folderStorage({ root: join(from.dataDir, 'files') });
  for (let i = 0; i < 4; i++) await files.put(`originals/s/${i}.ts`, large(i));
});

function* large(first: number) {
  for (let size = 0; size < LARGE_BYTES; size += PIECE.length) yield Buffer.from(PIECE).fill(first + size, 0, 64);
}

function begin(args: string[], { url, dataDir }: { url: string; dataDir: string }): ChildProcess {
  const env = {
    ...{ PATH: process.env.PATH, OSPREY_DATA: dataDir, OSPREY_DATABASE_URL: url },
    // Six of them compile the same.
    NODE_COMPILE_CACHE: COMPILED,
  };
  return spawn(process.execPath, [COMMAND, ...args], { env });
}

function run(args: string[], where: { url: string; dataDir: string }): Promise<{ code: number | null; text: string }> {
  const child = begin(args, where);
  let text = '';
  child.stdout?.on('data', (part) => {
    text += part;
  });
  child.stderr?.on('data', (part) => {
    text += part;
  });
  return new Promise((done) => child.once('exit', (code) => done({ code, text })));
}

const backups = () => join(from.dataDir, 'backups');
const objects = async () => (await readdir(join(backups(), 'objects'), { recursive: true }).catch(() => [])).length;

describe('npm run backup', { timeout: 240_000 }, () => {
  it('killed with -9 in the middle leaves no backup; the next one is whole and restores to an empty machine', {
    tags: 'long',
  }, async () => {
    const killed = begin(['create'], from);
    const ended = new Promise((done) => killed.once('exit', done));
    // Killed in the middle: some files are complete, others are missing.
    await expect.poll(objects, { timeout: 120_000, interval: 5 }).toBeGreaterThan(1);
    killed.kill('SIGKILL');
    await ended;
    expect((await run(['list'], from)).text).toBe('There are no backups.\n');

    const made = await run(['create'], from);
    expect(made.text).toMatch(/^Backup \S+ is made and verified\.\n$/);
    expect((await run(['list'], from)).text).toMatch(/ 4 files .* verified /);
    expect(await readdir(join(backups(), 'incoming')).catch(() => [])).toEqual([]);

    const { db, url } = await emptyDatabaseAt();
    const to = { url, dataDir: join(folder, 'elsewhere') };
    await cp(backups(), join(folder, 'medium'), { recursive: true });
    await cp(join(from.dataDir, 'keys', 'backup.key'), join(folder, 'kept.key'));
    const place = ['--backup-dir', join(folder, 'medium'), '--backup-key-file', join(folder, 'kept.key')];
    const restored = await run(['restore', 'latest', ...place], to);
    expect(restored.text).toContain('Restored. Start the server: npm start');

    const missions = await db.selectFrom('missions').select(['name', 'classification']).execute();
    expect(missions).toEqual([{ name: 'written before', classification: 3 }]);
    for (let i = 0; i < 4; i++) {
      const path = join('files', 'originals', 's', `${i}.ts`);
      const [left, right] = await Promise.all([from, to].map(({ dataDir }) => readFile(join(dataDir, path))));
      expect(left!.equals(right!)).toBe(true);
    }
    // The restored installation has an id of its own, in a file and a row: the server starts with both or with neither.
    const setting = await db.selectFrom('settings').select('value').where('key', '=', 'installationId').execute();
    const id = (await readFile(join(to.dataDir, 'installation.id'), 'utf8')).trim();
    expect(setting).toEqual([{ value: id }]);
    expect(id).not.toBe(FIRST_ID);
    const again = await run(['restore', 'latest', ...place], to);
    expect(again).toMatchObject({ code: 1, text: expect.stringContaining('This installation is not empty') });
  });

  it('says what is wrong, and removes what it is asked to', { tags: 'long' }, async () => {
    expect((await run(['--help'], from)).text).toContain('npm run backup -- restore latest');
    expect((await run(['verify', 'none'], from)).text).toContain('There is no backup none in');
    expect((await run(['sing'], from)).text).toContain('Unknown command sing');
    expect((await run(['restore'], from)).text).toContain('Which backup?');

    expect((await run(['delete', 'latest'], from)).text).toMatch(/^Backup \S+ deleted\.\n$/);
    expect((await run(['list'], from)).text).toBe('There are no backups.\n');
    const left = await readdir(join(backups(), 'objects'), { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
  });
});
