import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import pino from 'pino';
import { expect, it } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { settingsOf } from './log.ts';

/** The log line of a fault. */
function logged(error: unknown): { text: string; error: Record<string, unknown> } {
  let text = '';
  const write = (line: string) => {
    text += line;
  };
  pino(settingsOf('info'), { write }).error({ error }, 'request failed');
  return { text, error: JSON.parse(text).error };
}

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail('nothing failed'),
    (error) => error,
  );

it('says what a fault is, where it happened and what brought it about', () => {
  const { error } = logged(new TypeError('no such folder', { cause: new RangeError('too deep') }));
  expect(error).toMatchObject({
    type: 'TypeError',
    message: 'no such folder',
    at: expect.arrayContaining([expect.stringContaining('faults.test.ts')]),
    cause: { type: 'RangeError', message: 'too deep' },
  });
});

it('names each of several faults, and ends with a fault that is its own cause', () => {
  const ring = new Error('ring');
  ring.cause = ring;
  const { error } = logged(new AggregateError([new Error('first'), ring], 'all failed'));
  expect(error).toMatchObject({ message: 'all failed', errors: [{ message: 'first' }, { message: 'ring' }] });
});

it('names no file, which may be called like its mission', async () => {
  const { error, text } = logged(await failureOf(readFile('/nowhere/Nightjar.ts')));
  expect(error).toMatchObject({ code: 'ENOENT', syscall: 'open' });
  expect(text).not.toContain('Nightjar');
});

it('leaves what was thrown and is no error as it is', () => {
  expect(logged('gone').error).toBe('gone');
});

it('says what the database refused, and nothing of the row', async () => {
  const db = await testDatabase();
  await sql`create table flights (id int primary key, title text check (title <> 'Nightjar'))`.execute(db);
  const broken = logged(await failureOf(sql`insert into flights values (1, 'Nightjar')`.execute(db)));
  expect(broken.error).toMatchObject({ code: '23514', table: 'flights', constraint: 'flights_title_check' });
  const wrong = logged(await failureOf(sql`select ${'Nightjar'}::text::uuid`.execute(db)));
  expect(wrong.error).toMatchObject({ code: '22P02' });
  for (const { text } of [broken, wrong]) expect(text).not.toContain('Nightjar');
  const gone = logged(await failureOf(sql`select 1 from nowhere`.execute(db)));
  expect(gone.error).toMatchObject({ message: 'relation "nowhere" does not exist' });
});
