import { describe, expect, it } from 'vitest';
import { basicOf, testServer } from '../../../test/server.ts';
import { opensAccounts } from '../../base/http/account-calls.ts';
import { contractCalls } from '../../base/http/calls.ts';
import { credentialRepository } from './credentials.ts';

const opening = contractCalls().filter(({ call }) => opensAccounts(call));
const SOME_ID = '6f1c1f2e-8f7b-4f57-9d38-7a8a3a3f0c11';

describe('calls that open accounts', () => {
  it('are found by what they take and answer', () => {
    expect(opening.map(({ name }) => name).sort()).toEqual([
      'changeOwnPassword',
      'confirmSecondFactor',
      'createApiCredential',
      'createConferenceToken',
      'createUser',
      'guestSession',
      'inviteUser',
      'login',
      'offerSecondFactor',
      'offerSecondFactorAtLogin',
      'openSingleSignOn',
      'removeSecondFactor',
      'removeSecondFactorOf',
      'renewRecoveryCodes',
      'resetByLink',
      'resetPassword',
      'runSetup',
      'usePasswordLink',
    ]);
    expect(opening.filter(({ call }) => !call.errors.includes('forbidden')).map(({ name }) => name)).toEqual([]);
  });
});

describe('the credential of a program', async () => {
  const server = await testServer();
  const credentials = credentialRepository({ db: server.db, nowUs: () => Date.now() * 1000 });
  const own = { userId: server.userId('SA'), client: 'a program', address: '127.0.0.1', cookie: false };
  const lived = await credentials.make({ ...own, script: { lifeMs: 3_600_000 } });
  const device = await credentials.make(own);

  it.each(opening.map(({ name, call }) => [name, call] as const))(
    'gets 403 from %s, and changes nothing',
    async (_, call) => {
      const before = await server.db.selectFrom('credentials').select('id').execute();
      for (const { secret } of [lived, device]) {
        const answer = await server.inject({
          method: call.method,
          url: `/api${call.path.replace(':id', SOME_ID)}`,
          headers: { authorization: basicOf('SA', secret) },
          ...(call.method === 'DELETE' ? {} : { payload: {} }),
        });
        expect(answer.statusCode).toBe(403);
        expect(answer.json()).toMatchObject({ code: 'forbidden' });
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
      expect(await server.db.selectFrom('credentials').select('id').execute()).toHaveLength(before.length);
    },
  );

  it('still reads, and ends itself', async () => {
    const headers = { authorization: basicOf('SA', device.secret) };

    const list = await server.inject({ method: 'GET', url: '/api/credentials', headers });
    const ended = await server.inject({ method: 'DELETE', url: `/api/credentials/${device.id}`, headers });

    expect([list.statusCode, ended.statusCode]).toEqual([200, 200]);
  });
});

it('a browser of the same account gets a credential', async () => {
  const server = await testServer();

  const answer = await server
    .asUser('SA')
    .inject({ method: 'POST', url: '/api/credentials', payload: { name: 'a program', days: 1 } });

  expect(answer.statusCode).toBe(200);
});
