import type { Call } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { fieldsOf, OPENS } from '../../../test/answer-fields.ts';
import { basicOf, testServer } from '../../../test/server.ts';
import { contractCalls } from '../../base/http/calls.ts';
import { credentialRepository } from './credentials.ts';

const lasting = contractCalls().filter(({ call }) => call.lasting === true);
const SOME_ID = '6f1c1f2e-8f7b-4f57-9d38-7a8a3a3f0c11';

/** Fields of these names that open nothing, or nothing for longer than the session that asks. */
const harmless: Readonly<Record<string, string>> = {
  accessToken: 'five minutes at most, and bound to the session',
  'createDocumentToken.accessToken': 'a minute, for one document',
  'getLicenceFile.token': 'says what the site may use, and opens nothing',
  'getDashboard.secret': 'a count of items with that label',
  'createTicket.ticket': 'thirty seconds, and once',
  'createExportTicket.ticket': 'a minute, and once',
  'getInfo.credential': 'of the relay of WebRTC, ten minutes',
};

describe('calls that hand out or set what outlives a credential', () => {
  it('are those whose answers or wishes hold such a field', () => {
    const found = contractCalls().flatMap(({ name, call }) => {
      const answered = fieldsOf(call.answer).filter((field) => OPENS.test(field));
      const open = answered.filter((field) => !(field in harmless || `${name}.${field}` in harmless));
      return open.length > 0 || setsAccount(call) ? [name] : [];
    });
    expect(lasting.map(({ name }) => name).sort()).toEqual(found.sort());
    expect(lasting.filter(({ call }) => !call.errors.includes('forbidden')).map(({ name }) => name)).toEqual([]);
  });
});

/** Whether it changes a password or a second factor. */
const setsAccount = ({ method, path, input }: Call): boolean =>
  method !== 'GET' &&
  (/\/second-factor(?:\/|$)/.test(path) || fieldsOf(input).some((name) => /^(?:\w+P|p)assword$/.test(name)));

describe('the credential of a program', async () => {
  const server = await testServer();
  const credentials = credentialRepository({ db: server.db, nowUs: () => Date.now() * 1000 });
  const own = { userId: server.userId('SA'), client: 'a program', address: '127.0.0.1', cookie: false };
  const lived = await credentials.make({ ...own, script: { lifeMs: 3_600_000 } });
  const device = await credentials.make(own);

  it.each(lasting.map(({ name, call }) => [name, call] as const))(
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
