import { randomInt } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  getUpdates,
  type LivePlatform,
  type PlatformControlled,
  PRODUCT_VERSION,
  type Updates,
} from '@osprey/contract';
import { expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { freePort } from '../../../../tools/test-support/free-port.ts';
import { sendPaced } from '../../../../tools/test-support/paced-sender.ts';
import { ADMIN_PASSWORD, adminHeaders, callsOf } from '../../test/admin-calls.ts';
import { atEnd } from '../../test/cleanup.ts';
import { expectCompleteRecording } from '../../test/complete-recording.ts';
import { flightBytes } from '../../test/flight.ts';
import { openPlatform } from '../../test/platforms.ts';
import { dataFolder, type RunningServer, readyDataFolder, startServer } from '../../test/running-server.ts';
import { tinyRelease, type UpdateFolder, updateFolder } from '../../test/updates.ts';
import { type Component, componentsOf } from '../commands/bill-of-materials.ts';
import { releaseTree } from '../commands/release-tree.ts';
import type { Packed } from '../features/updates/pack.ts';
import { completeRelease, readPointer, releasesFolder } from '../features/updates/pointer.ts';

vi.setConfig({ testTimeout: 400_000 });

const NEXT = '99.0.0';
const KILLS = 5;
const headers = adminHeaders;

const tiny = (main: string): Packed[] => [
  { path: 'dist/server/main.js', bytes: Buffer.from(main) },
  // Enough to be killed in the middle of.
  ...Array.from({ length: 400 }, (_, at) => ({
    path: `node_modules/part${at}/index.js`,
    bytes: Buffer.alloc(20_000, at),
  })),
];

const envOf = ({ folder, keyFile }: UpdateFolder) => ({
  OSPREY_ADMIN_PASSWORD: ADMIN_PASSWORD,
  OSPREY_UPDATE_DIR: folder,
  OSPREY_UPDATE_KEY: keyFile,
});

const update = (server: RunningServer, version = NEXT) =>
  fetch(new URL(`/api/update?version=${version}`, server.address), { method: 'POST', headers });

async function updatesOf(address: string): Promise<Updates> {
  const answer = await fetch(new URL('/api/updates', address), { headers });
  return (getUpdates.answer as z.ZodType<Updates>).parse(await answer.json());
}

/** Address that the server said last: a free port is another one after a switch. */
const lastAddress = ({ output }: RunningServer): string =>
  [...output().matchAll(/Osprey is ready: (\S+)/g)].at(-1)?.[1] ?? '';

it('T-112 comes back as the old version where the new one is not healthy, and says so', { tags: 'long' }, async () => {
  const site = await updateFolder();
  await site.pack(NEXT, { entries: tiny('process.exit(3);') });
  const dataDir = await readyDataFolder();
  const server = await startServer(dataDir, envOf(site));

  const answer = await update(server);

  expect(await answer.json()).toEqual({
    message: `Server will be updated from version ${PRODUCT_VERSION} to ${NEXT}.`,
  });
  const found = await vi.waitFor(
    async () => {
      const { last } = await updatesOf(lastAddress(server));
      expect(last).not.toBeNull();
      return last!;
    },
    { timeout: 120_000, interval: 500 },
  );
  expect(found).toMatchObject({ result: 'rolledBack', from: PRODUCT_VERSION, version: NEXT, restored: null });
  expect(found.reason).toBe('It ended before it was healthy, with code 3.');
  const rows = await vi.waitFor(
    async () => {
      const asked = await fetch(new URL('/api/activity', lastAddress(server)), { headers });
      const text = await asked.text();
      expect(text).toContain('server.rolledBack');
      return text;
    },
    { timeout: 30_000, interval: 500 },
  );
  expect(rows).toContain('server.update"');
  const backups = await fetch(new URL('/api/backups', lastAddress(server)), { headers });
  expect(await backups.json()).toMatchObject([{ origin: 'migration' }]);
  expect((await server.stop()).code).toBe(0);
});

it('T-112 is the old or the new version after kill -9 at any moment of an update', { tags: 'long' }, async () => {
  const site = await updateFolder();
  await site.pack(NEXT, { entries: tiny(tinyRelease(NEXT)) });
  const seen: string[] = [];
  for (let n = 0; n < KILLS; n += 1) {
    const dataDir = await readyDataFolder();
    const server = await startServer(dataDir, envOf(site));
    expect((await update(server)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, n * 100 + randomInt(300)));
    server.process.kill('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 500));

    const again = await startServer(dataDir, envOf(site));

    const info = await fetch(new URL('/api/info', again.address));
    const { serverVer } = (await info.json()) as { serverVer: string };
    expect<string[]>([PRODUCT_VERSION, NEXT]).toContain(serverVer);
    const pointer = await readPointer(dataDir);
    if (serverVer === NEXT) expect(await completeRelease(dataDir, NEXT)).not.toBeNull();
    else expect(pointer?.version ?? null).toBeNull();
    const folders = await readdir(releasesFolder(dataDir)).catch((): string[] => []);
    if (folders.includes(NEXT)) expect(await completeRelease(dataDir, NEXT)).not.toBeNull();
    seen.push(serverVer);
    await again.stop();
  }
  process.stdout.write(`T-112: after kill -9 at ${KILLS} moments of an update: ${seen.join(', ')}\n`);
});

it('T-112 goes on as the new version, over a restart too', { tags: 'long' }, async () => {
  const site = await updateFolder();
  await site.pack(NEXT, { entries: tiny(tinyRelease(NEXT)) });
  const dataDir = await readyDataFolder();
  const server = await startServer(dataDir, envOf(site));

  expect((await update(server)).status).toBe(200);

  await vi.waitFor(async () => expect((await readPointer(dataDir))?.last?.result).toBe('done'), {
    timeout: 120_000,
    interval: 200,
  });
  const versionAt = async (address: string) => (await (await fetch(new URL('/api/info', address))).json()) as object;
  expect(await versionAt(lastAddress(server))).toEqual({ serverVer: NEXT });
  expect((await server.stop()).code).toBe(0);
  const again = await startServer(dataDir, envOf(site));
  expect(await versionAt(again.address)).toEqual({ serverVer: NEXT });
  expect((await again.stop()).code).toBe(0);
});

const root = resolve(import.meta.dirname, '../../../..');
const LATER = '0.99.0';
/** Below the ports that the kernel hands out. */
const UDP_PORT = 24_900 + (process.pid % 90);

/** This checkout as it is built, under a later version. */
async function* laterRelease(components: readonly Component[]): AsyncGenerator<Packed> {
  for await (const entry of releaseTree(root, components)) {
    const isCode = 'from' in entry && /^dist\/server\/.*\.js$/.test(entry.path);
    const text = isCode ? await readFile(entry.from, 'utf8') : '';
    // The bundler has written the version into each file that uses it.
    const later = text.replaceAll(`"${PRODUCT_VERSION}"`, `"${LATER}"`);
    yield later === text ? entry : { path: entry.path, bytes: Buffer.from(later) };
  }
}

it('T-113 runs a whole release of this checkout, with the packages of its bill, and never stops a recording', {
  tags: 'long',
}, async () => {
  const site = await updateFolder();
  const components = await componentsOf(root);
  await site.pack(LATER, { entries: laterRelease(components) });
  const dataDir = await dataFolder(tmpdir());
  const server = await startServer(dataDir, { ...envOf(site), OSPREY_PORT: String(await freePort()) });
  const { ask } = callsOf(server);
  const form = new FormData();
  form.append('platforms', new Blob([openPlatform({ EO: UDP_PORT })]), 'platforms.yml');
  await ask('upload/platformsConfig', form);
  const bytes = flightBytes({ seconds: 20, bitsPerSecond: 2e6 });
  const sender = await sendPaced({ bytes, port: UDP_PORT, rounds: 1000 });
  atEnd(() => sender.stop());
  const command = (name: string, more = {}) =>
    ask<PlatformControlled>(`platforms/control?command=${name}`, { platformName: 'KEA-1', ...more });
  const recorded = (await command('start', { record: true })).mission!._id;
  await expect.poll(async () => (await ask<LivePlatform[]>('platforms'))[0]?.sizeBytes).toBeGreaterThan(0);

  expect((await update(server, LATER)).status).toBe(200);

  await vi.waitFor(async () => expect((await readPointer(dataDir))?.last).toBeTruthy(), {
    timeout: 240_000,
    interval: 500,
  });
  expect((await readPointer(dataDir))?.last).toMatchObject({ result: 'done', version: LATER });
  expect(await updatesOf(server.address)).toMatchObject({ installed: LATER, packages: [], last: { result: 'done' } });
  const page = await fetch(new URL('/', server.address));
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await componentsOf(join(releasesFolder(dataDir), LATER))).toEqual(components);
  await command('stop');
  await expectCompleteRecording({ ask }, recorded);
  expect((await server.stop()).code).toBe(0);
});
