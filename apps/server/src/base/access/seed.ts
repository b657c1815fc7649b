import { DEMO_GROUP } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../db/schema.ts';

export const GUEST_NAME = 'guest';

/** Initial rows of every installation: the group Demo, whose ceiling is fixed, and the guest, who has no password. */
export async function seed(db: Kysely<Database>, nowUs: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('usergroups')
      .values({ name: DEMO_GROUP, description: 'Everybody is in this group', classification: 1, created: nowUs })
      .onConflict((conflict) => conflict.constraint('usergroups_name').doNothing())
      .execute();
    const guest = await tx
      .insertInto('users')
      .values({ username: GUEST_NAME, username_key: GUEST_NAME, role: 'guest', clearance: 1, registered: nowUs })
      .onConflict((conflict) => conflict.constraint('users_username_key').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (guest === undefined) return;
    const demo = await tx
      .selectFrom('usergroups')
      .select('id')
      .where('name', '=', DEMO_GROUP)
      .executeTakeFirstOrThrow();
    await tx.insertInto('user_usergroups').values({ user_id: guest.id, usergroup_id: demo.id }).execute();
  });
}
