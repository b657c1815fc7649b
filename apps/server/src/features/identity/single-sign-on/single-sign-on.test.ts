import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { testIdentityProvider } from '../../../../../../tools/test-support/identity-provider.ts';
import { addMission } from '../../../../test/missions.ts';
import { redirectBrowser } from '../../../../test/redirect-browser.ts';
import { basicOf, testServer } from '../../../../test/server.ts';

const CLIENT = { clientId: 'osprey', secret: 'a secret that the provider knows too' };
const folder = await mkdtemp(join(tmpdir(), 'osprey-test-oidc-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
await writeFile(join(folder, 'secret'), `${CLIENT.secret}\n`);

const MAPPING = {
  oidcClientId: CLIENT.clientId,
  oidcClientSecretFile: join(folder, 'secret'),
  oidcRoles: ['ops-lead=admin', 'desk=groupAdmin', 'root=superAdmin'],
  oidcGroups: ['north=G1', 'south=G2', 'moon=No such group'],
  oidcClearances: ['secret=4', 'confidential=3'],
};

/** A server of Osprey that signs in at a provider of its own. */
async function serverWith(claimsIn: 'userinfo' | 'idToken') {
  const provider = await testIdentityProvider({ ...CLIENT, claimsIn });
  afterAll(provider.stop);
  const server = await testServer({ config: { oidcIssuer: provider.issuer, ...MAPPING } });
  const address = await server.listen();
  provider.register(`${address}/api/single-sign-on/callback`);
  return { provider, server, address };
}

const { provider, server, address } = await serverWith('userinfo');
const { db, inject, asUser, groups } = server;

type Session = { role: string; credential: string; username: string; from: string | null };
const atLogin = (location: string) => location.startsWith('/login');

async function signIn(subject: string, claims: Record<string, unknown>, from?: string) {
  provider.signInAs({ subject, claims });
  const browser = redirectBrowser();
  const start = `${address}/api/single-sign-on/start${from ? `?from=${encodeURIComponent(from)}` : ''}`;
  const location = await browser.follow(start, atLogin);
  const open = () =>
    browser.send(`${address}/api/single-sign-on/session`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
  return { browser, location, open };
}

const accountOf = (username: string) =>
  db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirstOrThrow();

async function groupsOf(userId: string): Promise<string[]> {
  const rows = await db.selectFrom('user_usergroups').select('usergroup_id').where('user_id', '=', userId).execute();
  return rows.map(({ usergroup_id }) => usergroup_id).sort();
}

describe('a first sign-in', () => {
  it('makes an account with what the claims give, and opens a session in the same browser, once', async () => {
    const claims = { preferred_username: 'Ida', roles: ['desk', 'ops-lead'], groups: ['north'], clearance: 'secret' };
    const { browser, location, open } = await signIn('ida-1', claims, '/missions?sort=name');

    const session = (await (await open()).json()) as Session;
    const again = await open();
    const who = await browser.send(`${address}/api/users/authenticated`, {
      headers: { authorization: basicOf(session.username, session.credential) },
    });

    expect(location).toBe('/login#single-sign-on=done');
    expect(session).toMatchObject({ role: 'admin', username: 'Ida', from: '/missions?sort=name' });
    expect(await who.json()).toMatchObject({ username: 'Ida', securityClearance: 'SECRET' });
    expect(await groupsOf((await accountOf('Ida')).id)).toEqual([groups.Demo, groups.G1].sort());
    expect(again.status).toBe(401);
  });

  it('T-118 opens the session with the ceiling that was chosen before it', async () => {
    provider.signInAs({ subject: 'lea', claims: { preferred_username: 'Lea', clearance: 'secret' } });
    const browser = redirectBrowser();
    await browser.follow(`${address}/api/single-sign-on/start?ceiling=RESTRICTED`, atLogin);
    const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    const opened = await browser.send(`${address}/api/single-sign-on/session`, init);
    const { username, credential } = (await opened.json()) as Session;

    const headers = { authorization: basicOf(username, credential) };
    const who = await browser.send(`${address}/api/users/authenticated`, { headers });

    expect(await who.json()).toMatchObject({
      securityClearance: 'RESTRICTED',
      limit: { label: 'RESTRICTED', by: 'login' },
    });
    const refused = await inject({ method: 'GET', url: '/api/single-sign-on/start?ceiling=NATO' });
    expect([refused.statusCode, refused.json()]).toMatchObject([400, { code: 'invalid' }]);
  });

  it('gives the least where nothing is mapped, and never superAdmin', async () => {
    await signIn('bo', {
      preferred_username: 'Bo',
      roles: ['root', 'superAdmin'],
      groups: ['moon'],
      clearance: 'high',
    });

    const account = await accountOf('Bo');
    expect(account).toMatchObject({ role: 'user', clearance: 1, password_hash: null });
    expect(await groupsOf(account.id)).toEqual([groups.Demo]);
    const listed = await asUser('SA').inject({ method: 'GET', url: '/api/users?search=Bo' });
    expect(listed.json()).toMatchObject([{ username: 'Bo', state: 'active' }]);
  });

  it('is another account than one of the same name or e-mail', async () => {
    const email = 'sa@example.org';
    await db.updateTable('users').set({ email }).where('username', '=', 'SA').execute();
    await signIn('mallory', { preferred_username: 'SA', email });
    await signIn('oscar', { preferred_username: 'Oscar', email });

    expect(await accountOf('SA-2')).toMatchObject({ role: 'user', clearance: 1 });
    expect(await accountOf('Oscar')).toMatchObject({ role: 'user', clearance: 1, email });
    expect(await accountOf('SA')).toMatchObject({ role: 'superAdmin', email });
    const linked = db.selectFrom('single_sign_on').select('subject').where('user_id', '=', server.userId('SA'));
    expect(await linked.execute()).toEqual([]);
  });

  it('is another account than one of the same subject at another issuer', async () => {
    await signIn('twin', { preferred_username: 'Twin', roles: ['ops-lead'] });
    const elsewhere = { issuer: 'https://id.example' };
    await db.updateTable('single_sign_on').set(elsewhere).where('subject', '=', 'twin').execute();

    await signIn('twin', { preferred_username: 'Twin' });

    expect(await accountOf('Twin')).toMatchObject({ role: 'admin' });
    expect(await accountOf('Twin-2')).toMatchObject({ role: 'user', clearance: 1 });
  });
});

describe('a later sign-in', () => {
  it('finds the account by issuer and subject, and takes rights away that the claims no longer give', async () => {
    await signIn('eve', {
      preferred_username: 'Eve',
      roles: ['ops-lead'],
      groups: ['north', 'south'],
      clearance: 'secret',
    });
    const before = await accountOf('Eve');

    await signIn('eve', { preferred_username: 'Eve renamed', groups: ['south'], clearance: 'confidential' });

    const after = await accountOf('Eve');
    expect(after).toMatchObject({ id: before.id, role: 'user', clearance: 3 });
    expect(await groupsOf(after.id)).toEqual([groups.Demo, groups.G2].sort());
  });

  it('takes control of usergroups away with the role, and with the group that the claims no longer give', async () => {
    const control = { preferred_username: 'Kim', roles: ['desk'] };
    await signIn('kim', { ...control, groups: ['north', 'south'] });
    const { id } = await accountOf('Kim');
    const give = () =>
      asUser('SA').inject({ method: 'PUT', url: `/api/users/${id}?usergroupsAdmin=${groups.G1},${groups.G2}` });
    const controls = async () => {
      const rows = await db.selectFrom('user_administered').selectAll().where('user_id', '=', id).execute();
      return rows.map(({ usergroup_id }) => usergroup_id).sort();
    };
    await give();

    await signIn('kim', { ...control, groups: ['north', 'south'] });
    expect(await controls()).toEqual([groups.G1, groups.G2].sort());
    await signIn('kim', { ...control, groups: ['south'] });
    expect(await controls()).toEqual([groups.G2]);
    await signIn('kim', { preferred_username: 'Kim', groups: ['south'] });
    expect(await controls()).toEqual([]);
  });

  it('takes from a groupAdmin who becomes user without groups the sight of everything they controlled', async () => {
    const mission = await addMission(db, { classification: 1, audience: 'groups', state: 'Ready' });
    await db.insertInto('mission_usergroups').values({ mission_id: mission, usergroup_id: groups.G1 }).execute();
    await signIn('lou', { preferred_username: 'Lou', roles: ['desk'], groups: ['north'] });
    const { id } = await accountOf('Lou');
    await asUser('SA').inject({ method: 'PUT', url: `/api/users/${id}?usergroupsAdmin=${groups.G1}` });

    const { open, browser } = await signIn('lou', { preferred_username: 'Lou' });
    const { username, credential, role } = (await (await open()).json()) as Session;

    expect(role).toBe('user');
    const get = (path: string) =>
      browser.send(`${address}/api${path}`, { headers: { authorization: basicOf(username, credential) } });
    expect((await get(`/missions/${mission}`)).status).toBe(404);
    expect(await (await get('/missions/brief')).text()).not.toContain(mission);
  });

  it('refuses an identity whose account was deleted, and makes no new account for it either', async () => {
    await signIn('ned', { preferred_username: 'Ned' });
    await asUser('SA').inject({ method: 'DELETE', url: '/api/users?users=Ned' });

    const { location } = await signIn('ned', { preferred_username: 'Ned' });

    expect(location).toBe('/login#single-sign-on=failed');
    expect(await db.selectFrom('users').select('id').where('username', 'like', 'Ned%').execute()).toHaveLength(1);
  });

  it('is refused to an account that was disabled', async () => {
    await signIn('gus', { preferred_username: 'Gus' });
    await db.updateTable('users').set({ disabled: true }).where('username', '=', 'Gus').execute();

    const { location, open } = await signIn('gus', { preferred_username: 'Gus' });

    expect(location).toBe('/login#single-sign-on=failed');
    expect((await open()).status).toBe(401);
    const row = await db
      .selectFrom('audit')
      .innerJoin('users', 'users.id', 'audit.item_id')
      .select(['users.username', 'audit.result', 'audit.actor_id'])
      .where('audit.action', '=', 'login')
      .where('audit.decision', '=', 'refused')
      .where('users.username', '=', 'Gus')
      .executeTakeFirst();
    expect(row).toEqual({ username: 'Gus', result: 'disabled', actor_id: null });
  });
});

describe('what does not belong to a sign-in of this browser', () => {
  it('opens nothing: a callback without a start, one whose state was changed, one sent twice', async () => {
    const stranger = redirectBrowser();
    const uninvited = await stranger.follow(`${address}/api/single-sign-on/callback?code=x&state=y`, atLogin);

    provider.signInAs({ subject: 'ida-1', claims: {} });
    const browser = redirectBrowser();
    const isCallback = (location: string) => location.includes('/single-sign-on/callback');
    const callback = await browser.follow(`${address}/api/single-sign-on/start`, isCallback);
    const changed = await browser.follow(callback.replace(/state=[^&]+/, 'state=changed'), atLogin);
    const twice = await browser.follow(callback, atLogin);

    expect([uninvited, changed, twice]).toEqual(Array(3).fill('/login#single-sign-on=failed'));
  });

  it('leads to no other origin', async () => {
    for (const from of ['https://example.org/', '//example.org', '/\\example.org']) {
      const url = `/api/single-sign-on/start?from=${encodeURIComponent(from)}`;
      expect((await inject({ method: 'GET', url })).statusCode).toBe(400);
    }
  });
});

describe('a server', () => {
  it('takes the claims of the ID token where the provider has no userinfo', async () => {
    const other = await serverWith('idToken');
    const claims = { preferred_username: 'Ida', roles: ['ops-lead'], groups: ['north'], clearance: 'secret' };
    other.provider.signInAs({ subject: 'ida-1', claims });

    const location = await redirectBrowser().follow(`${other.address}/api/single-sign-on/start`, atLogin);

    expect(location).toBe('/login#single-sign-on=done');
    const account = await other.server.db
      .selectFrom('users')
      .innerJoin('user_usergroups as link', 'link.user_id', 'users.id')
      .innerJoin('usergroups', 'usergroups.id', 'link.usergroup_id')
      .select(['users.role', 'users.clearance', 'usergroups.name'])
      .where('username', '=', 'Ida')
      .orderBy('usergroups.name')
      .execute();
    const rights = { role: 'admin', clearance: 4 };
    expect(account).toEqual([
      { ...rights, name: 'Demo' },
      { ...rights, name: 'G1' },
    ]);
  });

  it('says that single sign-on is there, and what it is called', async () => {
    const answer = await inject({ method: 'GET', url: '/api/info' });

    expect(answer.json()).toMatchObject({ singleSignOn: true, singleSignOnName: 'single sign-on' });
  });

  it('without an identity provider has none of these calls', async () => {
    const plain = await testServer();

    const start = await plain.inject({ method: 'GET', url: '/api/single-sign-on/start' });
    const info = await plain.inject({ method: 'GET', url: '/api/info' });

    expect(start.statusCode).toBe(404);
    expect(info.json()).toMatchObject({ singleSignOn: false });
  });

  it('says so when the identity provider does not answer', async () => {
    const lonely = await testServer({ config: { oidcIssuer: 'http://127.0.0.1:1', oidcClientId: 'osprey' } });

    const start = await lonely.inject({ method: 'GET', url: '/api/single-sign-on/start' });

    expect(start.statusCode).toBe(503);
    expect(start.json()).toMatchObject({ code: 'singleSignOnDown' });
  });
});
