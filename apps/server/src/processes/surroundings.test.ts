import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Mission } from '@osprey/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { testData, testDataFolder } from '../../../../tools/test-support/test-data.ts';
import { atEnd } from '../../test/cleanup.ts';
import { dataFolder, type RunningServer, readyDataFolder, runToEnd, startServer } from '../../test/running-server.ts';
import { basicOf, testServer } from '../../test/server.ts';
import { readConfig } from '../base/config/config.ts';
import { addressWith, connect } from '../base/db/connect.ts';
import { startPostgres } from '../base/db/postgres-server.ts';
import { passwordHashes } from '../features/identity/password-hashes.ts';
import { reachDatabase } from './reach-database.ts';

// Whole servers are started here, several of them one after the other.
vi.setConfig({ testTimeout: 120_000 });

const password = 'correct horse battery';
const databasePassword = 'shearwater-at-dusk';
const admin = { authorization: basicOf('admin', password) };
const ROOT = resolve(import.meta.dirname, '../../../..');

type Check = { name: string; state: string; text: string };

async function checksOf({ address }: RunningServer): Promise<Check[]> {
  const answer = await fetch(`${address}/api/health`, { headers: admin });
  return ((await answer.json()) as { checks: Check[] }).checks;
}

describe('with a proxy', () => {
  it('believes X-Forwarded-For and X-Forwarded-Proto of the declared proxy', async () => {
    const server = await testServer({ config: { trustedProxies: ['127.0.0.1'] } });
    const password_hash = await passwordHashes({ nowMs: () => performance.now() }).hash(password);
    await server.db.updateTable('users').set({ password_hash }).where('username', '=', 'U1').execute();
    const address = await server.listen();
    const ask = async (forwarded: Record<string, string>) => {
      const headers = { authorization: basicOf('U1', password), ...forwarded };
      const answer = await fetch(`${address}/api/info`, { headers });
      return { status: answer.status, ...((await answer.json()) as { clientIp?: string; code?: string }) };
    };

    const overTls = await ask({ 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' });
    // A password that came to the proxy without TLS was open on the way.
    const inTheClear = await ask({ 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http' });
    const forged = await ask({ 'x-forwarded-for': '198.51.100.1, 203.0.113.7', 'x-forwarded-proto': 'https' });

    expect(overTls).toMatchObject({ status: 200, clientIp: '203.0.113.7', useReverseProxy: true });
    expect(inTheClear).toMatchObject({ status: 400, code: 'plainHttp' });
    expect(forged.clientIp).toBe('203.0.113.7');
  });

  it('believes no proxy if none is declared, or another one is', async () => {
    for (const trustedProxies of [[], ['203.0.113.1']]) {
      const server = await testServer({ config: { trustedProxies } });
      const forwarded = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
      const headers = { ...server.headersOf('SA'), ...forwarded };

      const answer = await fetch(`${await server.listen()}/api/info`, { headers });

      expect(await answer.json()).toMatchObject({ clientIp: '127.0.0.1' });
    }
  });
});

describe('with a database elsewhere', () => {
  it('works with one account, and makes a second where it may: health says which', { tags: 'long' }, async () => {
    const folder = join(tmpdir(), `osprey-external-${process.pid}`);
    const cluster = await startPostgres({ folder });
    atEnd(async () => {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    });
    const maintenance = connect({ url: cluster.url('postgres'), max: 1 });
    for (const [name, rights] of [
      ['plain', ''],
      ['maker', 'createrole'],
    ] as const) {
      await sql.raw(`create role ${name} login password '${databasePassword}' ${rights}`).execute(maintenance);
      await sql.raw(`create database ${name} owner ${name}`).execute(maintenance);
      const url = addressWith(cluster.url(name), { user: name, password: databasePassword });
      const dataDir = await dataFolder();
      const env = { OSPREY_ADMIN_PASSWORD: password, OSPREY_DATABASE_URL: url };

      const first = await startServer(dataDir, env);
      const audit = (await checksOf(first)).find((check) => check.name === 'audit');
      await first.stop();
      const again = await startServer(dataDir, env);
      const answer = await fetch(`${again.address}/api/users`, { headers: admin });
      await again.stop();

      const expected = rights === '' ? ['warning', 'one role'] : ['ok', 'Append-only.'];
      expect(audit, name).toMatchObject({ state: expected[0], text: expect.stringContaining(expected[1]!) });
      expect(answer.status).toBe(200);
      expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    }
    await maintenance.destroy();
  });
});

/** Tests that need root, which CI has; elsewhere the whole run is by an ordinary account. */
const asRoot = (reason: string) => {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) process.stderr.write(`skipped: ${reason}\n`);
  return isRoot ? it : it.skip;
};

/** An account without rights that every Linux has. */
const NOBODY = { uid: 65_534, gid: 65_534 };

function isCheckoutReadable(): boolean {
  const isReadable = spawnSync('test', ['-r', join(ROOT, 'node_modules/.bin')], NOBODY).status === 0;
  if (!isReadable) process.stderr.write(`skipped: another account cannot read ${ROOT}\n`);
  return isReadable;
}

describe('by an ordinary account', () => {
  asRoot('this run is by an ordinary account itself')('starts with its database in the data folder', async () => {
    if (!isCheckoutReadable()) return;
    const dataDir = await dataFolder();
    await chown(dataDir, NOBODY.uid, NOBODY.gid);

    const server = await startServer(dataDir, { OSPREY_ADMIN_PASSWORD: password }, { account: NOBODY });

    expect((await fetch(`${server.address}/api/users`, { headers: admin })).status).toBe(200);
    expect(server.output()).not.toContain('The database lies in');
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(NOBODY.uid);
    expect((await stat(join(dataDir, 'keys/audit/signing.pem'))).mode & 0o777).toBe(0o600);
    expect((await server.stop()).code).toBe(0);
  });
});

describe('as root', () => {
  asRoot('this run is by an ordinary account')(
    'leaves what an ordinary account has begun to that account',
    { tags: 'long' },
    async () => {
      if (!isCheckoutReadable()) return;
      const dataDir = await dataFolder();
      await chown(dataDir, NOBODY.uid, NOBODY.gid);
      const first = await startServer(dataDir, { OSPREY_ADMIN_PASSWORD: password }, { account: NOBODY });
      await first.stop();

      const refused = await runToEnd([], { OSPREY_DATA: dataDir, OSPREY_PORT: '0' });
      const { url, leave } = await reachDatabase({ ...readConfig({}), dataDir });
      const db = connect({ url, max: 1 });
      const users = await db.selectFrom('users').select('username').where('role', '=', 'superAdmin').execute();
      await db.destroy();
      await leave();
      const again = await startServer(dataDir, {}, { account: NOBODY });

      expect(refused).toEqual({ code: 1, output: expect.stringContaining('Start the server with that account.\n') });
      // A command of root works with that account's database, and takes nothing away from it.
      expect(users).toEqual([{ username: 'admin' }]);
      expect((await fetch(`${again.address}/api/users`, { headers: admin })).status).toBe(200);
      expect((await again.stop()).code).toBe(0);
    },
  );

  asRoot('this run is by an ordinary account')(
    'keeps its database elsewhere only where it must, and says so',
    { tags: 'long' },
    async () => {
      const [open, closed] = [await dataFolder(), await dataFolder()];
      await chmod(closed, 0o700);

      const inside = await startServer(open, { OSPREY_ADMIN_PASSWORD: password });
      const outside = await startServer(closed, { OSPREY_ADMIN_PASSWORD: password });

      expect(inside.output()).not.toContain('The database lies in');
      expect(existsSync(join(open, 'postgres/cluster'))).toBe(true);
      expect(outside.output()).toMatch(/^The database lies in \/var\/lib\/osprey\/[0-9a-f]{16}\.$/m);
      expect(outside.output()).toContain(`PostgreSQL, which does not run as root, cannot reach ${closed}.`);
      expect(existsSync(join(closed, 'postgres'))).toBe(false);
      for (const server of [inside, outside]) expect((await server.stop()).code).toBe(0);
    },
  );
});

describe('without ffmpeg', () => {
  asRoot('only root can hide ffmpeg from one program')('starts, says so, and plays what needs none', async () => {
    // In this server's mount namespace, ffmpeg's path is /dev/null, which cannot be run.
    const hide = 'mount --bind /dev/null /usr/bin/ffmpeg && exec "$0" "$@"';
    const wrapper = ['unshare', '-m', '--propagation', 'private', 'sh', '-c', hide];
    if (testDataFolder === null || spawnSync(wrapper[0]!, [...wrapper.slice(1), 'true']).status !== 0) {
      process.stderr.write('skipped: there are no recordings, or this machine lets nobody mount\n');
      return;
    }
    const server = await startServer(await readyDataFolder(), { OSPREY_ADMIN_PASSWORD: password }, { wrapper });
    const call = async (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
      (await fetch(`${server.address}/api${path}`, { method: 'POST', headers: { ...admin, ...headers }, body })).json();
    const mission = async () =>
      (await (await fetch(`${server.address}/api/missions/Bare`, { headers: admin })).json()) as Mission;

    const ffmpeg = (await checksOf(server)).find(({ name }) => name === 'ffmpeg');
    expect(ffmpeg).toMatchObject({ state: 'warning', text: expect.stringContaining('ffmpeg is missing') });
    const requested = { name: 'Bare', sensors: [{ name: 'EO' }], securityClassification: 1, audience: 'everyone' };
    await call('/missions', JSON.stringify(requested), { 'content-type': 'application/json' });
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(readFileSync(testData('ts/osh/sample-stream.ts')))]), 'flight.ts');
    await call('/missions/upload/Bare/EO', form);

    await expect.poll(async () => (await mission()).state, { interval: 200 }).toBe('Ready');
    const { url } = (await mission()).sensors[0]!.hlsProps!;
    const playlist = await fetch(`${server.address}${url}`, { headers: admin });
    expect(await playlist.text()).toContain('#EXTM3U');
    expect((await server.stop()).code).toBe(0);
  });
});
