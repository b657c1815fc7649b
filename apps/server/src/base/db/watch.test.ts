import { type Kysely, sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { testDatabaseAt } from '../../../test/database.ts';
import { stallingProxy } from '../../../test/stalling-proxy.ts';
import { shownError } from '../http/errors.ts';
import { DatabaseSilent } from './away.ts';
import { connect } from './connect.ts';
import type { Database } from './schema.ts';

/** Half of what a request waits: tests take as long. */
const SILENCE_MS = 1000;
const SLOW_SECONDS = 2;

/** A watched pool that reaches its database through a network; `reported` holds the calls of its listener. */
async function watchedOver(urlOf: (url: string) => Promise<string> = async (url) => url) {
  const { db, url } = await testDatabaseAt();
  const reported: Error[] = [];
  const watched = connect({
    ...{ url: await urlOf(url), max: 3, turnMs: SILENCE_MS, watched: true },
    onError: (error) => reported.push(error),
  });
  atEnd(() => watched.destroy());
  await ask(watched);
  const question = sql`select from pg_stat_activity
    where datname = current_database() and query = 'select 1' and state = 'idle'`;
  await expect.poll(async () => (await question.execute(db)).rows.length).toBe(1);
  return { db, watched, reported };
}

type Session = { name: string; pid: number };

const ask = (db: Kysely<Database>) => sql<{ one: number }>`select 1 as one`.execute(db).then(({ rows }) => rows);
const failureOf = (work: Promise<unknown>) => work.then(() => 'answered', shownError);
const away = { code: 'unavailable', status: 503 };

it('gives up what waits for a database that no longer gets packets, and works when they flow again', async () => {
  let network = null as Awaited<ReturnType<typeof stallingProxy>> | null;
  const { db, watched, reported } = await watchedOver(async (url) => {
    network = await stallingProxy(url);
    return network.url;
  });
  const between = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const change = watched.transaction().execute(async (tx) => {
    await sql`update settings set value = value`.execute(tx);
    begun.resolve();
    await between.promise;
    await ask(tx);
  });
  await begun.promise;
  expect(await ask(watched)).toEqual([{ one: 1 }]);

  network!.stall();
  between.resolve();
  // The last finds no free connection.
  const waiting = await Promise.all([change, ask(watched), ask(watched), ask(watched)].map(failureOf));

  expect(waiting).toMatchObject([away, away, away, away]);
  await expect.poll(() => reported).toEqual([new DatabaseSilent()]);
  await expect(ask(watched)).rejects.toThrow(DatabaseSilent);
  network!.flow();
  await expect.poll(() => ask(watched).catch(() => null)).toEqual([{ one: 1 }]);
  // The lock of the change that was given up is free.
  await sql`update settings set value = value`.execute(db);
  expect(reported).toEqual([new DatabaseSilent()]);
});

it('leaves a slow query alone while the database answers others', async () => {
  const { watched, reported } = await watchedOver();

  const { rows } = await sql<{ slow: string }>`select pg_sleep(${SLOW_SECONDS})::text as slow`.execute(watched);

  expect(rows).toEqual([{ slow: '' }]);
  expect(reported).toEqual([]);
});

it('takes a refusal of the database as an answer', async () => {
  const { watched, reported } = await watchedOver();
  const { rows } = await sql<Session>`select current_database() as name, pg_backend_pid() as pid`.execute(watched);
  const { name, pid } = rows[0]!;
  const elsewhere = connect({ url: inject('databaseServer').url, max: 1 });
  atEnd(() => elsewhere.destroy());
  await sql`alter database ${sql.id(name)} allow_connections false`.execute(elsewhere);
  const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid != ${pid}`;
  await cut.execute(elsewhere);

  await sql`select pg_sleep(${SLOW_SECONDS})`.execute(watched);

  expect(reported).toEqual([]);
});

it('ends a transaction whose client went away with the network, before its locks hold up others for long', async () => {
  const { watched } = await watchedOver();

  const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(watched);

  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '1min' }]);
});

it('counts only the time in which this process ran: one that is held up takes no database for silent', async () => {
  let network = null as Awaited<ReturnType<typeof stallingProxy>> | null;
  const { reported } = await watchedOver(async (url) => {
    network = await stallingProxy(url);
    return network.url;
  });

  network!.stall();
  // Three times the silence that is allowed, of which the process runs for moments only.
  for (let held = 0; held < 4; held++) {
    const until = performance.now() + 900;
    while (performance.now() < until);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(reported).toEqual([]);

  await expect.poll(() => reported, { timeout: 20_000 }).toEqual([new DatabaseSilent()]);
  network!.flow();
});
