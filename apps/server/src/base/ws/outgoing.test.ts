import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { testDatabaseAt } from '../../../test/database.ts';
import { connect } from '../db/connect.ts';
import { EVENTS_CHANNEL, listenForNotices } from '../db/notices.ts';
import { eventSender } from './outgoing.ts';

/** A sender with a single connection to the database, and what is heard of it. */
async function sender({ wait }: { wait?: (ms: number) => Promise<void> } = {}) {
  const { url } = await testDatabaseAt();
  const db = connect({ url, max: 1 });
  atEnd(() => db.destroy());
  const received: unknown[] = [];
  const notices = await listenForNotices({
    url,
    onNotice: (channel, payload) => channel === EVENTS_CHANNEL && received.push(JSON.parse(payload)),
    onLost: () => undefined,
    onRegained: () => undefined,
    onError: () => undefined,
  });
  atEnd(notices.close);
  const warn = vi.fn<(fields: object, text: string) => void>();
  return { db, received, warn, events: eventSender({ db, log: { warn }, ...(wait && { wait }) }) };
}

const changed = (id: string) => ({ kind: 'changed', noun: 'documents', ids: [id] });

/** Takes the single connection until it is let go. */
async function occupied(db: Awaited<ReturnType<typeof sender>>['db']) {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const ended = db.connection().execute(async (own) => {
    await sql`select 1`.execute(own);
    taken.resolve();
    await held;
  });
  await taken.promise;
  return {
    letGo() {
      letGo();
      return ended;
    },
  };
}

it('says again what a busy database did not take, in the order in which it was said', async () => {
  const { promise: free, resolve: isFree } = Promise.withResolvers<void>();
  const waits: number[] = [];
  const wait = (ms: number) => {
    waits.push(ms);
    return free;
  };
  const { db, received, warn, events } = await sender({ wait });
  const { letGo } = await occupied(db);

  events.changed('documents', ['first']);
  events.changed('documents', ['second']);
  await expect.poll(() => waits.length).toBe(1);
  events.changed('documents', ['third']);
  await letGo();
  isFree();

  await expect.poll(() => received).toEqual(['first', 'second', 'third'].map(changed));
  expect(warn).not.toHaveBeenCalled();
});

it('leaves out alone what the database refuses', async () => {
  const { received, warn, events } = await sender();

  events.changed('documents', ['first']);
  events.changed('documents', ['second']);
  // A notice holds 8000 bytes.
  events.backupFailed('x'.repeat(9000), 'no room');
  events.changed('documents', ['third']);

  await expect.poll(() => received).toEqual(['first', 'second', 'third'].map(changed));
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]![0]).toMatchObject({ kinds: ['backupFailed'] });
});

it('tries what is left once more when the process ends, and waits no longer', async () => {
  const { db, received, warn, events } = await sender({ wait: () => new Promise(() => undefined) });
  const { letGo } = await occupied(db);
  events.changed('documents', ['told']);
  await events.drain();
  expect(warn.mock.calls.map(([, text]) => text)).toEqual(['event not sent']);

  await letGo();
  events.changed('documents', ['late']);
  await events.drain();
  await expect.poll(() => received).toEqual([changed('late')]);
});
