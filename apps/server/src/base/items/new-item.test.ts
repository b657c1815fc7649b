import { classifications, items as contractItems, roles } from '@osprey/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { eventSockets, idsOf, until } from '../../../test/event-sockets.ts';
import { type Subject, testServer } from '../../../test/server.ts';
import { makeToyTables, toyItems, toyRoutes } from '../../../test/toys.ts';
import { countOnlyIn, onlyIn } from '../../features/usergroups/only-audience.ts';
import { actorsById, enabledActors } from '../access/actors.ts';
import { openReads } from '../access/open-reads.ts';
import { bindItems } from './items.ts';
import { liveRights } from './live-rights.ts';
import { mediaTokens } from './media-token.ts';
import type { RightsNotice } from './notice.ts';
import { storedItems } from './table.ts';

const server = await testServer({ items: toyItems });
const { db, groups } = server;
await makeToyTables(db);
toyRoutes({ ...server.http, db, changed: server.dependencies.events.changed });
const sockets = eventSockets(server, await server.listen());
atEnd(async () => sockets.closeAll());

type Toy = { _id: string; title: string };
type Method = 'GET' | 'POST' | 'DELETE';

const ask = (name: Subject, method: Method, path: string, payload?: object) =>
  server.asUser(name).inject({ method, url: `/api${path}`, ...(payload && { payload }) });

async function rowsFor<Row = Toy>(name: Subject, path: string): Promise<Row[]> {
  const answer = await ask(name, 'GET', path);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json() as Row[];
}

async function add(title: string, label: number, shared: string[], by: Subject = 'SA'): Promise<string> {
  const answer = await ask(by, 'POST', '/toys', { title, label, usergroups: shared });
  expect(answer.statusCode, answer.body).toBe(200);
  return (answer.json() as Toy)._id;
}

const titles = async (name: Subject, path = '/toys') => (await rowsFor(name, path)).map(({ title }) => title).sort();
const actorOf = async (name: Subject) => (await actorsById(db, [server.userId(name)])).get(server.userId(name))!.actor;

