import type pg from 'pg';
import type { BenchLine } from '../bench-line.ts';
import { type BenchServer, callerOf, type ListFilter, measureList, withBenchServer } from '../bench-server.ts';

/** Number of accounts at the small size: half of them, which are those that the groupAdmin sees, fill a page. */
const SMALL = 200;
const LARGE = 10_000;
/** Number of members of the filtered group; the same at both sizes. */
const MEMBERS = 60;

const statement = (where: string, order: string) => `
  select u.id, u.username, u.first_name, u.last_name, u.company, u.email, u.country, u.role, u.clearance, u.disabled,
    u.waiting, u.registered, u.last_access,
    array(select usergroup_id from user_usergroups where user_id = u.id) as usergroups,
    array(select usergroup_id from user_administered where user_id = u.id) as administered
  from users u where u.deleted_time is null ${where} order by ${order}, u.id limit 100`;

type Filter = { name: string; query: string; where: string; order?: string; values: unknown[] };

/** Returns the filters with statements; `seen` is a further condition for the rows that the caller may see. */
const asListed = (all: readonly Filter[], seen = ''): ListFilter[] =>
  all.map(({ name, query, where, order = 'u.username_key', values }) => {
    return { name, query, statement: statement(`${where} ${seen}`, order), values };
  });

/** SQL condition for membership. The group ids are inserted into the text, since they do not come from user input. */
const memberOf = (groups: readonly string[]) =>
  `and exists (select from user_usergroups m where m.user_id = u.id and m.usergroup_id in ('${groups.join("','")}'))`;

const filters = (group: string): Filter[] => [
  { name: 'none', query: '', where: '', values: [] },
  // Neither a seeded account nor a caller has a page open, so nobody is online.
  { name: 'online', query: 'online=true', where: 'and u.id = any ($1::uuid[])', values: [[]] },
  { name: 'not online', query: 'online=false', where: 'and u.id <> all ($1::uuid[])', values: [[]] },
  { name: 'search', query: 'search=needle', where: 'and u.search_text like $1', values: ['%needle%'] },
  { name: 'role', query: 'roles=groupAdmin', where: 'and u.role = $1', values: ['groupAdmin'] },
  { name: 'state', query: 'states=disabled', where: 'and u.disabled and not u.waiting', values: [] },
  {
    name: 'usergroup',
    query: `usergroups=${group}`,
    where: 'and exists (select from user_usergroups g where g.user_id = u.id and g.usergroup_id = $1)',
    values: [group],
  },
  {
    name: 'by last access',
    query: 'sort=-lastAccess',
    where: '',
    order: 'u.last_access desc nulls last',
    values: [],
  },
  { name: 'by company', query: 'sort=company', where: '', order: 'lower(u.company)', values: [] },
];

/**
 * Measures the list of accounts over HTTP: each filter against a bare route, and a page from fifty times as many
 * accounts.
 */
export const bench = (): Promise<BenchLine[]> => withBenchServer('users', measure);

async function measure(server: BenchServer): Promise<BenchLine[]> {
  const { address, peer, client } = server;
  const [group, region] = [await seedGroup(client, 'Bench'), await seedGroup(client, 'Region')];
  const administers = [group, region];
  const caller = await callerOf(server, 'a groupAdmin of half of them', {
    role: 'groupAdmin',
    clearance: 'CONFIDENTIAL',
    groups: administers,
    administers,
  });
  const asked = filters(group);
  return measureList({
    name: 'users',
    rows: 'accounts',
    peer,
    url: `${address}/api/users`,
    caller: { ...caller, filters: asListed(asked, memberOf(administers)) },
    seed: (from, to) => seedUsers(client, { from, to, group, region }),
    small: SMALL,
    large: LARGE,
    filters: asListed(asked),
    // A page of 100 in each order, and filters with the same matches at both sizes: the search words, the group
    // members, and no match.
    grown: [
      '',
      'online=false',
      'sort=company',
      'sort=-lastAccess',
      'search=needle',
      `usergroups=${group}`,
      'online=true',
    ],
  });
}

async function seedGroup(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into usergroups (name, classification, created) values ($1, 3, 0) returning id`,
    [name],
  );
  return rows[0]!.id;
}

type Seed = { from: number; to: number; group: string; region: string };

/**
 * Inserts accounts of fifty companies in the group Demo, every second one also in a region. The first sixty share a
 * group, and ten of the first hundred contain a rare word.
 */
async function seedUsers(client: pg.Client, { from, to, group, region }: Seed) {
  await client.query(
    `with made as (
      insert into users (username, username_key, first_name, last_name, company, email, country, role, clearance,
        password_hash, disabled, registered, last_access)
      select 'person ' || n, 'person ' || n, 'First' || n, case when n <= 100 and n % 10 = 0 then 'Needle' else 'Last' end,
        'Company ' || n % 50, 'p' || n || '@example.org', 'Greece',
        case when n % 20 = 0 then 'groupAdmin' else 'user' end, 1 + n % 3, 'x', n % 25 = 0,
        n * 1000000::bigint, n * 7000000::bigint
      from generate_series($1::int, $2::int) n returning id, registered / 1000000 as n),
    demo as (
      insert into user_usergroups (user_id, usergroup_id)
      select made.id, usergroups.id from made, usergroups where usergroups.name = 'Demo'),
    regional as (
      insert into user_usergroups (user_id, usergroup_id) select id, $5::uuid from made where n % 2 = 0)
    insert into user_usergroups (user_id, usergroup_id) select id, $3::uuid from made where n <= $4::int`,
    [from, to, group, MEMBERS, region],
  );
  await client.query('analyze');
}
