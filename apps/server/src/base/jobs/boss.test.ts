import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { jobKinds, prepareJobs } from './boss.ts';

it('makes queues of an earlier version send notices of their messages, too, and leaves the rest of them as it was', async () => {
  const db = await testDatabase();
  const queues = async () =>
    (await sql<{ name: string; notify: boolean }>`select * from pgboss.queue order by name`.execute(db)).rows;
  const before = await queues();
  await sql`update pgboss.queue set notify = false`.execute(db);

  await prepareJobs(db);

  const after = await queues();
  expect(after.filter(({ notify }) => notify).map(({ name }) => name)).toEqual([...jobKinds].sort());
  const withoutTime = (rows: object[]) => rows.map((row) => ({ ...row, updated_on: null }));
  expect(withoutTime(after)).toEqual(withoutTime(before));
});
