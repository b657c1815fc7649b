import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { basicOf, testServer } from '../../../test/server.ts';
import { credentialRepository } from './credentials.ts';
import { passwordHashes } from './password-hashes.ts';

const PASSWORD = 'correct horse battery';
const START_US = Date.UTC(2026, 5, 1, 9) * 1000;
let nowUs = START_US;

const server = await testServer({
  clock: { nowMs: () => performance.now() + (nowUs - START_US) / 1000, nowUs: () => nowUs },
  config: { secondFactorOf: ['admin'] },
});
const { db, inject, asUser } = server;
const hashes = passwordHashes({ nowMs: () => performance.now() });
for (const name of ['U0', 'U1', 'U2', 'A2', 'GA'] as const) {
  const password_hash = await hashes.hash(PASSWORD);
  await db.updateTable('users').set({ password_hash }).where('id', '=', server.userId(name)).execute();
}

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowUs / 1000 });
/** The next code is another one. */
const later = (seconds = 30) => {
  nowUs += seconds * 1e6;
};

const login = (username: string, code?: string, password = PASSWORD, remoteAddress = '127.0.0.1') =>
  inject({
    method: 'POST',
    url: '/api/login',
    payload: { username, password, ...(code ? { code } : {}) },
    remoteAddress,
  });

type Name = Parameters<typeof asUser>[0];
/** Sessions that were opened since. */
const opened = new Map<Name, { authorization: string; cookie: string }>();
const call = (name: Name, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
  asUser(name).inject({ method, url: `/api${url}`, headers: { ...opened.get(name) }, ...(payload ? { payload } : {}) });

async function enrol(name: Name): Promise<{ secret: string; recoveryCodes: string[] }> {
  const offer = await call(name, 'POST', '/second-factor', { password: PASSWORD });
  const { secret } = offer.json() as { secret: string };
  const confirmed = await call(name, 'PUT', '/second-factor', { code: codeOf(secret) });
  later();
  return { secret, ...(confirmed.json() as { recoveryCodes: string[] }) };
}

describe('a second factor of one’s own choice', () => {
  it('counts once a first code was given back, and then the password alone opens no session', async () => {
    const offer = await call('U1', 'POST', '/second-factor', { password: PASSWORD });
    const { secret, uri, picture } = offer.json() as { secret: string; uri: string; picture: string };
    expect(uri).toContain(`secret=${secret}`);
    expect(picture).toMatch(/^data:image\/png;base64,/);
    expect((await login('U1')).statusCode).toBe(200);

    const confirmed = await call('U1', 'PUT', '/second-factor', { code: codeOf(secret) });
    later();

    expect((confirmed.json() as { recoveryCodes: string[] }).recoveryCodes).toHaveLength(10);
    expect((await login('U1')).json()).toMatchObject({ code: 'secondFactorNeeded' });
    expect((await login('U1', codeOf(secret))).statusCode).toBe(200);
    expect((await call('U1', 'POST', '/second-factor', { password: PASSWORD })).json()).toMatchObject({
      code: 'secondFactorThere',
    });
  });

  it('ends the sessions from before, also one that the password alone was just opening', async () => {
    const userId = server.userId('GA');
    const credentials = credentialRepository({ db, nowUs: () => nowUs });
    const { epoch } = await db.selectFrom('users').select('epoch').where('id', '=', userId).executeTakeFirstOrThrow();
    const byPassword = { userId, epoch, client: 'other', address: '', cookie: true };
    await credentials.make(byPassword);

    await enrol('GA');
    const late = credentials.make(byPassword);

    await expect(late).rejects.toMatchObject({ code: 'unauthorized' });
    expect((await credentials.list(userId)).map(({ client }) => client)).not.toContain('other');
  });

  it('takes each code once, also when it comes twice at the same moment', async () => {
    const { secret } = await enrol('U2');

    const answers = await Promise.all([login('U2', codeOf(secret)), login('U2', codeOf(secret))]);
    const again = await login('U2', codeOf(secret));

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
    expect(again.json()).toMatchObject({ code: 'wrongSecondFactor' });
  });

  it('opens by each recovery code once, and by the new ones alone after they were renewed', async () => {
    later();
    const state = (await call('U2', 'GET', '/second-factor')).json() as { recoveryCodesLeft: number };
    await db.deleteFrom('second_factors').where('user_id', '=', server.userId('U2')).execute();
    const { secret, recoveryCodes } = await enrol('U2');
    const [first = '', second = ''] = recoveryCodes;

    expect(state.recoveryCodesLeft).toBe(10);
    expect((await login('U2', first.toLowerCase().replace('-', ' '))).statusCode).toBe(200);
    expect((await login('U2', first)).statusCode).toBe(401);
    expect((await call('U2', 'GET', '/second-factor')).json()).toMatchObject({ enabled: true, recoveryCodesLeft: 9 });

    const renewed = await call('U2', 'POST', '/second-factor/recovery-codes', { code: codeOf(secret) });
    const [fresh = ''] = (renewed.json() as { recoveryCodes: string[] }).recoveryCodes;
    expect((await login('U2', second)).statusCode).toBe(401);
    expect((await login('U2', fresh)).statusCode).toBe(200);
  });

  it('closes the account to Basic with the password: scripts use a credential of their own', async () => {
    const answer = await inject({
      method: 'GET',
      url: '/api/users/authenticated',
      headers: { authorization: basicOf('U1', PASSWORD) },
    });

    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: 'secondFactorNeeded' });
  });

  it('leaves programs the credentials that were made for them, which end by their day and not by lying idle', async () => {
    const made = await call('U1', 'POST', '/credentials', { name: 'nightly export', days: 30 });
    const { credential, _id } = made.json() as { credential: string; _id: string };
    const whoAmI = async () => {
      const headers = { authorization: basicOf('U1', credential) };
      return (await inject({ method: 'GET', url: '/api/users/authenticated', headers })).statusCode;
    };
    const before = nowUs;

    expect(await whoAmI()).toBe(200);
    later(29 * 24 * 3600);
    expect(await whoAmI()).toBe(200);
    later(2 * 24 * 3600);
    expect(await whoAmI()).toBe(401);
    nowUs = before;
    expect((await call('U1', 'GET', '/credentials')).json()).toContainEqual(
      expect.objectContaining({ _id, client: 'nightly export', forScript: true, current: false }),
    );
    expect((await call('U1', 'DELETE', `/credentials/${_id}`)).statusCode).toBe(200);
    expect(await whoAmI()).toBe(401);
  });

  it('makes the sixth try wait after five wrong codes, but not from another address', async () => {
    later();
    const row = await call('U1', 'GET', '/second-factor');
    expect(row.json()).toMatchObject({ enabled: true });
    for (let i = 0; i < 5; i++) {
      expect((await login('U1', '000000', PASSWORD, '127.0.0.9')).json()).toMatchObject({ code: 'wrongSecondFactor' });
    }

    const sixth = await login('U1', '000000', PASSWORD, '127.0.0.9');
    const elsewhere = await login('U1', '000000', PASSWORD, '127.0.0.10');

    expect(sixth.statusCode).toBe(429);
    expect(elsewhere.statusCode).toBe(401);
  });

  it('reveals no more by many codes at once than by five', async () => {
    const tries = Array.from({ length: 12 }, () => login('U1', '000000', PASSWORD, '127.0.0.11'));

    const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode);

    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  });

  it('is removed with password and code, and neither alone', async () => {
    const { secret } = await enrol('U0');

    const withoutCode = await call('U0', 'POST', '/second-factor/remove', { password: PASSWORD, code: '000000' });
    const withoutPassword = await call('U0', 'POST', '/second-factor/remove', { password: 'x', code: codeOf(secret) });
    const both = await call('U0', 'POST', '/second-factor/remove', { password: PASSWORD, code: codeOf(secret) });

    expect([withoutCode.statusCode, withoutPassword.statusCode, both.statusCode]).toEqual([401, 401, 200]);
    expect((await login('U0')).statusCode).toBe(200);
  });

  it('is never kept readable, neither the secret nor a recovery code', async () => {
    const { secret, recoveryCodes } = await enrol('U0');

    const rows = await db.selectFrom('second_factors').selectAll().execute();
    const codes = await db.selectFrom('recovery_codes').selectAll().execute();
    const stored = JSON.stringify(rows) + codes.map(({ code_hash }) => code_hash.toString('latin1')).join();

    expect(stored).not.toContain(secret);
    for (const code of recoveryCodes) expect(stored).not.toContain(code);
  });
});

