import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { childrenOf, commandOf, isAlive, treeOf } from '../../test/processes.ts';
import { readyDataFolder, startServer } from '../../test/running-server.ts';
import { basicOf } from '../../test/server.ts';
import { connect } from '../base/db/connect.ts';
import { databaseFolder } from '../base/db/database-folder.ts';
import { runningPostgres } from '../base/db/postgres-server.ts';
import { DATABASE } from './reach-database.ts';

/** Longer than a database may be silent, and less than a query of a request may take. */
const SLOW_SECONDS = 4;
/** 2 s of silence, and half a second between two questions; the rest is for a busy machine. */
const GIVEN_UP_MS = 4500;

const password = 'correct horse battery';

it('answers 503 while the database is stopped, and works again when it goes on; a slow query gets its time', async () => {
  const dataDir = await readyDataFolder();
  const server = await startServer(dataDir, { OSPREY_ADMIN_PASSWORD: password });
  const headers = { authorization: basicOf('admin', password), 'content-type': 'application/json' };
  const ask = (path: string, init: RequestInit = {}) => fetch(`${server.address}/api/${path}`, { ...init, headers });
  const make = (name: string) =>
    ask('missions', {
      method: 'POST',
      body: JSON.stringify({ name, audience: 'everyone', securityClassification: 1 }),
    });
  const missions = async () => {
    const started = performance.now();
    const answer = await ask('missions/brief');
    return { status: answer.status, ms: performance.now() - started, text: await answer.text() };
  };
  const url = (await runningPostgres(databaseFolder({ dataDir, databaseDir: null })))!;
  const beside = connect({ url: url(DATABASE), max: 1, statementTimeoutMs: 0 });
  atEnd(() => beside.destroy());
  const main = childrenOf(server.process.pid!).find((pid) => commandOf(pid).includes('bin/postgres'))!;
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of treeOf(main).filter(isAlive)) process.kill(pid, name);
  };
  expect((await make('m-before')).status).toBe(200);

  const slow = await beside.transaction().execute(async (tx) => {
    await sql`lock table missions in access exclusive mode`.execute(tx);
    const asked = missions();
    await sql`select pg_sleep(${SLOW_SECONDS})`.execute(tx);
    return { asked };
  });
  const answered = await slow.asked;
  expect(answered).toMatchObject({ status: 200, text: expect.stringContaining('m-before') });
  expect(answered.ms).toBeGreaterThan(SLOW_SECONDS * 900);

  signal('SIGSTOP');
  atEnd(() => signal('SIGCONT'));
  const running = await Promise.all([missions(), missions(), missions()]);
  const refused = await missions();
  for (const { status, ms } of running) {
    expect(status).toBe(503);
    expect(ms).toBeLessThan(GIVEN_UP_MS);
  }
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'unavailable' });
  expect(refused.status).toBe(503);

  signal('SIGCONT');
  await expect.poll(async () => (await missions()).status).toBe(200);
  expect((await make('m-after')).status).toBe(200);
  expect((await missions()).text).toMatch(/m-after/);
  expect(server.output()).not.toMatch(/process ended unexpectedly|database ended/);
  expect((await server.stop()).code).toBe(0);
  process.stdout.write(
    `503 after ${running.map(({ ms }) => Math.round(ms)).join(', ')} ms, then after ${Math.round(refused.ms)} ms\n`,
  );
});
