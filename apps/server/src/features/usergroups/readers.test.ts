import {
  type Actor,
  access,
  type Classification,
  classificationOf,
  classifications,
  isAdmin,
  itemNames,
  type Readers,
  type Role,
} from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { lastRowOfAudit } from '../../../test/audit.ts';
import { makeUser, type Subject, testServer } from '../../../test/server.ts';
import { readersOf } from './readers.ts';

const server = await testServer();
const { db, groups, userId } = server;
const { Demo, G1, G2 } = groups;
const ceilings: Record<string, Classification> = { [Demo]: 'UNCLASSIFIED', [G1]: 'CONFIDENTIAL', [G2]: 'TOP SECRET' };

const ask = async (who: Subject, requested: object, on = server) =>
  on.asUser(who).inject({
    method: 'POST',
    url: '/api/sharing/readers',
    payload: { item: 'mission', securityClassification: 1, audience: 'groups', ...requested },
  });
const readersFor = async (who: Subject, requested: object, on = server): Promise<Readers> => {
  const answer = await ask(who, requested, on);
  expect(answer.statusCode).toBe(200);
  return answer.json();
};

/** The accounts of the test server, as test/server.ts makes them. */
const accounts = (
  [
    ['SA', 'superAdmin', 5, []],
    ['A2', 'admin', 2, [G1]],
    ['GA', 'groupAdmin', 3, [G1]],
    ['U1', 'user', 3, [G1]],
    ['U2', 'user', 5, [G2]],
    ['U0', 'user', 1, []],
  ] as [Subject, Role, number, string[]][]
).map(
  ([name, role, clearance, own]): Actor => ({
    id: userId(name),
    username: name,
    role,
    clearance: classificationOf(clearance),
    groups: [Demo, ...own].map((_id) => ({ _id, ceiling: ceilings[_id]! })),
    administered: role === 'groupAdmin' ? own : [],
  }),
);

const guest: Actor = {
  ...{ id: userId('guest'), username: 'guest', role: 'guest', clearance: 'UNCLASSIFIED' },
  ...{ groups: [{ _id: Demo, ceiling: 'UNCLASSIFIED' }], administered: [] },
};
const holds = (actor: Actor, id: string) => actor.groups.some(({ _id }) => _id === id);
const deps = { db, items: server.http.items, guestAllowed: async () => true };

// Disabled and deleted accounts have the rights to read all, and cannot log in.
for (const gone of [{ disabled: true }, { disabled: true, deleted_time: 1 }]) {
  const id = await makeUser(db, { name: `gone ${Object.keys(gone)}`, role: 'superAdmin', clearance: 5 });
  await db.updateTable('users').set(gone).where('id', '=', id).execute();
}

/** Each choice of groups with each label, for a group and for everyone. */
const wishes = classifications.flatMap((securityClassification) => [
  { securityClassification, audience: 'everyone' as const, usergroups: [] as string[] },
  ...[[], [Demo], [G1], [G2], [Demo, G1], [G1, G2], [Demo, G1, G2]].map((usergroups) => ({
    ...{ securityClassification, audience: 'groups' as const, usergroups },
  })),
]);

describe('who could read an item', () => {
  it.each(accounts.map((account) => [account.username, account] as const))(
    'tells %s what can() says of all accounts, and their number to admins alone',
    async (_name, actor) => {
      const wrong: unknown[] = [];
      for (const [at, wish] of wishes.entries()) {
        const item = itemNames[at % itemNames.length]!;
        const seen = isAdmin(actor) ? wish.usergroups : wish.usergroups.filter((id) => holds(actor, id));
        const facts = { ...wish, usergroups: seen, draft: false };
        const reads = (who: Actor) => access.can(who, `${item}.read`, facts).allowed;
        const expected = {
          everyone: accounts.every(reads),
          guests: reads(guest),
          people: isAdmin(actor) ? accounts.filter(reads).length : null,
        };
        const { groups: _groups, ...said } = await readersOf(deps, actor, { ...wish, item });
        if (JSON.stringify(said) !== JSON.stringify(expected)) wrong.push([item, wish, said, expected]);
      }
      expect(wrong).toEqual([]);
    },
  );

  it('names the groups in order, with those whose ceiling is below the label', async () => {
    const { groups: named } = await readersFor('SA', { securityClassification: 'SECRET', usergroups: [G2, Demo, G1] });
    expect(named).toEqual([
      { _id: Demo, name: 'Demo', ceiling: 'UNCLASSIFIED', shows: false },
      { _id: G1, name: 'G1', ceiling: 'CONFIDENTIAL', shows: false },
      { _id: G2, name: 'G2', ceiling: 'TOP SECRET', shows: true },
    ]);
  });

  it('answers for groups that the caller does not see as for those that are not there', async () => {
    const known = { _id: G1, name: 'G1', ceiling: 'CONFIDENTIAL', shows: true };
    for (const who of ['GA', 'U1'] as const) {
      const hidden = await readersFor(who, { usergroups: [G1, G2] });
      expect(hidden).toEqual(await readersFor(who, { usergroups: [G1, crypto.randomUUID()] }));
      expect(hidden).toEqual({ everyone: false, guests: false, people: null, groups: [known] });
    }
    expect((await readersFor('U0', { usergroups: [G1] })).groups).toEqual([]);
  });

  it('does not reveal that all accounts are in a group', async () => {
    const all = await testServer();
    const link = accounts.map(({ username }) => ({
      user_id: all.userId(username as Subject),
      usergroup_id: all.groups.G1,
    }));
    await all.db
      .insertInto('user_usergroups')
      .values(link)
      .onConflict((conflict) => conflict.doNothing())
      .execute();

    expect(await readersFor('U1', { usergroups: [all.groups.G1] }, all)).toMatchObject({
      everyone: false,
      people: null,
    });
    expect(await readersFor('SA', { usergroups: [all.groups.G1] }, all)).toMatchObject({ people: accounts.length });
  });

  it('counts guests only where they are allowed and the account is enabled', async () => {
    const shared = { usergroups: [Demo] };
    await db.updateTable('users').set({ disabled: true }).where('role', '=', 'guest').execute();
    expect(await readersFor('U1', shared)).toMatchObject({ everyone: true, guests: false });
    await db.updateTable('users').set({ disabled: false }).where('role', '=', 'guest').execute();
    expect(await readersFor('U1', shared)).toMatchObject({ everyone: true, guests: true });

    const closed = await testServer({ config: { guest: false } });
    expect(await readersFor('U1', { usergroups: [closed.groups.Demo] }, closed)).toMatchObject({
      ...{ everyone: true, guests: false },
    });
  });

  it('is refused to guests and strangers, and to what is no item', async () => {
    const before = await lastRowOfAudit(db);
    expect((await ask('SA', { usergroups: [G1] })).statusCode).toBe(200);
    // A question is no change.
    expect(await lastRowOfAudit(db)).toBe(before);

    expect((await ask('guest', {})).statusCode).toBe(403);
    expect((await server.inject({ method: 'POST', url: '/api/sharing/readers', payload: {} })).statusCode).toBe(401);
    for (const wrong of [
      { item: 'sensor' },
      { securityClassification: 9 },
      { audience: 'all' },
      { usergroups: ['x'] },
    ]) {
      expect((await ask('SA', wrong)).statusCode).toBe(400);
    }
  });
});
