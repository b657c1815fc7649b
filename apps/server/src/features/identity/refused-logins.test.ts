import { describe, expect, it } from 'vitest';
import { basicOf, testServer } from '../../../test/server.ts';
import { passwordHashes } from './password-hashes.ts';

const PASSWORD = 'correct horse battery';
const TYPED = 'my-password-in-the-wrong-field';

const server = await testServer({ config: { secondFactorOf: ['admin'], basicOff: ['groupAdmin'] } });
const { db, inject, asUser, userId } = server;
const password_hash = await passwordHashes({ nowMs: () => performance.now() }).hash(PASSWORD);
await db.updateTable('users').set({ password_hash }).execute();
await db.updateTable('users').set({ disabled: true }).where('id', '=', userId('U2')).execute();

const login = (username: string, password: string) => ({
  method: 'POST' as const,
  url: '/api/login',
  payload: { username, password },
});
const basic = (username: string, password: string) =>
  inject({
    method: 'GET',
    url: '/api/users/authenticated',
    headers: { authorization: basicOf(username, password) },
  });

const lastRow = () =>
  db
    .selectFrom('audit')
    .selectAll()
    .where('action', '=', 'login')
    .where('decision', '=', 'refused')
    .orderBy('time', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();

const byNobody = { actor_id: null, role: null, clearance: null };

describe('a refused log-in', () => {
  it('names the account and the reason, and no acting account, also if the page goes on as the guest', async () => {
    const wrong = await asUser('guest').inject(login('u1', 'wrong password'));
    const known = await lastRow();
    const disabled = await asUser('guest').inject(login('U2', PASSWORD));

    expect(known).toMatchObject({ ...byNobody, item_id: userId('U1'), result: 'wrongPassword' });
    expect(await lastRow()).toMatchObject({ ...byNobody, item_id: userId('U2'), result: 'disabled' });
    expect([wrong.statusCode, disabled.statusCode]).toEqual([401, 401]);
    expect(wrong.body).toBe(disabled.body);
  });

  it('keeps nothing of what was typed where no account has that name, and answers as for one that is there', async () => {
    const unknown = await asUser('guest').inject(login(TYPED, 'wrong password'));
    const row = await lastRow();
    const known = await asUser('guest').inject(login('U1', 'wrong password'));

    expect(row).toMatchObject({ ...byNobody, item_id: null, result: 'unknownUser', reason: null });
    expect(JSON.stringify(row)).not.toContain(TYPED);
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
  });

  it.each([
    ['U1', 'wrong password', 'wrongPassword'],
    ['U2', PASSWORD, 'disabled'],
    ['A2', PASSWORD, 'secondFactorNeeded'],
    ['GA', PASSWORD, 'basicOff'],
  ] as const)('by a Basic header of %s with %s says %s', async (name, password, result) => {
    expect((await basic(name, password)).statusCode).toBe(401);

    expect(await lastRow()).toMatchObject({ ...byNobody, item_id: userId(name), result });
  });

  it('by a Basic header of an unknown name keeps nothing of it', async () => {
    await basic(TYPED, 'wrong password');

    const row = await lastRow();
    expect(row).toMatchObject({ ...byNobody, item_id: null, result: 'unknownUser' });
    expect(JSON.stringify(row)).not.toContain(TYPED);
  });

  it('keeps who is signed in and mistypes the own password', async () => {
    const request = { method: 'POST' as const, url: '/api/second-factor', payload: { password: 'wrong password' } };
    await asUser('U1').inject(request);

    expect(await lastRow()).toMatchObject({
      actor_id: userId('U1'),
      item_id: userId('U1'),
      result: 'wrongPassword',
    });
  });
});
