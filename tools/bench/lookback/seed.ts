import {
  addCoverageMinute,
  type CoverageArea,
  cellsOfAll,
  createCoverageHours,
  destination,
  entriesOf,
  type Position,
  packCoverage,
  packSightings,
  type Sighting,
  toPosition,
} from '@osprey/geo';
import type pg from 'pg';

const FLIGHT_S = 3600;
/**
 * Rule version, as in the server's media/ingest/coverage.ts; with a different version, the server would recompute the
 * coverage.
 */
const RULE = '+horizon';
/** Start of the first flight (2026-01-01T00:00Z); flights begin two hours apart. */
const START_S = 1_767_225_600;
const EVERY_S = 7200;
/** Distances from the centre of a view to its corners, in metres. */
const VIEWS = [60, 150, 400, 1200, 5000];
/** Places over which flights hover; each flight spends a quarter of its time over one of them. */
export const HOT: readonly Position[] = [
  [10.5, 54.3],
  [12.1, 54.2],
  [14.4, 54.6],
  [18.7, 54.5],
];

export type Seeded = {
  flights: number;
  footprints: number;
  /** Centre of the view at every tenth minute of the flights' way: places that were seldom seen. */
  onTheWay: Position[];
};

/** Returns a generator of pseudo-random numbers from 0 to 1 that are the same in each run. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/**
 * Inserts flights of one hour over the Baltic, with one footprint per second, as rows of the product and of PostGIS.
 */
export async function seed(
  client: pg.Client,
  { footprints, groups: [half, few] }: { footprints: number; groups: [string, string] },
): Promise<Seeded> {
  const flights = Math.ceil(footprints / FLIGHT_S);
  await client.query(
    `create table peer_footprints (sensor_id uuid not null, second int not null, geog geography(polygon, 4326) not null)`,
  );
  await client.query(
    `insert into missions (name, description, classification, marked, audience, rating, tags, state, platform_name,
      platform_type, platform_color, sort_order, creation_time, start_time)
    select 'flight ' || n, '', 1, true, 'groups', 0, '{}', 'Ready', 'KEA', 'uav', '#22ccdd', 0, n, n
    from generate_series(1, $1::int) n`,
    [flights],
  );
  for (const [group, every] of [
    [half, 2],
    [few, 100],
  ] as const) {
    await client.query(
      'insert into mission_usergroups (mission_id, usergroup_id) select id, $1 from missions where creation_time % $2 = 0',
      [group, every],
    );
  }
  await client.query(
    `insert into sensors (mission_id, name, description, type, position, state, creation_time, index_key, time_source)
    select id, 'EO', '', 'video', 0, 'Ready', creation_time, 'bench', 'klv' from missions`,
  );
  await client.query(
    `insert into coverage_sensors (sensor_id, index_key, footprints, seen) select id, $2, $1, true from sensors`,
    [FLIGHT_S, `bench${RULE}`],
  );
  const { rows } = await client.query<{ id: string }>('select id from sensors order by creation_time');
  const random = numbers(3);
  const onTheWay: Position[] = [];
  for (const [index, { id }] of rows.entries()) {
    const sightings = flight(random, START_S + index * EVERY_S);
    await client.query('begin');
    await writeOurs(client, id, sightings);
    await writePeers(client, id, sightings);
    await client.query('update coverage_sensors set cells = $2 where sensor_id = $1', [
      id,
      entriesOf(cellsOfAll(sightings.map(({ corners }) => corners))),
    ]);
    await client.query('commit');
    for (let at = 30; at < sightings.length; at += 600) onTheWay.push(middleOf(sightings[at]!));
  }
  await client.query('create index peer_footprints_place on peer_footprints using gist (geog)');
  await client.query('create index peer_footprints_sensor on peer_footprints (sensor_id, second)');
  await client.query(
    'vacuum (analyze) missions, mission_usergroups, sensors, coverage_sensors, coverage_minutes, coverage_seen, peer_footprints',
  );
  return { flights, footprints: flights * FLIGHT_S, onTheWay };
}

/**
 * Returns a flight that leads from a random place to a hot place, hovers over it for a quarter of an hour, and
 * continues.
 */
function flight(random: () => number, startS: number): Sighting[] {
  const metres = VIEWS[Math.floor(random() * VIEWS.length)]!;
  const hot = HOT[Math.floor(random() * HOT.length)]!;
  const bearing = random() * 360;
  const side = random() * 4000;
  const sightings: Sighting[] = [];
  for (let second = 0; second < FLIGHT_S; second += 1) {
    const away = second < 1350 ? second - 1350 : Math.max(0, second - 2250);
    const offset = destination({ lon: hot[0], lat: hot[1] }, bearing, away * 55);
    const looked = destination(offset, bearing + 90 + second * 0.4, away === 0 ? 300 : side);
    const corner = (turn: number) => toPosition(destination(looked, bearing + turn + second * 0.1, metres));
    const platform = toPosition(destination(looked, bearing + 200, metres * 4));
    sightings.push({
      timeUs: (startS + second) * 1e6,
      corners: [corner(315), corner(45), corner(135), corner(225)],
      platform: [...platform, 1200],
    });
  }
  return sightings;
}

const middleOf = ({ corners }: Sighting): Position => [
  (corners[0][0] + corners[2][0]) / 2,
  (corners[0][1] + corners[2][1]) / 2,
];

/** Writes the same rows that ingest and its background work would write. */
async function writeOurs(client: pg.Client, sensorId: string, sightings: readonly Sighting[]): Promise<void> {
  const byMinute = new Map<number, Sighting[]>();
  for (const sighting of sightings) {
    const minute = Math.floor(sighting.timeUs / 60e6);
    byMinute.set(minute, [...(byMinute.get(minute) ?? []), sighting]);
    if (sighting.timeUs >= (minute + 1) * 60e6 - 1e6) byMinute.set(minute + 1, [sighting]);
  }
  const coverage = createCoverageHours();
  const hours = new Map<number, Map<number, CoverageArea>>();
  for (const [minute, own] of [...byMinute].sort(([a], [b]) => a - b)) {
    await client.query('insert into coverage_minutes (sensor_id, minute, cells, footprints) values ($1, $2, $3, $4)', [
      sensorId,
      minute,
      entriesOf(cellsOfAll(own.map(({ corners }) => corners))),
      Buffer.from(packSightings(own)),
    ]);
    const hour = Math.floor(minute / 60);
    const areas = hours.get(hour) ?? new Map<number, CoverageArea>();
    hours.set(hour, areas);
    addCoverageMinute(areas, coverage.minuteOf(own, minute), minute - hour * 60);
  }
  for (const [hour, areas] of hours) {
    for (const [area, cells] of areas) {
      const { last, runs } = packCoverage(cells);
      await client.query('insert into coverage_seen (area, sensor_id, hour, last, runs) values ($1, $2, $3, $4, $5)', [
        area,
        sensorId,
        hour,
        Buffer.from(last),
        Buffer.from(runs),
      ]);
    }
  }
}

async function writePeers(client: pg.Client, sensorId: string, sightings: readonly Sighting[]): Promise<void> {
  const texts = sightings.map(({ corners }) => {
    const ring = [...corners, corners[0]].map(([lon, lat]) => `${lon} ${lat}`).join(',');
    return `SRID=4326;POLYGON((${ring}))`;
  });
  await client.query(
    `insert into peer_footprints (sensor_id, second, geog)
    select $1, second, ST_GeogFromText(text) from unnest($2::int[], $3::text[]) as own (second, text)`,
    [sensorId, sightings.map(({ timeUs }) => timeUs / 1e6), texts],
  );
}
