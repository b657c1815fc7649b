import { execFile, execFileSync } from 'node:child_process';
import { openAsBlob, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ExportTask, Job, KlvHealth, Mission, SensorTimeline } from '@osprey/contract';
import { afterAll, expect } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { readyDataFolder, startServer } from '../../../test/running-server.ts';

const PASSWORD = 'resume-after-the-kill-1';
const REINDEX = resolve(import.meta.dirname, '../../commands/reindex.ts');
const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'osprey-resume-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The process of a role among the children of the server. */
function processOf(parent: number, role: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isChild = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(parent);
      if (isChild && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`OSPREY_ROLES=${role}\0`))
        return Number(pid);
    } catch {
      // The process ended while it was looked at.
    }
  }
  throw new Error(`No process of role ${role}`);
}

itWithData(
  'T-100 a worker killed in the middle of a file, of its index that is made again, or of an export, goes on, and leaves nothing behind',
  async () => {
    const path = join(folder, 'long.ts');
    const source = testData('ts/osh/sample-stream.ts');
    execFileSync('python3', [testData('tools/make_big.py'), source, path, '--mb', '100']);
    const dataDir = await readyDataFolder();
    const server = await startServer(dataDir, { OSPREY_ADMIN_PASSWORD: PASSWORD });
    const headers = { authorization: `Basic ${btoa(`admin:${PASSWORD}`)}` };
    const call = async <T>(url: string, options: RequestInit = {}) => {
      const answer = await fetch(`${server.address}/api${url}`, {
        ...options,
        headers: { ...headers, ...options.headers },
      });
      if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    };
    await call('/missions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Long', securityClassification: 'UNCLASSIFIED' }),
    });
    const form = new FormData();
    form.set('file', await openAsBlob(path), 'long.ts');
    const uploaded = call('/missions/upload/Long/EO%2FIR', { method: 'POST', body: form });

    const isReading = async () =>
      (await call<Job[]>('/jobs')).some(({ kind, state }) => kind === 'ingest' && state === 'running');
    const mission = () => call<Mission>('/missions/Long');
    const indexes = async () => readdir(join(dataDir, 'files', 'indexes', (await mission()).sensors[0]!._id));
    async function expectWhole(): Promise<number> {
      const health = await call<KlvHealth>('/sensors/klv-health/Long/EO%2FIR');
      expect(health.checksum).toMatchObject({ bad: 0 });
      expect(health.sets % 277).toBe(0);
      expect((await mission()).sensors[0]!.assets).toHaveLength(1);
      expect((await indexes()).filter((name) => name.endsWith('.telemetry'))).toHaveLength(1);
      return health.sets;
    }
    async function killWorker(): Promise<void> {
      await expect.poll(isReading, { interval: 5 }).toBe(true);
      process.kill(processOf(server.process.pid!, 'worker'), 'SIGKILL');
      // The worker was killed before it had read all of the file.
      expect(await isReading()).toBe(true);
    }

    await uploaded;
    await killWorker();
    await expect.poll(async () => (await mission()).state, { timeout: 120_000, interval: 250 }).toBe('Ready');
    const sets = await expectWhole();

    await run(process.execPath, [REINDEX, 'Long'], { env: { PATH: process.env.PATH, OSPREY_DATA: dataDir } });
    await killWorker();
    // The earlier index is used until the new one is complete.
    expect(await expectWhole()).toBe(sets);
    await expect
      .poll(async () => (await indexes()).filter((name) => name.endsWith('.again')), {
        timeout: 120_000,
        interval: 250,
      })
      .toEqual([]);
    await expect.poll(isReading, { timeout: 60_000, interval: 250 }).toBe(false);
    expect(await expectWhole()).toBe(sets);
    expect((await mission()).state).toBe('Ready');

    const { runs } = await call<SensorTimeline>('/sensors/timeline/Long/EO%2FIR');
    const last = runs.at(-1)!;
    const { id } = await call<{ id: string }>('/sensors/exportVideo/Long/EO%2FIR', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        markIn: '0',
        markOut: String(last.playlistStart + last.durationSeconds),
        allSensors: true,
      }),
    });
    const exports = join(dataDir, 'files', 'exports');
    const making = join(exports, `${id}.making`);
    const isWritten = async () => ((await stat(making).catch(() => null))?.size ?? 0) > 1_000_000;
    await expect.poll(isWritten, { timeout: 60_000, interval: 2 }).toBe(true);
    process.kill(processOf(server.process.pid!, 'worker'), 'SIGKILL');
    expect(await readdir(exports)).not.toContain(`${id}.zip`);
    const listed = async () => (await call<ExportTask[]>('/exports')).find(({ _id }) => _id === id);
    await expect.poll(async () => (await listed())?.state, { timeout: 120_000, interval: 250 }).toBe('done');
    const zip = join(folder, 'clips.zip');
    const answer = await fetch(`${server.address}/api/exports/${id}`, { headers });
    await writeFile(zip, Buffer.from(await answer.arrayBuffer()));
    execFileSync('unzip', ['-tq', zip]);
    expect(statSync(zip).size).toBeGreaterThan(50_000_000);
    expect(await readdir(exports)).toEqual([`${id}.zip`]);
    await server.stop();
  },
  420_000,
);
