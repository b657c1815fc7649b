import { destination, type Position, toPosition } from '@osprey/geo';
import type pg from 'pg';
import { apiOf, signIn } from '../../test-support/data/api.ts';
import { withPostgis } from '../../test-support/postgis-cluster.ts';
import { percentile } from '../../test-support/statistics.ts';
import type { Bench, BenchLine } from '../bench-line.ts';
import { BENCH_PASSWORD, type BenchServer, rounded, timed, withBenchServer } from '../bench-server.ts';
import { HOT, numbers, type Seeded, seed } from './seed.ts';

const FOOTPRINTS = 200_000;
/** Number of requests of each kind and caller. */
const ROUNDS = 100;
const WARM_UP = 20;
const SPANS = 50;

const sizes = [
  { name: 'a point', metres: 0 },
  { name: 'a 500 m box', metres: 500 },
  { name: 'a 10 km box', metres: 10_000 },
] as const;

type Caller = { name: string; headers: Record<string, string>; group: string | null };

/**
 * Finds the newest spans in which a place was seen, compared with PostGIS with GiST in the same database, alternately.
 */
export const bench: Bench = (options) => {
  const requested = options.find((option) => option.startsWith('--footprints='));
  const footprints = requested ? Number(requested.split('=')[1]) : FOOTPRINTS;
  if (!Number.isInteger(footprints) || footprints < 1) throw new Error('--footprints is a number of seconds');
  return withPostgis((databaseUrl) =>
    withBenchServer('lookback', (server) => measure(server, footprints), { databaseUrl }),
  );
};

async function measure({ address, peer, client }: BenchServer, footprints: number): Promise<BenchLine[]> {
  await client.query('create extension postgis');
  const admin = { username: 'admin', password: BENCH_PASSWORD };
  const api = apiOf(address, admin);
  const groups: [string, string] = [await api.addGroup('Half', 'SECRET'), await api.addGroup('Few', 'SECRET')];
  const callerOf = async (name: string, group: string): Promise<Caller> => {
    const account = await api.addUser(`sees-${group.slice(0, 8)}`, { groups: [group] });
    return { name, group, headers: await signIn(address, account) };
  };
  const callers: Caller[] = [
    { name: 'all', group: null, headers: await signIn(address, admin) },
    await callerOf('half', groups[0]),
    await callerOf('1 %', groups[1]),
  ];
  const seeded = await seed(client, { footprints, groups });
  const lines: BenchLine[] = [];
  for (const { name, metres } of sizes) {
    for (const caller of callers) {
      const random = numbers(metres + 17);
      const [own, theirs]: [number[], number[]] = [[], []];
      let hits = 0;
      for (let round = -WARM_UP; round < ROUNDS; round += 1) {
        const asked = shapeAround(placeOf(random, seeded), metres);
        const url = `${address}/api/coverage/lookback?limit=${SPANS}&geometry=${encodeURIComponent(JSON.stringify(asked))}`;
        const statement = {
          statement: spansOf(caller),
          values: [JSON.stringify(asked), ...(caller.group ? [caller.group] : [])],
        };
        const ours = () => timed(url, { headers: caller.headers });
        const plain = () => timed(peer, { method: 'POST', body: JSON.stringify(statement) });
        // Alternate which one runs first, since the second one finds the pages in memory.
        const isOursFirst = round % 2 === 0;
        const first = await (isOursFirst ? ours : plain)();
        const second = await (isOursFirst ? plain : ours)();
        if (round < 0) continue;
        own.push(isOursFirst ? first : second);
        theirs.push(isOursFirst ? second : first);
        const answer = (await (await fetch(url, { headers: caller.headers })).json()) as { spans: unknown[] };
        if (answer.spans.length > 0) hits += 1;
      }
      const [p95, peer95] = [percentile(own, 0.95), percentile(theirs, 0.95)];
      lines.push({
        name: 'lookback',
        unit: 'ms p95',
        ours: rounded(p95),
        peer: rounded(peer95),
        peerName: 'PostGIS geography with GiST, node:http',
        ratio: rounded(peer95 / p95),
        note:
          `newest ${SPANS} spans of ${name}, who sees ${caller.name}, of ${seeded.footprints} footprint seconds in ` +
          `${seeded.flights} flights; p50 ${rounded(percentile(own, 0.5))} and ${rounded(percentile(theirs, 0.5))} ms; ` +
          `60 % cold, 30 % warm, 10 % hot places, ${hits} of ${ROUNDS} found`,
      });
    }
  }
  lines.push(await tileLine(address, callers, seeded), await diskLine(client, seeded));
  return lines;
}

