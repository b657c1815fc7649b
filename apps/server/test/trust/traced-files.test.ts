import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, it, vi } from 'vitest';
import { testData, testDataFolder } from '../../../../tools/test-support/test-data.ts';
import { databaseFolder } from '../../src/base/db/database-folder.ts';
import { disguised } from '../disguised.ts';
import { documentForm } from '../documents.ts';
import { dataFolder, type RunningServer, readyDataFolder } from '../running-server.ts';
import {
  authorization,
  createUpload,
  makeTarget,
  openJobs,
  patchUpload,
  recording,
  sensorOf,
  startWithAdmin,
  stateOf,
} from '../running-uploads.ts';
import { canTrace, openedFiles, systemCalls, tracedBy } from '../system-calls.ts';
import { zipOf } from '../zip-writer.ts';

const traces = canTrace && testDataFolder !== null;
const itTraces = it.skipIf(!traces);
const PROJECT = resolve(import.meta.dirname, '../../../..');
/** The programs that calls started. */
const startedOf = (calls: readonly string[]): string[] =>
  calls.flatMap((call) => /^execve(?:at)?\((?:[^"]*, )?"([^"]*)"/.exec(call)?.[1] ?? []);
/** Milliseconds to wait at the end for a connection that must not come. */
const LISTENED_MS = Number(process.env.OSPREY_LISTENED_SECONDS ?? 0) * 1000;

/** One server for all, whose files and connections are seen. */
// None if no test will run: the clean-up of such a file does not run.
const dataDir = traces ? await readyDataFolder() : '';
const trace = traces ? join(await dataFolder(), 'trace.txt') : '';
const start = () => startWithAdmin(dataDir, {}, { wrapper: tracedBy('%file,connect', trace) });
let server: RunningServer;
const ODD = ['a\0b', 'a/b', '..', '%2e%2e%2f', '🛰️', 'x'.repeat(300), '-i', 'CON', '../../../tmp/osprey-odd'];
/** One of this many is uploaded; all in a soak. */
const ODD_EVERY = Number(process.env.OSPREY_ODD_EVERY ?? 2);

beforeAll(async () => {
  if (traces) server = await start();
}, 120_000);

itTraces(
  'T-024 odd names are taken or refused, and no file outside of the data folder is opened for them',
  async () => {
    const atStart = systemCalls(trace).length;
    const headers = { authorization, 'content-type': 'application/json' };
    const ask = (path: string, init: RequestInit = {}) => fetch(`${server.address}${path}`, { headers, ...init });
    const bytes = new Uint8Array(recording());
    const odd = ODD.filter((_name, at) => at % ODD_EVERY === 0);
    const taken: string[] = [];
    const documents: string[] = [];
    const named = new Set<string>();
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#808080' } })
      .png()
      .toBuffer();

    for (const name of odd) {
      // Its title too, where that is taken.
      for (const title of [name, 'odd']) {
        const fields = { title, documentType: 'Note', audience: 'everyone', securityClassification: '1' };
        const form = documentForm(fields, { name: `${name}.png`, bytes: picture });
        const init = {
          method: 'POST',
          headers: { authorization, ...form.headers },
          body: new Uint8Array(form.payload),
        };
        const posted = await ask('/api/documents', init);
        expect([200, 400, 415], `${title} ${name}`).toContain(posted.status);
        if (posted.status !== 200) continue;
        documents.push(((await posted.json()) as { _id: string })._id);
        named.add(name);
        break;
      }
    }
    for (const name of odd) {
      const body = JSON.stringify({ name, audience: 'everyone', securityClassification: 1, sensors: [{ name }] });
      const created = await ask('/api/missions', { method: 'POST', body });
      expect([200, 400], name).toContain(created.status);
      if (created.status !== 200) continue;
      const made = (await created.json()) as { _id: string; sensors: { _id: string }[] };
      taken.push(made._id);
      const location = await createUpload(server, made.sensors[0]!._id, { size: bytes.byteLength, name: `${name}.ts` });
      expect((await patchUpload(server, location, 0, bytes)).status).toBe(204);
    }
    await vi.waitFor(
      async () => {
        expect(new Set(await Promise.all(taken.map((id) => stateOf(server, id))))).toEqual(new Set(['Ready']));
        expect(await openJobs(server)).toEqual([]);
      },
      { timeout: 120_000, interval: 200 },
    );
    for (const name of odd) {
      const address = encodeURIComponent(name);
      for (const path of [
        `/api/missions/${address}`,
        `/api/sensors?missionIdOrName=${address}`,
        `/api/missions/area/${address}`,
        `/videos/${address}/${address}`,
        `/videos/${address}/${encodeURIComponent('../../x')}.jpg`,
        `/documents/${address}`,
        `/help/${address}`,
        `/assets/${address}`,
      ]) {
        expect((await ask(path)).status, path).toBeLessThan(500);
      }
    }
    for (const id of taken) {
      const { thumbnail } = await sensorOf(server, id);
      expect((await ask(thumbnail ?? '')).status).toBe(200);
    }
    for (const id of documents) {
      const state = async () => ((await (await ask(`/api/documents/${id}`)).json()) as { state: string }).state;
      await expect.poll(state, { timeout: 120_000, interval: 200 }).toBe('Ready');
      for (const path of [`/documents/${id}.webp`, `/api/documents/${id}/content`, `/api/documents/${id}/pages/1`]) {
        expect([path, (await ask(path)).status]).toEqual([path, 200]);
      }
      expect((await ask(`/api/documents/${id}`, { method: 'DELETE' })).status).toBe(200);
    }
    const removed = await ask('/api/missions', { method: 'DELETE', body: JSON.stringify({ missions: taken }) });
    expect(removed.status).toBe(200);

    const calls = systemCalls(trace).slice(atStart);
    // Accesses that T-053 must not see.
    expect(startedOf(calls).some((program) => program.endsWith('/ffmpeg'))).toBe(true);
    const opened = openedFiles(calls);
    expect(taken.length).toBeGreaterThan(odd.length / 3);
    expect(odd.filter((name) => !named.has(name))).toEqual(['a\0b']);
    const own = [dataDir, databaseFolder({ dataDir, databaseDir: null })];
    const isUnder = (folders: readonly string[]) => (path: string) =>
      folders.some((folder) => path === folder || path.startsWith(`${folder === '/' ? '' : folder}/`));
    // The trace did see files: the recordings themselves are among them.
    for (const folder of ['files/originals', 'files/documents']) {
      expect(opened.some(({ path }) => path.startsWith(join(dataDir, folder)))).toBe(true);
    }
    const outside = opened.filter(({ path }) => !isUnder(own)(path));
    // The programs themselves, and what they ask the system.
    const system = ['/usr', '/lib', '/lib64', '/etc', '/proc', '/sys', '/dev'];
    // The root that a decoder's sandbox makes for itself, which is invisible outside.
    const sandbox = ['/newroot', '/oldroot'];
    const programs = [PROJECT, dirname(process.execPath), ...system, ...sandbox];
    // The reader of documents is a module: Node looks upward for the package that it belongs to.
    const isPackageAbove = (path: string) => path.endsWith('/package.json') && isUnder([dirname(path)])(PROJECT);
    const strange = outside.filter(({ path, flags }) => {
      if (path === '/' && flags.includes('O_DIRECTORY')) return false;
      if (isPackageAbove(path) && flags.includes('RDONLY')) return false;
      const isWritten = /WRONLY|RDWR|CREAT/.test(flags);
      const mayWrite = ['/dev', '/proc', '/tmp', ...sandbox, join(PROJECT, 'node_modules/.cache')];
      return !isUnder(isWritten ? mayWrite : [...programs, ...mayWrite])(path);
    });
    expect(strange).toEqual([]);
    expect(outside.filter(({ path }) => /osprey-odd|%2e|\\360\\237|x{200}/.test(path))).toEqual([]);
  },
  300_000,
);

itTraces('T-053 no decoder and no other program is started for what is only named .ts', async () => {
  const atStart = systemCalls(trace).length;
  const { sensorId } = await makeTarget(server);
  const retained = () => readdirSync(join(dataDir, 'files'), { recursive: true }).length;
  const before = retained();

  for (const [what, bytes] of Object.entries(disguised)) {
    const location = await createUpload(server, sensorId, { size: bytes.byteLength });
    expect([what, (await patchUpload(server, location, 0, new Uint8Array(bytes))).status]).toEqual([what, 415]);
  }

  expect(await openJobs(server)).toEqual([]);
  expect(retained()).toBe(before);
  expect(startedOf(systemCalls(trace).slice(atStart))).toEqual([]);
});

itTraces(
  'T-054 a playlist that names files and addresses of elsewhere is refused, alone and in a zip, and none is asked',
  async () => {
    const outside = await dataFolder();
    mkdirSync(join(outside, 'secret'));
    const secret = join(outside, 'secret/secret.ts');
    copyFileSync(testData('ts/osh/sample-stream.ts'), secret);
    let connections = 0;
    const listener = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
    const { port } = listener.address() as AddressInfo;
    const list = (address: string) => Buffer.from(`#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${address}\n`);
    const refused: string[] = [];

    for (const address of [`file://${secret}`, `http://127.0.0.1:${port}/x.ts`, secret, `//127.0.0.1:${port}/x.ts`]) {
      for (const name of ['list.m3u8', 'flight.ts', 'flight.zip']) {
        const { sensorId } = await makeTarget(server);
        const body = list(address);
        const location = await createUpload(server, sensorId, { size: body.byteLength, name });
        const { status } = await patchUpload(server, location, 0, body);
        expect([name, status]).toEqual([name, 415]);
      }
      for (const entries of [
        [{ name: 'index.m3u8', data: list(address) }],
        [
          { name: 'index.m3u8', data: list('inner.m3u8') },
          { name: 'inner.m3u8', data: list(address) },
        ],
        [
          { name: 'index.m3u8', data: list('s.ts') },
          { name: 's.ts', data: list(address) },
        ],
      ]) {
        const { missionId, sensorId } = await makeTarget(server);
        const zip = zipOf(entries);
        const location = await createUpload(server, sensorId, { size: zip.byteLength, name: 'flight.zip' });
        const sent = await patchUpload(server, location, 0, new Uint8Array(zip));
        // At the door, or by the job that looks inside.
        if (sent.status !== 204) expect([415, 422]).toContain(sent.status);
        else refused.push(missionId);
      }
    }
    for (const id of refused) {
      await vi.waitFor(
        async () => {
          expect(await stateOf(server, id)).toBe('Stopped');
          expect((await sensorOf(server, id)).assets).toEqual([]);
        },
        { timeout: 120_000 },
      );
    }
    expect(refused.length).toBeGreaterThan(0);
    if (LISTENED_MS > 0) await new Promise((done) => setTimeout(done, LISTENED_MS));

    await server.stop();
    listener.close();
    const all = systemCalls(trace);
    expect(connections).toBe(0);
    expect(all.filter((call) => call.includes(outside))).toEqual([]);
    expect(all.filter((call) => call.startsWith('connect(') && call.includes(`htons(${port})`))).toEqual([]);
    // The trace did see connections: that of the worker to the database is among them.
    expect(all.some((call) => call.startsWith('connect('))).toBe(true);
  },
  300_000,
);
