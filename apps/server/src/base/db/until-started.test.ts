import { expect, it } from 'vitest';
import { testDatabaseAt } from '../../../test/database.ts';
import { stallingProxy } from '../../../test/stalling-proxy.ts';
import { untilStarted } from './until-started.ts';

/** ErrorResponse of the protocol of PostgreSQL: fields of a letter and a text. */
function refusal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}

it('waits for a database that is starting, and says so once', async () => {
  const { url } = await testDatabaseAt();
  const proxy = await stallingProxy(url);
  const said: string[] = [];
  proxy.refuse(2, refusal('57P03', 'the database system is starting up'));

  await untilStarted(proxy.url, (words) => said.push(words));

  expect(proxy.refusals()).toBe(0);
  expect(said).toEqual(['the database system is starting up']);
});

it('does not wait for one that refuses for another reason', async () => {
  const { url } = await testDatabaseAt();
  const proxy = await stallingProxy(url);
  proxy.refuse(2, refusal('28P01', 'password authentication failed'));

  await untilStarted(proxy.url, () => expect.unreachable());

  expect(proxy.refusals()).toBe(1);
});
