import { expect, it } from 'vitest';
import { testServer } from '../../../test/server.ts';

const chosen = { code: 'CODE', username: 'Nadir', password: 'Gulls over the mole', samples: false };

it.each([
  ['lets guests in where it was ticked', true, 200],
  ['keeps guests out where it was not', false, 401],
])('the first account has the name that was chosen, and %s', async (_, guests, guestStatus) => {
  const { inject, db } = await testServer({ setupCode: 'CODE', config: { guest: null } });

  const made = await inject({ method: 'POST', url: '/api/setup', payload: { ...chosen, guests } });

  expect([made.statusCode, made.json()]).toMatchObject([200, { username: 'Nadir', role: 'superAdmin' }]);
  // T-013
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('role', '=', 'superAdmin')
    .executeTakeFirstOrThrow();
  expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(
    await db.selectFrom('users').select(['username', 'clearance']).where('role', '=', 'superAdmin').execute(),
  ).toEqual([{ username: 'Nadir', clearance: 5 }]);
  expect((await inject({ method: 'POST', url: '/api/login/guest', payload: {} })).statusCode).toBe(guestStatus);
});

it('refuses the name of the guest, and is still to be done afterwards', async () => {
  const { inject } = await testServer({ setupCode: 'CODE', config: { guest: null } });
  const setUpAs = (username: string) =>
    inject({ method: 'POST', url: '/api/setup', payload: { ...chosen, guests: false, username } });

  const refused = await setUpAs('Guest');

  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    { code: 'userNameTaken', text: 'User Guest already exists' },
  ]);
  expect((await setUpAs('Nadir')).statusCode).toBe(200);
});

it('T-001 takes five codes a minute, wrong ones and right ones alike', async () => {
  let laterMs = 0;
  const clock = { nowMs: () => performance.now() + laterMs, nowUs: () => Date.now() * 1000 };
  const { inject } = await testServer({ setupCode: 'CODE', clock });
  const status = async (code: string) =>
    (await inject({ method: 'POST', url: '/api/setup', payload: { ...chosen, guests: false, code } })).statusCode;

  for (let n = 0; n < 5; n += 1) expect(await status('WRONG')).toBe(403);
  laterMs = 55_000;
  expect([await status('WRONG'), await status('CODE')]).toEqual([429, 429]);
  laterMs = 60_000;
  expect([await status('WRONG'), await status('CODE')]).toEqual([403, 200]);
});
