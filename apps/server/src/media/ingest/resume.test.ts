import { execFile, execFileSync } from 'node:child_process';
import { openAsBlob, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Job, KlvHealth, Mission } from '@osprey/contract';
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
  'T-100 a worker killed in the middle of a file, or while its index is made again, reads it once more, and leaves nothing behind',
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
    await server.stop();
  },
  240_000,
);