describe('a second factor that the role demands', () => {
  it('is set up at the first login, which ends the sessions from before, and cannot be removed', async () => {
    expect((await login('A2')).json()).toMatchObject({ code: 'secondFactorSetUpNeeded' });
    const byPassword = { url: '/api/users/authenticated', headers: { authorization: basicOf('A2', PASSWORD) } };
    expect((await inject({ method: 'GET', ...byPassword })).statusCode).toBe(401);
    const offer = await inject({
      method: 'POST',
      url: '/api/login/second-factor',
      payload: { username: 'A2', password: PASSWORD },
    });
    const { secret } = offer.json() as { secret: string };

    const entered = await login('A2', codeOf(secret));
    later();
    expect((await call('A2', 'GET', '/second-factor')).statusCode).toBe(401);
    const { credential } = entered.json() as { credential: string };
    const cookie = entered.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    opened.set('A2', { authorization: basicOf('A2', credential), cookie });
    const removed = await call('A2', 'POST', '/second-factor/remove', { password: PASSWORD, code: codeOf(secret) });

    expect((entered.json() as { recoveryCodes: string[] }).recoveryCodes).toHaveLength(10);
    expect(removed.json()).toMatchObject({ code: 'secondFactorDemanded' });
    expect((await login('A2', codeOf(secret))).statusCode).toBe(200);
  });

  it('is offered at the login to no other account', async () => {
    const url = '/api/login/second-factor';
    const offered = await inject({ method: 'POST', url, payload: { username: 'A2', password: PASSWORD } });
    const voluntary = await inject({ method: 'POST', url, payload: { username: 'U0', password: PASSWORD } });
    const stranger = await inject({ method: 'POST', url, payload: { username: 'nobody', password: PASSWORD } });

    expect([offered.statusCode, voluntary.statusCode, stranger.statusCode]).toEqual([409, 409, 401]);
  });
});

describe('a lost second factor', () => {
  it('is taken away by an admin over lower roles, which ends the sessions; no other role can', async () => {
    const url = `/users/${server.userId('U1')}/second-factor`;
    const shown = async () => (await call('A2', 'GET', `/users/${server.userId('U1')}`)).json();
    expect(await shown()).toMatchObject({ secondFactor: true });
    const before = await db.selectFrom('credentials').select('id').where('user_id', '=', server.userId('U1')).execute();

    const byUser = await call('U2', 'DELETE', url);
    const ofAdmin = await call('A2', 'DELETE', `/users/${server.userId('SA')}/second-factor`);
    const byAdmin = await call('A2', 'DELETE', url);

    expect([byUser.statusCode, ofAdmin.statusCode, byAdmin.statusCode]).toEqual([403, 403, 200]);
    expect(await shown()).toMatchObject({ secondFactor: false });
    expect(before.length).toBeGreaterThan(0);
    expect((await login('U1')).statusCode).toBe(200);
  });
});
