import { randomInt } from 'node:crypto';
import { DEMO_GROUP } from '@osprey/contract';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../base/db/schema.ts';

/** Characters of the code, without letters and digits that look alike. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_GROUPS = 4;
const GROUP_CHARACTERS = 5;

/** One-time code for the set-up page: 100 random bits in groups that can be typed. */
export function newSetupCode(): string {
  const group = () => Array.from({ length: GROUP_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: CODE_GROUPS }, group).join('-');
}

type NewAdmin = { username: string; username_key: string; password_hash: string; registered: number };

/** Creates a superAdmin with clearance 5 in the group Demo. Returns the id. */
export async function makeSuperAdmin(db: Kysely<Database> | Transaction<Database>, admin: NewAdmin): Promise<string> {
  const { id } = await db
    .insertInto('users')
    .values({ ...admin, role: 'superAdmin', clearance: 5 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const demo = await db.selectFrom('usergroups').select('id').where('name', '=', DEMO_GROUP).executeTakeFirstOrThrow();
  await db.insertInto('user_usergroups').values({ user_id: id, usergroup_id: demo.id }).execute();
  return id;
}

export async function hasSuperAdmin(db: Kysely<Database>): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'superAdmin')
    .where('deleted_time', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
