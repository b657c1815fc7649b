import { type AccountFacts, type Actor, DEMO_GROUP } from '@osprey/contract';
import { sql } from 'kysely';
import { roleOf } from './actors.ts';
import type { Db } from './as-system.ts';

const demo = sql`(select id from usergroups where name = ${DEMO_GROUP})`;

/**
 * The rule `user.read` of the contract in SQL, over `users`: all for admins, for a groupAdmin themselves and those who
 * are wholly inside the groups they administer. Everybody is in Demo, so it says nothing about whose account this is.
 */
export function accountVisibleTo(actor: Actor) {
  if (actor.role !== 'groupAdmin') return sql<boolean>`true`;
  const administered = [...actor.administered];
  return sql<boolean>`(users.id = ${actor.id}::uuid or (
    exists (select from user_usergroups link where link.user_id = users.id and link.usergroup_id <> ${demo})
    and not exists (
      select from user_usergroups link
      where link.user_id = users.id and link.usergroup_id <> ${demo}
        and link.usergroup_id <> all (${administered}::uuid[]))))`;
}

/** Facts of these accounts that rights depend on; deleted ones are absent. */
export async function accountFactsOf(db: Db, ids: readonly string[]): Promise<AccountFacts[]> {
  const groups = sql<string[]>`array(
    select usergroup_id::text from user_usergroups where user_id = users.id and usergroup_id <> ${demo})`;
  const rows = await db
    .selectFrom('users')
    .where('users.id', 'in', [...ids])
    .where('users.deleted_time', 'is', null)
    .select(['users.id', 'username', 'role', groups.as('usergroups')])
    .execute();
  return rows.map(({ role, ...row }) => ({ ...row, role: roleOf(role) }));
}