describe('an item that the product does not know, bound with its table', () => {
  it('is listed and read by those whom the rule read allows, and answers the others like one that is absent', async () => {
    const car = await add('Car', 3, [groups.G1]);
    const boat = await add('Boat', 4, [groups.G2]);

    expect([await titles('SA'), await titles('U1'), await titles('U2'), await titles('U0')]).toEqual([
      ['Boat', 'Car'],
      ['Car'],
      ['Boat'],
      [],
    ]);
    expect((await ask('U1', 'GET', `/toys/${car}`)).json()).toEqual({ _id: car, title: 'Car' });
    const hidden = await ask('U1', 'GET', `/toys/${boat}`);
    const absent = await ask('U1', 'GET', `/toys/${crypto.randomUUID()}`);
    expect([hidden.statusCode, hidden.json()]).toEqual([404, absent.json()]);
  });

  it('agrees in SQL with can() over labels, usergroups, audiences and drafts', async () => {
    for (const label of classifications.keys()) {
      for (const [audience, shared] of [
        ['groups', []],
        ['groups', [groups.G1]],
        ['groups', [groups.G1, groups.G2]],
        ['everyone', []],
      ] as const) {
        for (const state of ['Ready', 'Wrapped']) {
          const { rows } = await sql<{ id: string }>`insert into toys (title, classification, audience, state)
            values ('Any', ${label + 1}, ${audience}, ${state}) returning id`.execute(db);
          await sql`insert into toy_usergroups select ${rows[0]!.id}::uuid, unnest(${[...shared]}::uuid[])`.execute(db);
        }
      }
    }
    const { rows } = await sql<{ id: string }>`select id from toys`.execute(db);
    const facts = [
      ...(
        await toyItems.factsById(
          db,
          rows.map(({ id }) => id),
        )
      ).values(),
    ];
    for (const name of ['SA', 'A2', 'GA', 'U1', 'U2', 'U0', 'guest'] as const) {
      const actor = await actorOf(name);
      for (const role of roles) {
        const asking = { ...actor, role };
        const seen = await toyItems.visible('toy', db, asking).select(sql<string>`toys.id`.as('id')).execute();
        const allowed = facts.filter((one) => toyItems.access.can(asking, 'toy.read', one).allowed);
        expect(new Set(seen.map(({ id }) => id)), `${name} as ${role}`).toEqual(new Set(allowed.map(({ id }) => id)));
      }
    }
    await sql`delete from toys where title = 'Any'`.execute(db);
    expect(facts.length).toBeGreaterThanOrEqual(40);
  });

  it('is made by those whom the rule create allows, and gives no answer without a question about rights', async () => {
    expect((await ask('U1', 'POST', '/toys', { title: 'No', label: 1, usergroups: [groups.G1] })).statusCode).toBe(403);
    expect((await ask('GA', 'POST', '/toys', { title: 'No', label: 5, usergroups: [groups.G1] })).statusCode).toBe(403);
    const kite = await add('Kite', 1, [groups.G1], 'GA');

    expect((await ask('GA', 'GET', `/toys/${kite}`)).statusCode).toBe(200);
    expect((await ask('GA', 'GET', `/toys/${kite}/forgotten`)).statusCode).toBe(500);
  });

  it('is announced by its changed event to those who see it alone', async () => {
    const [member, stranger] = [await sockets.connected('U1'), await sockets.connected('U2')];
    const doll = await add('Doll', 2, [groups.G1]);
    const both = await add('Both', 1, [groups.G1, groups.G2]);

    await until(() => idsOf(member, 'toys').includes(both) && idsOf(stranger, 'toys').includes(both));
    expect(idsOf(member, 'toys')).toContain(doll);
    expect(idsOf(stranger, 'toys')).not.toContain(doll);
  });

  it.each([
    ['its label rises', (id: string) => sql`update toys set classification = 5 where id = ${id}`.execute(db)],
    ['its usergroup is taken away', (id: string) => sql`delete from toy_usergroups where toy_id = ${id}`.execute(db)],
    ['it becomes a draft', (id: string) => sql`update toys set state = 'Wrapped' where id = ${id}`.execute(db)],
    ['it is deleted', (id: string) => ask('SA', 'DELETE', `/toys/${id}`)],
    ['the account loses its clearance', () => setClearance('U1', 1)],
  ])(
    'is revoked within a second when %s: the page is told, what is open ends, and it is hidden',
    async (_how, take) => {
      const page = await sockets.connected('U1');
      const id = await add('Lost', 2, [groups.G1]);
      await until(() => idsOf(page, 'toys').includes(id));
      let ended = 0;
      server.reads.add({
        ...{ userId: server.userId('U1'), credentialId: crypto.randomUUID(), itemId: id },
        ceiling: 'TOP SECRET',
        securityClassification: 'RESTRICTED',
        close: () => {
          ended += 1;
        },
      });
      const revoked = () =>
        page.named('revoked').flatMap(({ payload }) => {
          const { noun, ids } = payload as { noun: string; ids: string[] };
          return noun === 'toys' ? ids : [];
        });

      const began = performance.now();
      await take(id);
      await until(() => revoked().includes(id) && ended === 1);

      expect(performance.now() - began).toBeLessThan(1000);
      expect((await ask('U1', 'GET', `/toys/${id}`)).statusCode).toBe(404);
      await setClearance('U1', 3);
    },
  );

  it('is named in the audit and in the activity to those who see it', async () => {
    const train = await add('Train', 1, [groups.G1], 'GA');
    const ferry = await add('Ferry', 2, [groups.G2]);
    await ask('GA', 'DELETE', `/toys/${await add('Mine', 1, [groups.G1], 'GA')}`);
    const named = async (name: Subject, path: string) =>
      (await rowsFor<{ item: { _id: string; name: string | null } }>(name, path)).map(({ item }) => item);

    expect(await named('SA', '/audit?item=Ferry&actions=toy.create')).toEqual([{ _id: ferry, name: 'Ferry' }]);
    expect(await named('A2', `/audit?item=${ferry}&actions=toy.create`)).toEqual([{ _id: ferry, name: null }]);
    expect(await named('A2', '/audit?item=Ferry')).toEqual([]);
    expect(await named('GA', `/activity?item=${train}`)).toEqual([{ _id: train, name: 'Train' }]);
  });

  it('is in the scope of a groupAdmin as far as they see it', async () => {
    const [own, theirs] = [await add('Own', 1, [groups.G1], 'GA'), await add('Theirs', 1, [groups.G1], 'GA')];
    await sql`update toy_usergroups set usergroup_id = ${groups.G2} where toy_id = ${theirs}`.execute(db);
    const shown = await rowsFor<{ item: { _id: string } | null }>('GA', '/activity');

    const ids = shown.map(({ item }) => item?._id);
    expect([ids.includes(own), ids.includes(theirs)]).toEqual([true, false]);
  });

  it('waits in the bin, from which it comes back', async () => {
    const id = await add('Binned', 1, [groups.G1]);
    await ask('SA', 'DELETE', `/toys/${id}`);

    expect(await titles('U1')).not.toContain('Binned');
    expect(await titles('SA', '/toys/bin')).toContain('Binned');
    expect(await titles('A2', '/toys/bin')).toContain('Binned');
    expect((await ask('U1', 'GET', '/toys/bin')).statusCode).toBe(403);

    await sql`update toys set deleted_time = null where id = ${id}`.execute(db);
    expect(await titles('U1')).toContain('Binned');
  });

  it('lends its tags to the filters, and its jobs to the list, of those who may', async () => {
    const id = await add('Tagged', 1, [groups.G2]);
    await sql`update toys set tags = '{tin}' where id = ${id}`.execute(db);
    const { rows } = await sql<{ id: string }>`insert into jobs (kind, state, toy_id, created)
      values ('document', 'failed', ${id}, 1) returning id`.execute(db);
    const job = rows[0]!.id;
    const jobs = async (name: Subject) => (await rowsFor(name, '/jobs')).map(({ _id }) => _id);

    expect([await rowsFor('U2', '/tags?category=toys'), await rowsFor('U1', '/tags')]).toEqual([['tin'], []]);
    expect([await jobs('SA'), await jobs('GA')]).toEqual([[job], []]);
    expect((await ask('GA', 'DELETE', `/jobs/${job}`)).statusCode).toBe(404);
    expect((await ask('SA', 'DELETE', `/jobs/${job}`)).statusCode).toBe(200);
  });

  it('counts among what is visible to no account without a usergroup', async () => {
    const { id: club } = await db
      .insertInto('usergroups')
      .values({ name: 'Club', classification: 1, created: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const id = await add('Only here', 1, [club]);

    expect(await countOnlyIn(toyItems, db, [club])).toBe(1);
    expect(await onlyIn(toyItems, db, await actorOf('SA'), [club])).toEqual({
      items: [{ _id: id, noun: 'toys', name: 'Only here', label: 'UNCLASSIFIED' }],
      hidden: false,
    });
    expect(await onlyIn(toyItems, db, await actorOf('A2'), [club])).toEqual({ items: [], hidden: true });
  });

  it('has media tokens as its entry says', async () => {
    const tokens = mediaTokens({ key: Buffer.alloc(32, 1), items: toyItems, nowMs: () => 0 });
    const [user, item] = [crypto.randomUUID(), crypto.randomUUID()];
    const requested = { user, userEpoch: 1, item, itemEpoch: 1, session: 's', address: '::1' };

    expect(tokens.verify(tokens.sign({ ...requested, noun: 'toys' }))).toMatchObject({ item, expires: 60_000 });
    expect(() => tokens.sign({ ...requested, noun: 'platforms' })).toThrow('No media tokens for platforms');
  });

  it('is known to the live cache until a notice says that it changed', async () => {
    const id = await add('Kept', 1, [groups.G1]);
    const live = liveRights({ db, items: toyItems, reads: openReads() });
    const label = async () => (await live.facts('toy', id))?.securityClassification;

    expect(await label()).toBe('UNCLASSIFIED');
    await sql`update toys set classification = 2 where id = ${id}`.execute(db);
    expect(await label()).toBe('UNCLASSIFIED');
    live.notice({ toy: id } as unknown as RightsNotice);
    expect(await label()).toBe('RESTRICTED');
    await expect(live.facts('kite', id)).rejects.toThrow('Unknown item: kite');
  });
});

it('an account is known to the live cache until a notice says that it changed', async () => {
  const user = server.userId('U1');
  const live = liveRights({ db, items: toyItems, reads: openReads() });
  const clearance = async () => (await live.account(user, 'TOP SECRET'))?.actor.clearance;

  expect(await clearance()).toBe('CONFIDENTIAL');
  await setClearance('U1', 2);
  expect(await clearance()).toBe('CONFIDENTIAL');
  live.notice({ user, epoch: 2 });
  expect(await clearance()).toBe('RESTRICTED');
  await setClearance('U1', 3);
});

it('accounts are found by id and by role', async () => {
  expect(await actorsById(db, [])).toEqual(new Map());
  expect((await enabledActors(db, 'guest')).map(({ username }) => username)).toEqual(['guest']);
  expect((await enabledActors(db)).length).toBeGreaterThan(1);
});

async function setClearance(name: Subject, clearance: number): Promise<void> {
  await db.updateTable('users').set({ clearance }).where('id', '=', server.userId(name)).execute();
}

it('refuses tables that do not name the same items', async () => {
  const { document, mission } = storedItems;

  expect(() => bindItems(contractItems, { document, mission })).toThrow(
    'Not in the item table of the server: platform',
  );
  expect(() => bindItems(contractItems, { ...storedItems, toy: mission })).toThrow(
    'Not in the item table of the contract: toy',
  );
  expect(() => bindItems(contractItems, { ...storedItems, platform: { ...storedItems.platform, job: 'a' } })).toThrow(
    'Jobs over items without a rule update: platform',
  );
});
