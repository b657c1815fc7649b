import type pg from 'pg';
import type { BenchLine } from '../bench-line.ts';
import { type BenchServer, callerOf, type ListFilter, measureList, withBenchServer } from '../bench-server.ts';
import { measureVerify } from './verify.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
/** Number of rows for the filtered account, for the item and for the action; the same at both sizes. */
const FOUND = 60;
const ACTOR = '00000000-0000-4000-8000-00000000000a';
const ITEM = '00000000-0000-4000-8000-00000000000b';

/** Selects the columns that a page contains for each row, without names. */
const statement = (where: string) => `
  select node, seq, time, actor_id, role, clearance, session, address, action, item_id, item_label, groups, decision,
    via, result, reason
  from audit where ${where} order by time desc, node desc, seq desc limit 101`;

type Filter = Omit<ListFilter, 'statement'> & { where: string };

const filters: Filter[] = [
  { name: 'none', query: '', where: 'true', values: [] },
  { name: 'action', query: 'actions=bench.rare', where: 'action = $1', values: ['bench.rare'] },
  { name: 'actor', query: `actor=${ACTOR}`, where: 'actor_id = $1', values: [ACTOR] },
  { name: 'item', query: `item=${ITEM}`, where: 'item_id = $1', values: [ITEM] },
  { name: 'outcome', query: 'outcome=refused', where: 'decision = $1', values: ['refused'] },
  {
    name: 'time',
    query: 'start=500000000000&end=600000000000',
    where: 'time between $1 and $2',
    values: [500_000_000_000, 600_000_000_000],
  },
];

/**
 * Returns the filters with the statements that find the same rows; `seen` is a further condition for the rows that the
 * caller may see.
 */
const asListed = (seen = 'true'): ListFilter[] =>
  filters.map(({ where, ...filter }) => ({ ...filter, statement: statement(`${where} and ${seen}`) }));

/**
 * Measures searching the audit over HTTP: each filter against a bare route, and a page from a hundred times as many
 * rows.
 */
export const bench = (): Promise<BenchLine[]> => withBenchServer('audit', measure);

async function measure(server: BenchServer): Promise<BenchLine[]> {
  const { address, peer, client, env } = server;
  const verified = await measureVerify(client, env);
  const lists = await measureList({
    name: 'audit',
    rows: 'rows',
    peer,
    url: `${address}/api/audit`,
    caller: {
      ...(await callerOf(server, 'an admin cleared for two of five labels', {
        role: 'admin',
        clearance: 'RESTRICTED',
      })),
      filters: asListed('coalesce(item_label, 0) <= 2'),
    },
    seed: (from, to) => seedRows(client, from, to),
    small: SMALL,
    large: LARGE,
    filters: asListed(),
    // A page of 100, and filters that match the same number of rows at both sizes.
    grown: ['', 'actions=bench.rare', `actor=${ACTOR}`, `item=${ITEM}`, 'outcome=refused'],
  });
  return [verified, ...lists];
}

/** Inserts rows of a separate hash chain; a search does not read their hashes. */
async function seedRows(client: pg.Client, from: number, to: number) {
  await client.query(
    `insert into audit (node, seq, time, monotonic, actor_id, role, clearance, session, address, action, item_id,
      item_label, groups, decision, previous_hash, hash)
    select 'bench', n, n * 1000000::bigint, n, case when n <= $3::int then $4::uuid else gen_random_uuid() end, 'user', 3,
      null, '10.0.0.' || n % 250, case when n > $3::int and n <= 2 * $3::int then 'bench.rare' else 'media.' || n % 10 end,
      case when n > 2 * $3::int and n <= 3 * $3::int then $5::uuid else gen_random_uuid() end, 1 + n % 5, null,
      case when n % 9 = 0 then 'refused' else 'allowed' end, '\\x00', '\\x00'
    from generate_series($1::bigint, $2::bigint) n`,
    [from, to, FOUND, ACTOR, ITEM],
  );
  // Vacuum explicitly, so that autovacuum does not start during the measurement.
  await client.query('vacuum (analyze) audit');
}
