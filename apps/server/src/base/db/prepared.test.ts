import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { addUser } from '../../../test/missions.ts';
import { prepared, preparedBy } from './prepared.ts';

/** Prepared statements of a connection, and how often each ran. */
const retained = sql<{ statement: string; executions: number }>`
  select statement, (generic_plans + custom_plans)::int as executions from pg_prepared_statements order by statement`;

describe('statements that are asked in the same words', () => {
  it('are parsed once by a connection, and give the rows of each value', async () => {
    const db = await testDatabase();
    const [kea, moa] = [await addUser(db, 'Kea'), await addUser(db, 'Moa')];

    await db.connection().execute(async (connection) => {
      const named = (ids: string[]) =>
        prepared(
          connection,
          connection
            .selectFrom('users')
            .select('username')
            .where(sql<boolean>`id = any (${ids}::uuid[])`)
            .orderBy('id'),
        );

      expect(await named([kea])).toEqual([{ username: 'Kea' }]);
      expect(await named([])).toEqual([]);
      expect((await named([kea, moa])).map(({ username }) => username).sort()).toEqual(['Kea', 'Moa']);
      const { rows } = await retained.execute(connection);
      expect(rows).toEqual([{ statement: expect.stringContaining('from "users"'), executions: 3 }]);
    });
  });

  it('are built once where they have one value, and work on every connection', async () => {
    const db = await testDatabase();
    await addUser(db, 'Kea');
    await addUser(db, 'Moa');
    let built = 0;
    const accountOf = preparedBy(db, (username: string) => {
      built += 1;
      return db.selectFrom('users').select(['username', 'disabled']).where('username', '=', username);
    });

    const found = await Promise.all(['Kea', 'Moa', 'Kea', 'nobody'].map((name) => accountOf(name)));

    const rowOf = (username: string) => [{ username, disabled: false }];
    expect(found).toEqual([rowOf('Kea'), rowOf('Moa'), rowOf('Kea'), []]);
    expect(built).toBe(1);
  });

  it('leave other statements as they are', async () => {
    const db = await testDatabase();

    await db.connection().execute(async (connection) => {
      await connection.selectFrom('settings').select('key').execute();

      expect((await retained.execute(connection)).rows).toEqual([]);
    });
  });
});
