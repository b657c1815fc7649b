import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { mainScript } from '../../../../tools/test-support/product.ts';
import { childrenOf, commandOf, isAlive } from '../../test/processes.ts';
import { dataFolder, readyDataFolder, runToEnd, startServer } from '../../test/running-server.ts';
import { basicOf } from '../../test/server.ts';

// Whole servers are started here, several of them one after the other.
vi.setConfig({ testTimeout: 120_000 });

const password = 'correct horse battery';
const admin = { authorization: basicOf('admin', password) };

describe('npm start', () => {
  it('lists every option with its variable on --help', async () => {
    const { code, output } = await runToEnd(['--help']);

    expect(code).toBe(0);
    for (const name of [
      'HOST',
      'PORT',
      'DATA',
      'DATABASE_URL',
      'TLS_CERT',
      'TLS_KEY',
      'TRUSTED_PROXY',
      'ADMIN_PASSWORD',
    ]) {
      expect(output).toContain(`OSPREY_${name}`);
    }
    expect(output).toContain('--tls-self-signed');
  });

  it('keeps what it has compiled for the next start', async () => {
    const reported = [
      "import { getCompileCacheDir } from 'node:module'",
      "process.on('exit', () => console.log('%s\\n%s', process.env.NODE_COMPILE_CACHE, getCompileCacheDir()))",
    ].join(';');
    const { output } = await runToEnd(['--help'], {
      NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(reported)}"`,
    });

    const [forChildren, folder] = output.trimEnd().split('\n').slice(-2) as [string, string];
    expect(forChildren).toMatch(/node_modules\/\.cache\/osprey$/);
    expect(folder.startsWith(`${forChildren}/`)).toBe(true);
    expect(await readdir(folder)).not.toEqual([]);
  });

  it('ends with a sentence where a value is not allowed', async () => {
    const { code, output } = await runToEnd(['--port', '99999']);

    expect(code).toBe(1);
    expect(output).toBe('--port is "99999"; allowed is a number from 0 to 65535.\n');
  });
});

describe('a running server', () => {
  it('T-001 answers only set-up and health before it is set up, and takes no wrong code', async () => {
    const dataDir = await readyDataFolder();
    const server = await startServer(dataDir);
    const call = (path: string, init: RequestInit = {}) => fetch(`${server.address}${path}`, init);
    const setup = (code: string) =>
      call('/api/setup', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code, username: 'admin', password }),
      });

    for (const path of [
      '/api/info',
      '/api/missions/brief',
      '/api/users/exists/x',
      `/videos/x/${crypto.randomUUID()}.jpg`,
    ]) {
      const answer = await call(path, { headers: admin });
      expect([path, answer.status, ((await answer.json()) as { text: string }).text]).toEqual([
        path,
        503,
        'not set up',
      ]);
    }
    expect(await (await call('/api/health')).json()).toEqual({ status: 'up' });
    expect(await (await call('/api/setup')).json()).toMatchObject({ needed: true, passwordMin: 8 });

    const answers: number[] = [];
    for (let i = 0; i < 10; i++) answers.push((await setup(`WRONG-${i}`)).status);
    expect(answers).toEqual([403, 403, 403, 403, 403, 429, 429, 429, 429, 429]);
    expect((await setup(server.setupCode ?? '')).status).toBe(429);
    expect((await call('/api/info')).status).toBe(503);
    await server.stop();
  });

  it('starts fast again with what it had, after SIGTERM and after kill -9', async () => {
    const dataDir = await dataFolder();
    const first = await startServer(dataDir, { OSPREY_ADMIN_PASSWORD: password });
    expect(first.setupCode).toBeNull();
    const made = await fetch(`${first.address}/api/usergroups`, {
      method: 'POST',
      headers: { ...admin, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Kept' }),
    });
    expect(made.status).toBe(200);
    const other = await runToEnd([], { OSPREY_DATA: dataDir, OSPREY_PORT: '0' });
    expect(other.output).toContain('Another server');

    const { code, ms } = await first.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);

    const second = await startServer(dataDir);
    second.process.kill('SIGKILL');
    const started = performance.now();
    const third = await startServer(dataDir);
    // 5 s on a machine with nothing else to do, three times that in the test run.
    expect(performance.now() - started).toBeLessThan(15_000);
    const groups = await fetch(`${third.address}/api/usergroups`, { headers: admin });
    expect((await groups.json()) as { name: string }[]).toMatchObject([{ name: 'Demo' }, { name: 'Kept' }]);
    expect((await third.stop()).code).toBe(0);
  });

  it('starts a process again that was killed, and the database too, and goes on with the samples', {
    tags: 'long',
  }, async () => {
    const requested = { OSPREY_ADMIN_PASSWORD: password, OSPREY_SAMPLES: '1', OSPREY_SAMPLE_SECONDS: '1' };
    const server = await startServer(await dataFolder(), requested);
    const works = async () =>
      (await fetch(`${server.address}/api/usergroups`, { headers: admin }).catch(() => null))?.status;
    const until = async (status: number) => {
      while ((await works()) !== status) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    expect(await works()).toBe(200);

    for (const [command, reported] of [
      [mainScript(), 'The api process ended unexpectedly'],
      ['postgres', 'The database ended unexpectedly'],
    ] as const) {
      for (const pid of childrenOf(server.process.pid!)) {
        if (commandOf(pid).includes(command)) process.kill(pid, 'SIGKILL');
      }
      await expect.poll(server.output).toContain(reported);
      await until(200);
    }

    const listed = async () => {
      const answer = await fetch(`${server.address}/api/missions/brief?sort=name`, { headers: admin });
      return ((await answer.json()) as { name: string; state: string }[]).map(({ name, state }) => [name, state]);
    };
    await expect.poll(listed, { timeout: 100_000, interval: 500 }).toEqual([
      ['Sample-Coast-Patrol', 'Ready'],
      ['Sample-Ship-Survey', 'Ready'],
    ]);
    expect((await server.stop()).code).toBe(0);
  });

  it('leaves no database running when it is stopped while that is being restarted', { tags: 'long' }, async () => {
    const server = await startServer(await dataFolder(), { OSPREY_ADMIN_PASSWORD: password });
    const database = childrenOf(server.process.pid!).find((pid) => commandOf(pid).includes('postgres'))!;
    const command = commandOf(database);
    process.kill(database, 'SIGKILL');
    await expect.poll(server.output, { interval: 5 }).toContain('The database ended unexpectedly');

    expect((await server.stop()).code).toBe(0);

    const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    expect(all.filter((pid) => isAlive(pid) && commandOf(pid) === command)).toEqual([]);
  });

  it('T-116 stops over a key that is none, and names its file', async () => {
    const dataDir = await readyDataFolder();
    await mkdir(join(dataDir, 'keys'));
    await writeFile(join(dataDir, 'keys/sessions.key'), 'secret');

    const { code, output } = await runToEnd([], { OSPREY_DATA: dataDir, OSPREY_PORT: '0' });

    expect(code).toBe(1);
    expect(output).toContain('sessions.key is no random key');
  });
});