/** Returns a place to search: 60 % anywhere in the region, 30 % where some flight passed, 10 % where flights hover. */
function placeOf(random: () => number, { onTheWay }: Seeded): Position {
  const kind = random();
  if (kind < 0.6) return [9 + random() * 12, 53.5 + random() * 3];
  if (kind < 0.9) return onTheWay[Math.floor(random() * onTheWay.length)]!;
  return HOT[Math.floor(random() * HOT.length)]!;
}

function shapeAround([lon, lat]: Position, metres: number): object {
  if (metres === 0) return { type: 'Point', coordinates: [lon, lat] };
  const corners = [45, 135, 225, 315].map((bearing) =>
    toPosition(destination({ lon, lat }, bearing, metres / Math.SQRT2)),
  );
  return { type: 'Polygon', coordinates: [[...corners, corners[0]]] };
}

/** SQL for the seconds in which the shape was seen, in missions that the caller may read, grouped into spans. */
const spansOf = ({ group }: Caller): string => `
  with hits as materialized (
    select f.sensor_id, f.second from peer_footprints f
    join sensors s on s.id = f.sensor_id join missions m on m.id = s.mission_id
    where ST_Intersects(f.geog, ST_GeomFromGeoJSON($1)::geography) and m.deleted_time is null and m.state <> 'Created'
      ${group ? 'and exists (select from mission_usergroups g where g.mission_id = m.id and g.usergroup_id = $2::uuid)' : ''}
  ), runs as (
    select sensor_id, second, second - row_number() over (partition by sensor_id order by second) as run from hits
  ), spans as (
    select sensor_id, min(second) as first, max(second) + 1 as last from runs group by sensor_id, run
    order by last desc limit ${SPANS}
  )
  select spans.*, s.name as sensor, m.id as mission_id, m.name as mission from spans
  join sensors s on s.id = spans.sensor_id join missions m on m.id = s.mission_id order by last desc`;

/** Measures tiles of the last-seen map at all zoom levels, around the places that were seen most. */
async function tileLine(address: string, callers: readonly Caller[], seeded: Seeded): Promise<BenchLine> {
  const random = numbers(5);
  const all: number[] = [];
  for (let round = 0; round < ROUNDS * 3; round += 1) {
    const [lon, lat] = round % 2 === 0 ? HOT[round % HOT.length]! : placeOf(random, seeded);
    const zoom = round % 15;
    const size = 2 ** zoom;
    const y = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2;
    const tile = `zoom=${zoom}&x=${Math.floor(((lon + 180) / 360) * size)}&y=${Math.floor(y * size)}`;
    const { headers } = callers[round % callers.length]!;
    all.push(await timed(`${address}/api/coverage/last-seen?${tile}`, { headers }));
  }
  const p95 = percentile(all, 0.95);
  const MOST_MS = 300;
  return {
    name: 'lookback',
    unit: 'ms p95',
    ours: rounded(p95),
    peer: MOST_MS,
    peerName: 'what a map may wait for a tile',
    ratio: rounded(MOST_MS / p95),
    note: `tiles of the last-seen map at zooms 0 to 14, of ${seeded.footprints} footprint seconds; p50 ${rounded(percentile(all, 0.5))} ms`,
    failure: p95 > MOST_MS ? `a tile of the last-seen map takes ${rounded(p95)} ms, at most ${MOST_MS}` : undefined,
  };
}

async function diskLine(client: pg.Client, seeded: Seeded): Promise<BenchLine> {
  const { rows } = await client.query<Record<'minutes' | 'seen' | 'peer', string>>(`
    select pg_total_relation_size('coverage_minutes') + pg_total_relation_size('coverage_sensors') as minutes,
      pg_total_relation_size('coverage_seen') as seen, pg_total_relation_size('peer_footprints') as peer`);
  const [minutes, seen, peer] = [Number(rows[0]!.minutes), Number(rows[0]!.seen), Number(rows[0]!.peer)];
  const megabytes = (bytes: number) => rounded(bytes / 1e6);
  return {
    name: 'lookback',
    unit: 'MB',
    ours: megabytes(minutes),
    peer: megabytes(peer),
    peerName: 'PostGIS geography with GiST',
    ratio: rounded(peer / minutes),
    note: `on disk for ${seeded.footprints} footprint seconds; the last-seen map takes ${megabytes(seen)} MB more`,
  };
}
