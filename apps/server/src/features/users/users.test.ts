import type { User, Usergroup } from '@osprey/contract';
import { describe, expect, it, vi } from 'vitest';
import { waitingForLock } from '../../../test/database.ts';
import { addDocument } from '../../../test/documents.ts';
import { addMission } from '../../../test/missions.ts';
import {
  basicOf,
  makeUser,
  type Subject,
  subjectNames,
  type TestServerOptions,
  testServer,
} from '../../../test/server.ts';
import type { Asked } from '../../../test/trust/matrix-calls.ts';
import type { Config } from '../../base/config/config.ts';

const newcomer = {
  username: 'Newcomer',
  password: 'correct horse battery',
  email: 'new@example.org',
  country: 'Norway',
  first_name: 'New',
  last_name: 'Comer',
  company: 'Example',
};

const registering = async (config: Partial<Config> = {}, clock?: TestServerOptions['clock']) => {
  const server = await testServer({ config, ...(clock && { clock }) });
  return {
    ...server,
    register: (fields: object = {}) =>
      server.inject({ method: 'POST', url: '/api/users', payload: { ...newcomer, ...fields } }),
    exists: (name: string) => server.inject({ method: 'GET', url: `/api/users/exists/${name}` }),
  };
};

describe('registration', () => {
  it('T-009 by approval takes the seven fields alone and makes a disabled account in Demo', async () => {
    const { db, register, groups } = await registering();

    for (const more of [
      'authorizationRole',
      'securityClearance',
      'usergroupsAdmin',
      'usergroups',
      '_id',
      'constructor',
    ]) {
      const answer = await register({ [more]: more === 'securityClearance' ? 5 : 'superAdmin' });
      expect([more, answer.statusCode]).toEqual([more, 400]);
    }
    expect(await db.selectFrom('users').selectAll().where('username', '=', 'Newcomer').execute()).toEqual([]);

    const answer = await register();

    expect(answer.json()).toMatchObject({ username: 'Newcomer', disabled: true });
    const [row] = await db.selectFrom('users').selectAll().where('username', '=', 'Newcomer').execute();
    expect(row).toMatchObject({ role: 'user', clearance: 1, disabled: true });
    expect(answer.json()).toMatchObject({ _id: row!.id }); // S2-447
    // T-013
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const links = await db.selectFrom('user_usergroups').selectAll().where('user_id', '=', row!.id).execute();
    expect(links.map(({ usergroup_id }) => usergroup_id)).toEqual([groups.Demo]);
    expect((await register({ username: 'NEWCOMER' })).json()).toMatchObject({ code: 'userNameTaken' });
  });

  it('T-010 refuses a password that is short or common, and takes four characters where the policy says so', async () => {
    const { register } = await registering();
    expect((await register({ password: '7 chars' })).json()).toMatchObject({
      status: 400,
      text: 'The password needs at least 8 characters.',
    });
    expect((await register({ password: 'Password123' })).json()).toMatchObject({ code: 'passwordTooCommon' });

    const lenient = await registering({ passwordMin: 4 });
    expect((await lenient.register({ password: 'k9#z' })).statusCode).toBe(200);
  });

  it('T-011 that is off answers 404 to both calls, and on lets ask for ten names a minute', async () => {
    const off = await registering({ registration: 'off' });
    expect((await off.exists('U1')).statusCode).toBe(404);
    expect((await off.exists('free')).statusCode).toBe(404);
    expect((await off.register()).statusCode).toBe(404);

    let laterMs = 0;
    const clock = { nowMs: () => performance.now() + laterMs, nowUs: () => Date.now() * 1000 };
    const on = await registering({ registration: 'open' }, clock);
    expect((await on.exists('u1')).json()).toEqual({ exists: true });
    expect((await on.exists('free')).json()).toEqual({ exists: false });
    for (let i = 2; i < 10; i++) expect((await on.exists(`free${i}`)).statusCode).toBe(200);
    expect((await on.exists('free')).statusCode).toBe(429);
    laterMs = 55_000;
    expect((await on.exists('free')).statusCode).toBe(429);
    laterMs = 60_000;
    expect((await on.exists('free')).statusCode).toBe(200);
    expect((await on.register()).json()).toMatchObject({ disabled: false });
  });

  it('T-012 leaves guests out where they are not allowed, and shows them shared items alone where they are', async () => {
    const closed = await testServer({ config: { guest: false } });
    expect((await closed.inject({ method: 'POST', url: '/api/login/guest' })).json()).toMatchObject({
      status: 401,
      text: 'Username / password not valid',
    });

    const open = await testServer({ config: { guest: true } });
    const answer = await open.inject({ method: 'POST', url: '/api/login/guest' });
    expect(answer.json()).toMatchObject({ role: 'guest', username: 'guest' });
  });
});

