import { type AccountFacts, type Actor, DEMO_GROUP } from '@osprey/contract';
import { sql } from 'kysely';
import { roleOf } from './actors.ts';
import type { Db } from './as-system.ts';

const demo = sql`(select id from usergroups where name = ${DEMO_GROUP})`;

/**
 * SQL form of the contract's rule `user.read`, as a condition over `users`: admins see all accounts; a groupAdmin sees
 * their own account and those that belong only to groups they administer. The group Demo is ignored, since every
 * account belongs to it.
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

/** Reads the facts of the given accounts that access rights depend on. Deleted accounts are absent from the result. */
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
