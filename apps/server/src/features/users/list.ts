import type { Actor, UserFilter, userSorts } from '@osprey/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { accountVisibleTo } from '../../base/access/account-visibility.ts';
import { controlled } from '../../base/access/actors.ts';
import { keyset } from '../../base/db/keyset.ts';
import type { Database } from '../../base/db/schema.ts';
import { type Account, selectUsers, stateInSql, toAccount } from './rows.ts';

type SortName = (typeof userSorts)[number];
const BY_NAME: SortName = 'username';

const { sortBy, isAfter, readCursor, cutPage } = keyset<SortName>({
  compared: {
    username: sql`users.username_key`,
    name: sql`lower(users.first_name || ' ' || users.last_name)`,
    company: sql`lower(users.company)`,
    email: sql`lower(users.email)`,
    country: sql`lower(users.country)`,
    role: sql`array_position(array['superAdmin', 'admin', 'groupAdmin', 'user', 'guest'], users.role)`,
    clearance: sql`users.clearance`,
    registered: sql`users.registered`,
    lastAccess: sql`users.last_access`,
  },
  id: sql`users.id`,
  neverNull: ['username', 'name', 'company', 'email', 'country', 'role', 'clearance', 'registered'],
  numbers: ['role', 'clearance', 'registered', 'lastAccess'],
});

export type UserListing = ReturnType<typeof userListing>;

/** `onlineIds` returns the accounts with an open page, for the filter `online`. */
type Requested = { filter: UserFilter; onlineIds: () => readonly string[] };

/** Lists accounts for an actor: filtered first by rights, then by the request. */
export function userListing({ db }: { db: Kysely<Database> }) {
  return {
    /** Returns one page and the cursor of the next; without a limit, all accounts. */
    async page(actor: Actor, requested: Requested): Promise<{ rows: Account[]; next: string | null }> {
      const { filter } = requested;
      const sort = filter.sort ?? BY_NAME;
      const { value, order } = sortBy(sort);
      let query = selectUsers(db).select(value.as('sorted_by')).orderBy(order);
      for (const condition of conditions(actor, requested)) query = query.where(condition);
      if (filter.after !== undefined) query = query.where(isAfter(readCursor(filter.after, sort)));
      const { limit } = filter;
      const found = await (limit === undefined ? query : query.limit(limit + 1)).execute();
      const { rows, next } = cutPage(found, { sort, limit });
      return { rows: rows.map(toAccount), next };
    },

    async count(actor: Actor, requested: Requested): Promise<number> {
      let query = db
        .selectFrom('users')
        .select(sql<number>`count(*)`.as('count'))
        .where('users.deleted_time', 'is', null);
      for (const condition of conditions(actor, requested)) query = query.where(condition);
      return (await query.executeTakeFirstOrThrow()).count;
    },
  };
}

function conditions(actor: Actor, { filter, onlineIds }: Requested): RawBuilder<boolean>[] {
  const { search = '', roles, states, usergroups, online } = filter;
  const found = [accountVisibleTo(actor)];
  for (const word of search
    .toLowerCase()
    .split(/\s+/)
    .filter((one) => one !== '')) {
    found.push(sql`users.search_text like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`);
  }
  if (roles?.length) found.push(sql`users.role = any (${roles}::text[])`);
  if (states?.length) found.push(sql`${stateInSql} = any (${states}::text[])`);
  if (usergroups?.length) {
    found.push(sql`users.id in (
      select user_id from user_usergroups where usergroup_id = any (${usergroups}::uuid[])
      union select user_id from ${controlled} where usergroup_id = any (${usergroups}::uuid[]))`);
  }
  if (online === true) found.push(sql`users.id = any (${[...onlineIds()]}::uuid[])`);
  if (online === false) found.push(sql`users.id <> all (${[...onlineIds()]}::uuid[])`);
  return found;
}
