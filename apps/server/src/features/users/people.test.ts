import { can, PASSWORD_LINK_MS, type User } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { addMission } from '../../../test/missions.ts';
import { makeUser, type Subject, testServer } from '../../../test/server.ts';
import { accountFacts } from './rows.ts';

let laterUs = 0;
const server = await testServer({
  clock: { nowMs: () => performance.now() + laterUs / 1000, nowUs: () => Date.now() * 1000 + laterUs },
});
const { db, asUser, inject, userId, groups } = server;

const get = async (by: Subject, url: string) => {
  const answer = await asUser(by).inject({ method: 'GET', url: `/api${url}` });
  return { rows: answer.json() as User[], headers: answer.headers, status: answer.statusCode };
};
const namesOf = async (by: Subject, query: string) =>
  (await get(by, `/users?${query}`)).rows.map((one) => one.username);
const post = (by: Subject, url: string, payload?: object) =>
  asUser(by).inject({ method: 'POST', url: `/api${url}`, ...(payload ? { payload } : {}) });
const bulk = (by: Subject, payload: object) => asUser(by).inject({ method: 'PUT', url: '/api/users', payload });
const reset = (token: string, password: string) =>
  inject({ method: 'POST', url: '/api/reset', payload: { token, password } });

describe('the list of accounts', () => {
  it('finds words in names, company and email literally, and narrows by role, state, group and who is online', async () => {
    await db
      .updateTable('users')
      .set({ first_name: 'Una', last_name: 'Berg_5%', company: 'Harbour' })
      .where('id', '=', userId('U1'))
      .execute();

    expect(await namesOf('SA', 'search=una%20harb')).toEqual(['U1']);
    expect(await namesOf('SA', 'search=BERG_5%25')).toEqual(['U1']);
    expect(await namesOf('SA', 'search=b%25g')).toEqual([]);
    expect(await namesOf('SA', 'roles=admin,groupAdmin')).toEqual(['A2', 'GA']);
    expect(await namesOf('SA', `usergroups=${groups.G2}`)).toEqual(['U2']);
    expect(await namesOf('SA', 'online=1')).toEqual([]);
    expect(await namesOf('SA', 'states=active')).toEqual(['guest']);
  });

  it('comes in pages that meet without a gap, in every order', async () => {
    for (const sort of ['username', '-clearance', 'role', '-lastAccess', 'company', 'name', '-registered']) {
      const all = await namesOf('SA', `sort=${sort}`);
      const seen: string[] = [];
      let after = '';
      for (let page = 0; page < 10; page += 1) {
        const { rows, headers } = await get('SA', `/users?sort=${sort}&limit=3&count=1${after}`);
        expect(headers['x-total-count']).toBe(String(all.length));
        seen.push(...rows.map(({ username }) => username));
        if (!headers['x-next-after']) break;
        after = `&after=${String(headers['x-next-after'])}`;
      }
      expect([sort, seen]).toEqual([sort, all]);
    }
  });

  it('shows each role exactly the accounts that can() lets it read', async () => {
    for (const [n, own] of [[groups.G1], [groups.G1, groups.G2], [groups.G2], []].entries()) {
      const id = await makeUser(db, { name: `sight ${n}`, role: 'user', clearance: 1 });
      const links = [groups.Demo, ...own].map((usergroup_id) => ({ user_id: id, usergroup_id }));
      await db.insertInto('user_usergroups').values(links).execute();
    }
    const { rows: all } = await get('SA', '/users');
    const actor = {
      id: userId('GA'),
      username: 'GA',
      role: 'groupAdmin',
      clearance: 'CONFIDENTIAL',
      groups: [],
      administered: [groups.G1],
    } as const;

    const allowed = all.filter((one) => can(actor, 'user.read', accountFacts(one, groups.Demo)).allowed);

    expect(await namesOf('GA', '')).toEqual(allowed.map(({ username }) => username));
    expect(await namesOf('GA', '')).toEqual(['A2', 'GA', 'sight 0', 'U1']);
    expect((await get('GA', `/users/${userId('U2')}`)).status).toBe(404);
    expect((await get('GA', `/users/${userId('U1')}`)).status).toBe(200);
  });
});

