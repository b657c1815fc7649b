import { median } from '../../test-support/statistics.ts';
import type { BenchLine } from '../bench-line.ts';
import {
  ADMIN_BASIC,
  againstPlain,
  BENCH_PASSWORD,
  type BenchServer,
  grownPage,
  timed,
  times,
  withBenchServer,
} from '../bench-server.ts';
import { scrollLine } from './scroll.ts';
import { seedMissions } from './seed.ts';

const SMALL = 5000;
const LARGE = 50_000;

type Filter = { name: string; query: string; where: string; values: unknown[] };

const SQUARE = '((10,40),(12,40),(12,42),(10,42))';
const box = 'geometry=10,40,12,42';
const seen = (mode: string) =>
  `and m.id in (select s.mission_id from mission_shapes s where s.aoi_mode = '${mode}' and s.shape && $1::polygon)`;

/** Each filter of missions/brief, as a query of our call and as plain SQL. */
const filters = (group: string): Filter[] => [
  { name: 'none', query: '', where: '', values: [] },
  {
    name: 'start, end',
    query: 'start=60000000000000&end=90000000000000',
    where: 'and m.end_time >= $1 and m.start_time <= $2',
    values: [60_000_000_000_000, 90_000_000_000_000],
  },
  { name: 'tags', query: 'tags=tag7', where: 'and m.tags && $1::text[]', values: [['tag7']] },
  {
    name: 'country_codes',
    query: 'country_codes=CA',
    where: 'and m.country_code = any ($1::text[])',
    values: [['CA']],
  },
  {
    name: 'usergroups',
    query: `usergroups=${group}`,
    where: `and exists (select from mission_usergroups g where g.mission_id = m.id and g.usergroup_id = $1)`,
    values: [group],
  },
  ...['sensorArea', 'frameCenter', 'platformPath'].map((mode) => {
    return { name: `geometry, ${mode}`, query: `${box}&aoiMode=${mode}`, where: seen(mode), values: [SQUARE] };
  }),
];

const statement = (where: string) => `
  select m.id, m.name, m.description, m.classification, m.marked, m.audience, m.country_code, m.country_name, m.rating,
    m.tags, m.state, m.platform_name, m.platform_type, m.platform_color, m.sort_order, m.creation_time, m.start_time,
    m.end_time, m.area_sq_km, m.place_lon, m.place_lat, m.views, m.thumbnail, m.sample, m.message, m.revision,
    array(select usergroup_id from mission_usergroups where mission_id = m.id) as usergroups,
    (select json_agg(json_build_object('sensor', s,
        'files', (select json_agg(f) from files f where f.sensor_id = s.id))) from sensors s where s.mission_id = m.id)
      as sensors
  from missions m where m.deleted_time is null ${where}
  order by m.creation_time desc, m.id limit 100`;

/**
 * Measures the missions list over HTTP: each filter against a bare route, and a page from ten times as many missions.
 * Also measures scrolling the table through them.
 */
export const bench = (): Promise<BenchLine[]> => withBenchServer('brief', measure);

async function measure({ address, peer, client }: BenchServer): Promise<BenchLine[]> {
  const authorization = await userOf(address);
  const { rows } = await client.query<{ id: string }>(`select id from usergroups where name = 'Demo'`);
  const group = rows[0]!.id;
  const ours = (query: string) =>
    timed(`${address}/api/missions/brief?limit=100&${query}`, { headers: { authorization } });

  await seedMissions(client, { from: 1, to: SMALL, group });
  const small = await times(() => ours(''));
  await seedMissions(client, { from: SMALL + 1, to: LARGE, group });
  const large = await times(() => ours(''));

  const lines: BenchLine[] = [];
  for (const { name, query, where, values } of filters(group)) {
    const body = JSON.stringify({ statement: statement(where), values });
    lines.push(
      await againstPlain({
        name: 'brief',
        note: `${name}: 100 of ${LARGE} missions`,
        ours: () => ours(query),
        plain: () => timed(peer, { method: 'POST', body }),
      }),
    );
  }
  const note = `a page of 100 out of ${LARGE} missions, newest first`;
  lines.push(grownPage({ name: 'brief', note, largeMs: median(large), smallMs: median(small), small: SMALL }));
  lines.push(await scrollLine(address, { username: 'bench', password: BENCH_PASSWORD }, LARGE));
  return lines;
}

/** An ordinary account, so that rights have to be derived from groups. */
async function userOf(address: string): Promise<string> {
  const person = { email: 'bench@example.org', country: 'GR', first_name: 'B', last_name: 'B', company: 'B' };
  const answer = await fetch(`${address}/api/users`, {
    method: 'POST',
    headers: { authorization: ADMIN_BASIC, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bench', password: BENCH_PASSWORD, ...person }),
  });
  if (!answer.ok) throw new Error(`No account for the bench: ${await answer.text()}`);
  return `Basic ${btoa(`bench:${BENCH_PASSWORD}`)}`;
}
