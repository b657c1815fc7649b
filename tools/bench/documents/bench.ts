import type pg from 'pg';
import type { BenchLine } from '../bench-line.ts';
import { type BenchServer, callerOf, type ListFilter, measureList, withBenchServer } from '../bench-server.ts';

const SMALL = 1000;
const LARGE = 100_000;
/** Number of documents shared with the filtered group; the same at both sizes. */
const SHARED = 60;
/** Filters for a rare type and a rare area; each matches `SHARED` documents. */
const RARE_TYPE = 'documentType=Schedule';
const RARE_PLACE = 'geometry=24.2,37.6,24.4,37.8';

/** Selects the columns that the list returns for each document, without checking rights. */
const statement = (where: string, order = 'd.creation_time desc') => `
  select d.id, d.title, d.description, d.document_type, d.platform_name, d.classification, d.marked, d.audience,
    d.edit_lock, d.tags, d.author_id, d.author, d.creation_time, d.state, d.message, d.file_name, d.content,
    d.size_bytes, d.sha256, d.thumbnail, d.pages, d.text_scope, d.geometry, d.geometry_source, d.revision, d.epoch,
    array(select usergroup_id from document_usergroups where document_id = d.id) as usergroups
  from documents d where d.deleted_time is null ${where} order by ${order}, d.id limit 100`;

const filters = (group: string): ListFilter[] => [
  { name: 'none', query: '', statement: statement(''), values: [] },
  {
    name: 'search in the fields',
    query: 'search=needle',
    statement: statement('and d.head_text ilike $1'),
    values: ['%needle%'],
  },
  {
    name: 'search in the text',
    query: 'search=haystack',
    statement: statement('and (d.head_text ilike $1 or d.body_words @@ $2::tsquery)'),
    values: ['%haystack%', "'haystack':*"],
  },
  { name: 'tags', query: 'tags=rare', statement: statement('and d.tags && $1::text[]'), values: [['rare']] },
  {
    name: 'usergroup',
    query: `usergroups=${group}`,
    statement: statement(
      'and exists (select from document_usergroups g where g.document_id = d.id and g.usergroup_id = $1)',
    ),
    values: [group],
  },
  {
    name: 'time',
    query: 'start=50000000000&end=60000000000',
    statement: statement('and d.creation_time between $1 and $2'),
    values: [50_000_000_000, 60_000_000_000],
  },
  {
    name: 'document type',
    query: RARE_TYPE,
    statement: statement('and d.document_type = $1'),
    values: ['Schedule'],
  },
  {
    name: 'geometry',
    query: RARE_PLACE,
    statement: statement('and d.id in (select document_id from document_shapes where shape && $1::polygon)'),
    values: ['((24.2,37.6),(24.4,37.6),(24.4,37.8),(24.2,37.8))'],
  },
  {
    name: 'by title',
    query: 'sort=title',
    statement: statement('', 'lower(d.title)'),
    values: [],
  },
];

/**
 * Measures the list of documents over HTTP: each filter against a bare route, and a page from a hundred times as many
 * documents.
 */
export const bench = (): Promise<BenchLine[]> => withBenchServer('documents', measure);

async function measure(server: BenchServer): Promise<BenchLine[]> {
  const { address, peer, client } = server;
  const { rows } = await client.query<{ id: string }>(
    `insert into usergroups (name, classification, created) values ('Bench', 3, 0) returning id`,
  );
  const group = rows[0]!.id;
  return measureList({
    name: 'documents',
    rows: 'documents',
    peer,
    url: `${address}/api/documents`,
    // The caller sees two of the three labels and is a member of the group, with which some documents are shared.
    caller: await callerOf(server, 'a user cleared for two of three labels', {
      clearance: 'RESTRICTED',
      groups: [group],
    }),
    seed: (from, to) => seedDocuments(client, { from, to, group }),
    small: SMALL,
    large: LARGE,
    filters: filters(group),
    // A page of 100 in each order, and filters that match the same documents at both sizes: the search words, the
    // shared ones, and the few of the rare type and place.
    grown: [
      '',
      'sort=title',
      'search=needle',
      'search=haystack',
      'tags=rare',
      `usergroups=${group}`,
      RARE_TYPE,
      RARE_PLACE,
    ],
  });
}

/**
 * Inserts documents visible to everyone, except the first sixty, which are shared with one group and lie in one small
 * area. The next sixty have a type of their own. Among the first thousand, ten contain each of the rare words.
 */
async function seedDocuments(client: pg.Client, { from, to, group }: { from: number; to: number; group: string }) {
  await client.query(
    `with made as (
      insert into documents (title, description, document_type, platform_name, classification, marked, audience,
        edit_lock, tags, author, creation_time, state, file_name, content, size_bytes, sha256, storage_key, text_scope,
        body_words)
      select case when n <= 1000 and n % 100 = 0 then 'Needle ' else 'Report ' end || n, 'Patrol ' || n % 500,
        case when n > $4::int and n <= 2 * $4::int then 'Schedule' else 'Report' end,
        'Heron ' || n % 20, 1 + n % 3, true, case when n <= $4::int then 'groups' else 'everyone' end, n % 7 = 0,
        array['tag' || n % 40] || case when n <= 1000 and n % 100 = 1 then array['rare'] else '{}' end,
        'person ' || n % 300, n * 1000000::bigint, 'Ready', n || '.pdf', 'pdf', 1000 + n, '',
        'documents/' || n || '/original', 'all',
        to_tsvector('simple', 'flight report of day ' || n || case when n <= 1000 and n % 100 = 2 then ' haystack' else '' end)
      from generate_series($1::int, $2::int) n returning id, creation_time / 1000000 as n),
    placed as (
      insert into document_shapes (document_id, shape)
      select id, polygon(box(point(lon, lat), point(lon + 0.01, lat + 0.01)))
      from made cross join lateral (select
        case when n <= $4::int then 24.3 else n % 170 end as lon,
        case when n <= $4::int then 37.7 else -(n % 80) end as lat) place)
    insert into document_usergroups (document_id, usergroup_id) select id, $3::uuid from made where n <= $4::int`,
    [from, to, group, SHARED],
  );
  await client.query('analyze');
}
