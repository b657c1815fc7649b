import { revokedEvent } from '@osprey/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { addAnyItem } from '../../../test/any-item.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { testDatabaseAt } from '../../../test/database.ts';
import { numbers } from '../../../test/numbers.ts';
import { makeUser } from '../../../test/server.ts';
import { items } from '../../compose/items.ts';
import { actorsById } from '../access/actors.ts';
import { type OpenRead, openReads } from '../access/open-reads.ts';
import { RIGHTS_CHANNEL } from '../db/notices.ts';
import type { RightsNotice } from '../items/notice.ts';
import { type Audience, audience } from './audience.ts';
import { delivery } from './delivery.ts';
import type { Outgoing } from './outgoing.ts';

const TRANSACTIONS = 40;
/** Ways in which the notices of one transaction come. */
const ARRANGEMENTS = 3;
const kinds = ['mission', 'document', 'platform', 'annotation', 'case'] as const;

const { db, url } = await testDatabaseAt();
const groups = await Promise.all(
  ['north', 'south', 'west', 'east', 'shore', 'port'].map(async (name) => {
    const row = { name, classification: 5, created: 0 };
    return (await db.insertInto('usergroups').values(row).returning('id').executeTakeFirstOrThrow()).id;
  }),
);
const people = await Promise.all(
  (['user', 'user', 'groupAdmin', 'admin', 'superAdmin'] as const).map((role, place) =>
    makeUser(db, { name: `person ${place}`, role, clearance: 3 }),
  ),
);
const random = numbers(11);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const some = <T>(from: readonly T[]): T[] => from.filter(() => random() < 0.4);
const rank = () => 1 + Math.floor(random() * 5);

const ids: { id: string; kind: (typeof kinds)[number] }[] = [];
for (const kind of kinds) {
  for (let i = 0; i < 5; i++) {
    const audienceOf = random() < 0.2 ? 'everyone' : 'groups';
    ids.push({ kind, id: await addAnyItem(db, kind, { classification: rank(), audience: audienceOf }, some(groups)) });
  }
}
for (const user_id of people) {
  for (const usergroup_id of some(groups))
    await db.insertInto('user_usergroups').values({ user_id, usergroup_id }).execute();
}

/** The notices of the rights channel, in the order of their sending. */
const ear = new pg.Client(url);
let received: RightsNotice[] = [];
ear.on('notification', ({ payload }) => received.push(items.notice.parse(JSON.parse(payload!))));
await ear.connect();
atEnd(() => ear.end());
await ear.query(`listen ${RIGHTS_CHANNEL}`);

const linksOf = (kind: (typeof kinds)[number]) => items.kindOf(kind).links;

/** One change of a right; what a transaction is made of. */
function anyChange(): string {
  const { id, kind } = pick(ids);
  const { table } = items.kindOf(kind);
  const { table: links, key } = linksOf(kind);
  const [user, group] = [pick(people), pick(groups)];
  return pick([
    `update ${table} set classification = ${rank()} where id = '${id}'`,
    `update ${table} set audience = '${pick(['everyone', 'groups'])}' where id = '${id}'`,
    `update ${table} set deleted_time = ${pick(['null', '5'])} where id = '${id}'`,
    `insert into ${links} (${key}, usergroup_id) values ('${id}', '${group}') on conflict do nothing`,
    `delete from ${links} where ${key} = '${id}'`,
    `update users set clearance = ${rank()} where id = '${user}'`,
    `update users set role = '${pick(['user', 'groupAdmin', 'admin'])}' where id = '${user}' and role <> 'superAdmin'`,
    `insert into user_usergroups (user_id, usergroup_id) values ('${user}', '${group}') on conflict do nothing`,
    `delete from user_usergroups where user_id = '${user}'`,
    `update usergroups set classification = ${rank()} where id = '${group}'`,
    // The deletion of a usergroup takes both.
    `with gone as (delete from user_usergroups where usergroup_id = '${group}')
     delete from ${links} where usergroup_id = '${group}'`,
  ]);
}