describe('accounts', async () => {
  const server = await testServer();
  const { db, asUser, userId, groups } = server;
  const put = (by: Subject, target: Subject, query: string) =>
    asUser(by).inject({ method: 'PUT', url: `/api/users/${userId(target)}?${query}` });
  const row = async (name: Subject) => {
    const found = await db.selectFrom('users').selectAll().where('id', '=', userId(name)).executeTakeFirstOrThrow();
    const links = await db.selectFrom('user_usergroups').selectAll().where('user_id', '=', userId(name)).execute();
    return { role: found.role, clearance: found.clearance, disabled: found.disabled, groups: links.length };
  };

  it('T-018 let no account change its own rights, nor give more than it has', async () => {
    const before = await everything();
    for (const query of [
      'authorizationRole=superAdmin',
      'securityClearance=5',
      `usergroups=${groups.G2}`,
      `usergroupsAdmin=${groups.G1}`,
    ]) {
      expect([query, (await put('A2', 'A2', query)).statusCode]).toEqual([query, 403]);
    }
    expect((await put('A2', 'U0', 'securityClearance=3')).statusCode).toBe(403);
    expect((await put('A2', 'U0', 'authorizationRole=admin')).statusCode).toBe(403);
    expect(await everything()).toEqual(before);

    expect((await put('A2', 'U0', 'securityClearance=RESTRICTED')).statusCode).toBe(200);
    expect((await put('A2', 'U0', 'authorizationRole=groupAdmin')).statusCode).toBe(200);
    expect((await row('U0')).role).toBe('groupAdmin');
    await put('SA', 'U0', 'authorizationRole=user&securityClearance=1');
  });

  /** Everything that the accounts are and may; when each was last here is no change. */
  const everything = async () => ({
    users: (await db.selectFrom('users').selectAll().orderBy('id').execute()).map((one) => ({
      ...one,
      last_access: 0,
    })),
    groups: await db.selectFrom('user_usergroups').selectAll().orderBy('user_id').orderBy('usergroup_id').execute(),
    administered: await db.selectFrom('user_administered').selectAll().orderBy('user_id').execute(),
  });
  /** Every way of changing, locking out or deleting an account. */
  const changesOf = (target: Subject): [string, Asked][] => [
    ['changed', { method: 'PUT', url: `/api/users/${userId(target)}?firstName=Deux` }],
    ['disabled', { method: 'PUT', url: `/api/users/${userId(target)}?disabled=1` }],
    ['changed by POST', { method: 'POST', url: `/api/users/${userId(target)}?firstName=Deux` }],
    ['moved', { method: 'PUT', url: '/api/users', payload: { users: [userId(target)], add: [groups.G1], remove: [] } }],
    [
      'given a password',
      { method: 'PUT', url: `/api/users/${userId(target)}/password`, payload: { password: 'k9#zQ7!p' } },
    ],
    ['sent a link', { method: 'POST', url: `/api/users/${userId(target)}/link` }],
    ['deleted', { method: 'DELETE', url: `/api/users?users=${target}` }],
  ];

  it('T-019 let a groupAdmin work inside the administered groups alone, and never on rights', async () => {
    expect((await put('GA', 'U1', 'firstName=Une')).statusCode).toBe(200);
    const before = await everything();

    for (const [what, call] of changesOf('U2')) {
      expect([what, (await asUser('GA').inject(call)).statusCode]).toEqual([what, 404]);
    }
    for (const query of [
      `usergroups=${groups.G1},${groups.G2}`,
      'securityClearance=1',
      'authorizationRole=groupAdmin',
      `usergroupsAdmin=${groups.G1}`,
    ]) {
      expect([query, (await put('GA', 'U1', query)).statusCode]).toEqual([query, 403]);
    }
    const bulk = { users: [userId('U1')], add: [groups.G2], remove: [] };
    expect((await asUser('GA').inject({ method: 'PUT', url: '/api/users', payload: bulk })).statusCode).toBe(403);
    const list = (await asUser('GA').inject({ method: 'GET', url: '/api/users' })).json() as { username: string }[];
    // A2 is in G1 too: seen, but out of reach.
    expect(list.map(({ username }) => username).sort()).toEqual(['A2', 'GA', 'U1']);
    for (const [what, call] of changesOf('A2')) {
      expect([what, (await asUser('GA').inject(call)).statusCode]).toEqual([what, 403]);
    }
    for (const more of [
      { usergroups: [groups.G2] },
      { usergroupsAdmin: [groups.G1] },
      { authorizationRole: 'groupAdmin' },
      { securityClearance: 2 },
    ]) {
      const payload = { ...newcomer, ...more };
      const made = await asUser('GA').inject({ method: 'POST', url: '/api/users', payload });
      expect([more, made.statusCode]).toEqual([more, 400]);
    }

    expect(await everything()).toEqual(before);
    const made = await asUser('GA').inject({ method: 'POST', url: '/api/users', payload: newcomer });
    const { _id: id } = made.json() as { _id: string };
    const after = await everything();
    expect(after.users.find((one) => one.id === id)).toMatchObject({ role: 'user', clearance: 1 });
    const held = after.groups.filter(({ user_id }) => user_id === id).map(({ usergroup_id }) => usergroup_id);
    expect(held.sort()).toEqual([groups.Demo, groups.G1].sort());
    await asUser('SA').inject({ method: 'DELETE', url: `/api/users?users=${newcomer.username}` });
  });

  it('lose what they control with the role groupAdmin, and with it what they saw by that alone', async () => {
    const id = await addMission(db, { classification: 1, audience: 'groups', state: 'Ready' });
    await db.insertInto('mission_usergroups').values({ mission_id: id, usergroup_id: groups.G2 }).execute();
    const sees = async () => (await asUser('U0').inject({ method: 'GET', url: `/api/missions/${id}` })).statusCode;
    const controls = () =>
      db.selectFrom('user_administered').select('usergroup_id').where('user_id', '=', userId('U0')).execute();
    await put('SA', 'U0', `usergroupsAdmin=${groups.G2}`);
    expect([await sees(), await controls()]).toEqual([404, []]);
    await put('SA', 'U0', `authorizationRole=groupAdmin&usergroupsAdmin=${groups.G2}`);
    expect(await sees()).toBe(200);

    await put('SA', 'U0', 'authorizationRole=user');

    expect([await sees(), await controls()]).toEqual([404, []]);
  });

  it('see nothing by a controlled group while they are no groupAdmin, even if rows are left', async () => {
    const id = await addMission(db, { classification: 1, audience: 'groups', state: 'Ready' });
    await db.insertInto('mission_usergroups').values({ mission_id: id, usergroup_id: groups.G2 }).execute();
    await db
      .insertInto('user_administered')
      .values({ user_id: userId('U0'), usergroup_id: groups.G2 })
      .execute();

    const own = await asUser('U0').inject({ method: 'GET', url: '/api/users/groups' });
    const one = await asUser('U0').inject({ method: 'GET', url: `/api/missions/${id}` });
    const listed = await asUser('U0').inject({ method: 'GET', url: '/api/missions/brief' });
    const members = await asUser('SA').inject({ method: 'GET', url: `/api/users?usergroups=${groups.G2}` });
    await db.deleteFrom('user_administered').where('user_id', '=', userId('U0')).execute();

    expect(own.json()).toMatchObject({ usergroups: [{ name: 'Demo' }], usergroupsAdmin: [] });
    expect(one.statusCode).toBe(404);
    expect(listed.body).not.toContain(id);
    expect((members.json() as { username: string }[]).map(({ username }) => username)).toEqual(['U2']);
  });

  it.each([
    ['changed', () => put('A2', 'U0', 'firstName=Zero')],
    [
      'changed in bulk',
      () =>
        asUser('A2').inject({
          method: 'PUT',
          url: '/api/users',
          payload: { users: [userId('U0')], add: [groups.G1], remove: [] },
        }),
    ],
    ['locked out', () => asUser('A2').inject({ method: 'POST', url: `/api/users/${userId('U0')}/link` })],
    ['deleted', () => asUser('A2').inject({ method: 'DELETE', url: '/api/users?users=U0' })],
  ])('are not %s by an equal who was above them when asking', async (_, change) => {
    const promotion = await db.startTransaction().execute();
    await promotion.updateTable('users').set({ role: 'admin' }).where('id', '=', userId('U0')).execute();

    // An injected request begins when it is awaited.
    const answer = change().then(({ statusCode }) => statusCode);
    await vi.waitUntil(async () => (await waitingForLock(db)) > 0);
    await promotion.commit().execute();

    expect(await answer).toBe(403);
    await db.updateTable('users').set({ role: 'user' }).where('id', '=', userId('U0')).execute();
    expect(await row('U0')).toMatchObject({ disabled: false, groups: 1 });
  });

  it('T-020 keep guest and superAdmin as they are, for any caller', async () => {
    const before = await everything();
    for (const by of subjectNames) {
      for (const target of ['guest', 'SA'] as const) {
        // A caller who sees no accounts of others gets the answer of an absent one.
        const refused = by === 'SA' || by === 'A2' ? [403] : [403, 404];
        for (const [what, call] of changesOf(target)) {
          const { statusCode } = await asUser(by).inject(call);
          expect(refused, `${target} ${what} by ${by}`).toContain(statusCode);
        }
      }
    }
    expect(await everything()).toEqual(before);
  });

  it('refuse unknown groups and never lose Demo', async () => {
    expect((await put('SA', 'U0', `usergroups=${crypto.randomUUID()}`)).json()).toMatchObject({
      code: 'unknownUsergroup',
    });
    expect((await put('SA', 'U0', 'usergroups=')).statusCode).toBe(200);
    expect((await row('U0')).groups).toBe(1);
  });

  it('take each field by POST as by PUT', async () => {
    const id = await makeUser(db, { name: 'Posted', role: 'user', clearance: 1 });
    const fields = {
      firstName: 'Ada',
      lastName: 'Mast',
      company: 'Survey',
      email: 'ada@example.org',
      country: 'Malta',
    };
    const rights = { authorizationRole: 'groupAdmin', securityClearance: 'CONFIDENTIAL' };
    const query = { ...fields, ...rights, usergroups: `${groups.Demo},${groups.G2}`, usergroupsAdmin: groups.G1 };

    const url = `/api/users/${id}?${new URLSearchParams(query)}`;
    const answer = await asUser('SA').inject({ method: 'POST', url });

    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'User Posted updated.' }]);
    const read = (await asUser('SA').inject({ method: 'GET', url: `/api/users/${id}` })).json() as User;
    expect(read).toMatchObject({ ...fields, ...rights, usergroupsAdmin: [groups.G1] });
    expect(new Set(read.usergroups)).toEqual(new Set([groups.Demo, groups.G2]));
  });

  it('are deleted all or none; id and name stay, and are not given again', async () => {
    const signIn = (password = newcomer.password) =>
      server.inject({ method: 'POST', url: '/api/login', payload: { username: 'One', password } });
    const add = (username: string) =>
      asUser('SA').inject({ method: 'POST', url: '/api/users', payload: { ...newcomer, username } });
    expect((await add('One')).json()).toMatchObject({ disabled: false });
    await add('Two');
    const { id } = await db.selectFrom('users').select('id').where('username', '=', 'One').executeTakeFirstOrThrow();
    const login = await signIn();
    expect(login.statusCode).toBe(200);
    const headers = {
      authorization: basicOf('One', (login.json() as { credential: string }).credential),
      cookie: `${login.cookies[0]!.name}=${login.cookies[0]!.value}`,
    };
    const whoAmI = () => server.inject({ method: 'GET', url: '/api/users/authenticated', headers });
    expect((await whoAmI()).json()).toMatchObject({ username: 'One' });
    const written = await addDocument(db, { author_id: id, author: 'One' });
    await db.insertInto('user_administered').values({ user_id: id, usergroup_id: groups.G1 }).execute();
    const link = { user_id: id, secret_hash: Buffer.alloc(32), created: 1, expires: 9e15 };
    await db.insertInto('password_links').values(link).execute();
    const ofIt = async () => {
      const tables = ['user_usergroups', 'user_administered', 'credentials', 'password_links'] as const;
      const found = tables.map((table) => db.selectFrom(table).select('user_id').where('user_id', '=', id).execute());
      return (await Promise.all(found)).map(({ length }) => length);
    };
    expect(await ofIt()).toEqual([1, 1, 1, 1]);
    const remove = (names: string) => asUser('A2').inject({ method: 'DELETE', url: `/api/users?users=${names}` });

    expect((await remove('One,Nobody')).statusCode).toBe(404);
    expect((await remove('One,Two')).statusCode).toBe(200);
    expect((await remove('One')).statusCode).toBe(404);
    expect((await add('ONE')).json()).toMatchObject({ code: 'userNameTaken' });
    const [stored] = await db.selectFrom('users').selectAll().where('username', '=', 'One').execute();
    const personal = { first_name: '', last_name: '', company: '', email: '', country: '', last_access: null };
    expect(stored).toMatchObject({ id, ...personal, password_hash: null });
    expect(await ofIt()).toEqual([0, 0, 0, 0]);
    expect([(await signIn()).statusCode, (await whoAmI()).statusCode]).toEqual([401, 401]);
    const get = async (url: string) => (await asUser('SA').inject({ method: 'GET', url })).json();
    expect(await get(`/api/audit?actor=${id}&action=login`)).toMatchObject([{ actor: { _id: id, username: 'One' } }]);
    expect(await get(`/api/documents/${written}`)).toMatchObject({ author: 'One' });
    const { author_id } = await db
      .selectFrom('documents')
      .selectAll()
      .where('id', '=', written)
      .executeTakeFirstOrThrow();
    expect(author_id).toBe(id);
    const listed = (await asUser('SA').inject({ method: 'GET', url: '/api/users' })).json() as { username: string }[];
    expect(listed.map(({ username }) => username)).not.toContain('One');
  });

  it('leave no second factor when they are deleted', async () => {
    const id = await makeUser(db, { name: 'Factored', role: 'user', clearance: 1 });
    await db.insertInto('second_factors').values({ user_id: id, secret: 's', created: 1, confirmed: 1 }).execute();
    await db
      .insertInto('recovery_codes')
      .values({ user_id: id, code_hash: Buffer.from('x') })
      .execute();

    await asUser('A2').inject({ method: 'DELETE', url: '/api/users?users=Factored' });

    const factors = await db.selectFrom('second_factors').selectAll().where('user_id', '=', id).execute();
    const codes = await db.selectFrom('recovery_codes').selectAll().where('user_id', '=', id).execute();
    expect([factors, codes]).toEqual([[], []]);
  });
});