describe('one-time links', () => {
  const invite = async (fields: object = {}, by: Subject = 'SA') =>
    (
      await post(by, '/users/invitations', { username: `invited ${crypto.randomUUID().slice(0, 8)}`, ...fields })
    ).json() as {
      userId: string;
      username: string;
      token: string;
      expires: number;
    };

  it('set the password once, and only their hash is kept', async () => {
    const { token, userId: id, username } = await invite({ usergroups: [groups.G1], securityClearance: 'SECRET' });
    const [stored] = await db.selectFrom('password_links').selectAll().where('user_id', '=', id).execute();
    expect(JSON.stringify(stored)).not.toContain(token);
    expect((await get('SA', `/users/${id}`)).rows).toMatchObject({ state: 'invited', securityClearance: 'SECRET' });

    expect((await reset(token, 'short')).json()).toMatchObject({ code: 'passwordTooShort' });
    const both = await Promise.all([reset(token, 'Petrel-by-night-1'), reset(token, 'Petrel-by-night-2')]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
    expect((await reset(token, 'Petrel-by-night-3')).json()).toMatchObject({ code: 'linkNotGood' });
    const won = both[0].statusCode === 200 ? 'Petrel-by-night-1' : 'Petrel-by-night-2';
    const login = await inject({ method: 'POST', url: '/api/login', payload: { username, password: won } });
    expect(login.statusCode).toBe(200);
    const rows = await db.selectFrom('audit').select('action').where('item_id', '=', id).orderBy('seq').execute();
    expect(rows.map(({ action }) => action)).toEqual(['user.invite', 'password.setByLink', 'login']);
  });

  it('end after 24 hours, with the next link, and with the account', async () => {
    const old = await invite();
    const newer = (await post('SA', `/users/${old.userId}/link`)).json() as { token: string };
    expect((await reset(old.token, 'Petrel-by-night-1')).statusCode).toBe(404);
    const disabled = await invite();
    await bulk('SA', { users: [disabled.userId], disabled: true });
    expect((await reset(disabled.token, 'Petrel-by-night-1')).statusCode).toBe(404);
    const look = () => inject({ method: 'POST', url: '/api/reset/look', payload: { token: newer.token } });
    expect((await look()).json()).toMatchObject({ username: old.username, passwordMin: 8 });

    laterUs = PASSWORD_LINK_MS * 1000 + 1;
    expect((await look()).json()).toMatchObject({ code: 'linkNotGood' });
    expect((await reset(newer.token, 'Petrel-by-night-1')).statusCode).toBe(404);
    laterUs = 0;
  });

  it('take the old password and every session away at once', async () => {
    const { token, userId: id, username } = await invite();
    await reset(token, 'Petrel-by-night-1');
    const login = () =>
      inject({ method: 'POST', url: '/api/login', payload: { username, password: 'Petrel-by-night-1' } });
    expect((await login()).statusCode).toBe(200);

    expect((await post('A2', `/users/${id}/link`)).statusCode).toBe(200);

    expect((await login()).statusCode).toBe(401);
    expect(await db.selectFrom('credentials').selectAll().where('user_id', '=', id).execute()).toEqual([]);
  });

  it('are given only by accounts that may give what comes with them', async () => {
    const asked = (by: Subject, fields: object) =>
      post(by, '/users/invitations', { username: crypto.randomUUID(), ...fields }).then(({ statusCode }) => statusCode);

    expect(await asked('A2', { authorizationRole: 'admin' })).toBe(403);
    expect(await asked('A2', { securityClearance: 'SECRET' })).toBe(403);
    expect(await asked('GA', { securityClearance: 'RESTRICTED' })).toBe(403);
    expect(await asked('GA', { usergroupsAdmin: [groups.G1] })).toBe(403);
    expect(await asked('GA', { usergroups: [groups.G2] })).toBe(403);
    expect(await asked('GA', {})).toBe(200);
    for (const target of ['SA', 'guest', 'A2'] as const)
      expect((await post('A2', `/users/${userId(target)}/link`)).statusCode).toBe(403);
  });
});

describe('several accounts', () => {
  it('change all or none, and never lose Demo', async () => {
    const ids = [userId('U0'), userId('U1')];
    expect((await bulk('SA', { users: [...ids, userId('guest')], disabled: true })).statusCode).toBe(403);
    expect((await bulk('SA', { users: [...ids, crypto.randomUUID()], disabled: true })).statusCode).toBe(404);
    expect((await bulk('SA', { users: ids, add: [crypto.randomUUID()] })).statusCode).toBe(422);
    expect((await get('SA', `/users/${userId('U0')}`)).rows).toMatchObject({ disabled: false });

    expect((await bulk('SA', { users: ids, add: [groups.G2], remove: [groups.Demo] })).json()).toEqual({
      message: '2 users updated.',
    });
    const { usergroups } = (await get('SA', `/users/${userId('U0')}`)).rows as unknown as User;
    expect(usergroups.sort()).toEqual([groups.Demo, groups.G2].sort());
    await bulk('SA', { users: ids, remove: [groups.G2] });
  });

  it('stay inside what a groupAdmin administers', async () => {
    const one = [userId('U1')];
    expect((await bulk('GA', { users: one, add: [groups.G2] })).statusCode).toBe(403);
    expect((await bulk('GA', { users: one, remove: [groups.G1] })).statusCode).toBe(403);
    expect((await bulk('GA', { users: one, disabled: true })).statusCode).toBe(403);
    expect((await bulk('GA', { users: [userId('U2')], add: [groups.G1] })).statusCode).toBe(404);
    expect((await bulk('GA', { users: one, add: [groups.G1] })).statusCode).toBe(200);
  });

  it('approve what has registered itself: it waits, is enabled, and does not wait again when disabled', async () => {
    const made = await inject({
      method: 'POST',
      url: '/api/users',
      payload: {
        username: 'Waiter',
        password: 'correct horse battery',
        email: 'w@example.org',
        country: 'Norway',
        first_name: 'W',
        last_name: 'W',
        company: 'W',
      },
    });
    const users = [(made.json() as { _id: string })._id];
    const state = async () => ((await get('SA', `/users/${users[0]}`)).rows as unknown as User).state;
    expect(await state()).toBe('waiting');
    await bulk('SA', { users, disabled: false });
    expect(await state()).toBe('active');
    await bulk('SA', { users, disabled: true });
    expect(await state()).toBe('disabled');
  });
});

describe('a usergroup that goes', () => {
  it('names the items that would be visible to no account, as far as the caller sees them', async () => {
    const seen = await addMission(db, { name: 'Seen', classification: 2, audience: 'groups', state: 'Ready' });
    const unseen = await addMission(db, { name: 'Unseen', classification: 3, audience: 'groups', state: 'Ready' });
    const links = [seen, unseen].map((mission_id) => ({ mission_id, usergroup_id: groups.G1 }));
    await db.insertInto('mission_usergroups').values(links).execute();

    const only = async (by: Subject) =>
      (await asUser(by).inject({ method: 'GET', url: '/api/usergroups/only?usergroups=G1' })).json() as unknown;

    expect(await only('A2')).toEqual({
      items: [{ _id: seen, noun: 'missions', name: 'Seen', label: 'RESTRICTED' }],
      hidden: true,
    });
    expect(await only('SA')).toMatchObject({ items: [{ name: 'Seen' }, { name: 'Unseen' }], hidden: false });
  });

  it('shows how many accounts it has, to those who may know', async () => {
    const counted = async (by: Subject) =>
      (await asUser(by).inject({ method: 'GET', url: '/api/usergroups?count=1' })).json() as {
        name: string;
        users?: number;
      }[];

    expect((await counted('SA')).find(({ name }) => name === 'G2')?.users).toBeGreaterThan(0);
    expect((await counted('GA')).find(({ name }) => name === 'Demo')?.users).toBeUndefined();
    expect((await counted('GA')).find(({ name }) => name === 'G1')?.users).toBeGreaterThan(0);
    expect((await counted('U1')).every(({ users }) => users === undefined)).toBe(true);
  });
});