const accountsNow = () => actorsById(db, people);
/** Ids of items that each account may read now. */
async function visibleNow(): Promise<Map<string, Set<string>>> {
  const facts = await items.factsById(
    db,
    ids.map(({ id }) => id),
  );
  const accounts = await accountsNow();
  const seen = ({ actor }: { actor: Parameters<typeof items.mayRead>[0] }) =>
    new Set([...facts.values()].filter((one) => items.mayRead(actor, one)).map(({ id }) => id));
  return new Map(people.map((id) => [id, accounts.has(id) ? seen(accounts.get(id)!) : new Set<string>()]));
}

type Accounts = Awaited<ReturnType<typeof accountsNow>>;

/** Open pages of all accounts as they were, and what each is asked to forget. */
function pagesOf(accounts: Accounts): { listening: Audience; lost: Map<string, Set<string>> } {
  const listening = audience();
  const lost = new Map(people.map((id) => [id, new Set<string>()]));
  for (const userId of people) {
    const emit = (name: string, payload: object) => {
      const { noun, ids: gone } = payload as { noun?: string; ids?: string[] };
      if (name === revokedEvent.name && noun !== 'session') for (const id of gone ?? []) lost.get(userId)!.add(id);
    };
    const page = { userId, credentialId: 'a session', ceiling: 'TOP SECRET', status: null, view: null } as const;
    const parts = { channels: new Set<string>(), isBehind: () => false, emit, close: () => undefined };
    listening.join({ ...page, ...parts }, accounts.get(userId)!);
  }
  return { listening, lost };
}

/** In another order, but that of one item is kept: PostgreSQL keeps it, and it says which usergroup was first. */
function shuffled(notices: readonly RightsNotice[]): RightsNotice[] {
  const queues = [...Map.groupBy(notices, (notice) => items.itemOfNotice(notice)?.id ?? crypto.randomUUID()).values()];
  const mixed: RightsNotice[] = [];
  while (queues.some((queue) => queue.length > 0)) {
    const next = pick(queues.filter((queue) => queue.length > 0)).shift();
    if (next) mixed.push(next);
  }
  return mixed;
}

/** Batches of other things, which read the accounts as they are now. */
const company = (): Outgoing[][] =>
  pick<Outgoing[][]>([[], [[{ kind: 'info' }]], [[{ kind: 'changed', noun: 'missions', ids: [ids[0]!.id] }]]]);

it('revokes and closes the same for one transaction, in any split, order and company of its notices', async () => {
  let counted = 0;
  for (let round = 0; round < TRANSACTIONS; round++) {
    const before = await visibleNow();
    const accounts = await accountsNow();
    received = [];
    const statements = Array.from({ length: 1 + Math.floor(random() * 4) }, anyChange);
    await db.transaction().execute(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
    });
    await ear.query('select 1');
    const after = await visibleNow();
    const expected = new Map(
      people.map((id) => [id, new Set([...before.get(id)!].filter((seen) => !after.get(id)!.has(seen)))]),
    );
    for (const gone of expected.values()) counted += gone.size;

    for (let way = 0; way < ARRANGEMENTS; way++) {
      const { listening, lost } = pagesOf(accounts);
      const reads = openReads();
      const [opened, closed] = [new Set<string>(), new Set<string>()];
      for (const [userId, seen] of before) {
        for (const itemId of seen) {
          opened.add(`${userId} ${itemId}`);
          const read = { userId, itemId, credentialId: 'a session', ceiling: 'TOP SECRET' } as const;
          reads.add({
            ...read,
            securityClassification: 'UNCLASSIFIED',
            close: () => closed.add(`${userId} ${itemId}`),
          } satisfies OpenRead);
        }
      }
      let waiting = way === 0 ? [...received] : shuffled(received);
      const receiveAll = async () => waiting.splice(0);
      const deliver = delivery({ items, db, audience: listening, reads, receiveAll });

      for (const events of company()) await deliver([], events);
      while (waiting.length > 0) {
        const batch = waiting.splice(0, 1 + Math.floor(random() * waiting.length));
        waiting = [...(await deliver(batch, [])), ...waiting];
        for (const events of company()) await deliver([], events);
      }

      const shown = `${statements.join('; ')} ${JSON.stringify(received)}`;
      for (const id of people) expect(lost.get(id), shown).toEqual(expected.get(id));
      const gone = people.flatMap((id) => [...expected.get(id)!].map((item) => `${id} ${item}`));
      expect(closed, shown).toEqual(new Set(gone));
    }
  }
  expect(counted).toBeGreaterThan(TRANSACTIONS);
}, 120_000);