describe('usergroups', async () => {
  const { db, asUser, groups } = await testServer();
  const get = async (name: Subject) =>
    ((await asUser(name).inject({ method: 'GET', url: '/api/usergroups' })).json() as { name: string }[]).map(
      (group) => group.name,
    );

  const groupOf = async (requested: string) => {
    const all = (await asUser('SA').inject({ method: 'GET', url: '/api/usergroups' })).json() as Usergroup[];
    return all.find(({ name }) => name === requested);
  };

  it('are all shown to admins, and to everybody else their own', async () => {
    expect(await get('SA')).toEqual(['Demo', 'G1', 'G2']);
    expect(await get('U1')).toEqual(['Demo', 'G1']);
    expect(await get('guest')).toEqual(['Demo']);
  });

  it('T-020 keep Demo as it is, for any caller', async () => {
    const demo = () => db.selectFrom('usergroups').selectAll().where('id', '=', groups.Demo).execute();
    const before = await demo();
    for (const by of subjectNames) {
      const change = await asUser(by).inject({
        method: 'PUT',
        url: `/api/usergroups/${groups.Demo}?securityClassification=5`,
      });
      const remove = await asUser(by).inject({ method: 'DELETE', url: '/api/usergroups?usergroups=Demo&confirm=1' });

      expect([by, change.statusCode, remove.statusCode]).toEqual([by, 403, 403]);
    }
    expect(await demo()).toEqual(before);
  });

  it('T-041 that are the only audience of a mission go only when confirmed, and then no other account sees it', async () => {
    const id = await addMission(db, { classification: 1, audience: 'groups', state: 'Ready' });
    await db.insertInto('mission_usergroups').values({ mission_id: id, usergroup_id: groups.G2 }).execute();
    const remove = (confirm: string) =>
      asUser('A2').inject({ method: 'DELETE', url: `/api/usergroups?usergroups=G2${confirm}` });
    const sees = async (name: Subject) =>
      (await asUser(name).inject({ method: 'GET', url: `/api/missions/${id}` })).statusCode;
    expect(await sees('U2')).toBe(200);

    expect((await remove('')).json()).toMatchObject({ code: 'usergroupInUse', values: { name: 'G2', count: '1' } });
    expect((await remove('&confirm=1')).statusCode).toBe(200);

    expect([await sees('SA'), await sees('A2'), await sees('U2'), await sees('U0')]).toEqual([200, 404, 404, 404]);
  });

  it('T-041 name the missions, documents and platforms that would be visible to no account, as far as the caller may know', async () => {
    const label = (classification: number) => ({ classification, audience: 'groups' as const });
    const mission = await addMission(db, { ...label(1), name: 'only-g1', state: 'Ready' });
    await db.insertInto('mission_usergroups').values({ mission_id: mission, usergroup_id: groups.G1 }).execute();
    await addDocument(db, { ...label(3), title: 'above the admin' }, [groups.G1]);
    const document = await addDocument(db, { ...label(2), title: 'for the admin' }, [groups.G1]);
    await addDocument(db, { ...label(1), title: 'not alone' }, [groups.G1, groups.Demo]);
    const { id: platform } = await db
      .insertInto('platforms')
      .values({
        ...label(1),
        name: 'Heron',
        description: '',
        type: 'Plane',
        color: '#004dcf',
        marked: true,
        priority: 5,
        autostart: false,
        record: '{}',
        created: 0,
        updated: 0,
        deleted_time: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('platform_usergroups').values({ platform_id: platform, usergroup_id: groups.G1 }).execute();

    const only = await asUser('A2').inject({ method: 'GET', url: '/api/usergroups/only?usergroups=G1' });
    const refused = await asUser('A2').inject({ method: 'DELETE', url: '/api/usergroups?usergroups=G1' });

    expect(only.json()).toEqual({
      items: [
        { _id: mission, noun: 'missions', name: 'only-g1', label: 'UNCLASSIFIED' },
        { _id: document, noun: 'documents', name: 'for the admin', label: 'RESTRICTED' },
        { _id: platform, noun: 'platforms', name: 'Heron', label: 'UNCLASSIFIED' },
      ],
      hidden: true,
    });
    expect(refused.json()).toMatchObject({ code: 'usergroupInUse', values: { name: 'G1', count: '4' } });
  });

  it('are made, changed, refused a taken name, and deleted by name', async () => {
    const made = await asUser('A2').inject({ method: 'POST', url: '/api/usergroups', payload: { name: 'North' } });
    const { _id } = made.json() as { _id: string };
    const taken = await asUser('A2').inject({ method: 'POST', url: '/api/usergroups', payload: { name: 'North' } });
    const changed = await asUser('A2').inject({
      method: 'PUT',
      url: `/api/usergroups/${_id}?description=Cold&securityClassification=SECRET&liveModes=Preview`,
    });

    expect(made.json()).toMatchObject({ securityClassification: 'UNCLASSIFIED', liveModes: [] });
    expect(taken.json()).toMatchObject({ code: 'usergroupNameTaken' });
    expect(changed.json()).toMatchObject({ name: 'North', description: 'Cold', securityClassification: 'SECRET' });
    expect((await groupOf('North'))?.liveModes).toEqual(['Preview']); // S2-038
    const deleted = await asUser('SA').inject({ method: 'DELETE', url: '/api/usergroups?usergroups=North&confirm=1' });
    expect(deleted.statusCode).toBe(200);
    const left = (await asUser('SA').inject({ method: 'GET', url: '/api/usergroups' })).json() as { name: string }[];
    expect(left.map(({ name }) => name)).not.toContain('North');
  });
});
