import type { LastSeenTile, Lookback } from '@osprey/contract';
import {
  addCoverageMinute,
  type CoverageArea,
  cellsOf,
  createCoverageHours,
  entriesOf,
  type Position,
  packCoverage,
  packSightings,
  type Sighting,
} from '@osprey/geo';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { median } from '../../../../../tools/test-support/statistics.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import { coverageKey } from '../../media/ingest/coverage.ts';

const server = await recordingServer();
const { db } = server;

const FLIGHTS = 5000;
const MINUTES = 4;
const FIRST_MINUTE = 29_000_040;
const ROUNDS = 40;
const [SEEN, NEVER]: Position[] = [
  [10.5, 54.3],
  [-33.2, 12.8],
];

/** Flights over one place, whose minutes follow each other. Label 4 hides them from U0. */
async function fly(key: string, { flights, label, place }: { flights: number; label: number; place: Position }) {
  const [lon, lat] = place;
  const corners: Sighting['corners'] = [
    [lon - 0.002, lat + 0.002],
    [lon + 0.002, lat + 0.002],
    [lon + 0.002, lat - 0.002],
    [lon - 0.002, lat - 0.002],
  ];
  const cells = entriesOf(cellsOf(corners));
  const coverage = createCoverageHours();
  await sql`insert into missions (name, description, classification, marked, audience, rating, tags, state, platform_name,
      platform_type, platform_color, sort_order, creation_time)
    select ${key} || n, '', ${label}, true, 'everyone', 0, '{}', 'Ready', '', '', '', 0, n
    from generate_series(1, ${flights}::int) n`.execute(db);
  await sql`insert into sensors (mission_id, name, description, type, position, state, creation_time, index_key)
    select id, 'EO', '', 'video', 0, 'Ready', creation_time, ${key} from missions where name like ${`${key}%`}`.execute(
    db,
  );
  await sql`insert into coverage_sensors (sensor_id, index_key, footprints, seen, cells)
    select id, ${coverageKey(key)}, 1, true, ${cells}::bigint[] from sensors where index_key = ${key}`.execute(db);
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const sightings = Array.from({ length: 60 }, (_, second): Sighting => {
      return { timeUs: ((FIRST_MINUTE + minute) * 60 + second) * 1e6, corners, platform: [lon, lat - 0.01, 900] };
    });
    const footprints = Buffer.from(packSightings(sightings));
    await sql`insert into coverage_minutes (sensor_id, minute, cells, footprints)
      select id, ${FIRST_MINUTE + minute}, ${cells}::bigint[], ${footprints} from sensors where index_key = ${key}`.execute(
      db,
    );
    const hour = new Map<number, CoverageArea>();
    addCoverageMinute(hour, coverage.minuteOf(sightings, FIRST_MINUTE + minute), 0);
    for (const [area, own] of hour) {
      const { last, runs } = packCoverage(own);
      await sql`insert into coverage_seen (area, sensor_id, hour, last, runs)
        select ${area}, id, ${minute}, ${Buffer.from(last)}, ${Buffer.from(runs)}
        from sensors where index_key = ${key}`.execute(db);
    }
  }
  await sql`vacuum (analyze) missions, sensors, coverage_sensors, coverage_minutes, coverage_seen`.execute(db);
}

function tileAt([lon, lat]: Position, zoom: number): string {
  const y = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2;
  return `zoom=${zoom}&x=${Math.floor(((lon + 180) / 360) * 2 ** zoom)}&y=${Math.floor(y * 2 ** zoom)}`;
}

const lookback = (place: Position) =>
  `/api/coverage/lookback?geometry=${encodeURIComponent(JSON.stringify({ type: 'Point', coordinates: place }))}`;

/**
 * Expects that an actor who sees nothing of either place gets the same answer for both, in times whose medians differ
 * by at most `apartMs`.
 */
async function expectNoTrace(apartMs: number): Promise<void> {
  const box = ([lon, lat]: Position) =>
    `/api/coverage/lookback?geometry=${lon - 0.1},${lat - 0.1},${lon + 0.1},${lat + 0.1}`;
  const calls: Record<string, (place: Position) => string> = {
    point: lookback,
    box,
    'tile at zoom 12': (place) => `/api/coverage/last-seen?${tileAt(place, 12)}`,
    'tile at zoom 1': (place) => `/api/coverage/last-seen?${tileAt(place, 1)}`,
  };
  for (const [name, addressOf] of Object.entries(calls)) {
    const times = { seen: [] as number[], never: [] as number[] };
    const answers = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const inTurn = [['seen', SEEN!] as const, ['never', NEVER!] as const];
      for (const [which, place] of round % 2 === 0 ? inTurn : inTurn.toReversed()) {
        const begun = performance.now();
        const { status, body } = await askAs(server, 'U0').get<Lookback | LastSeenTile>(addressOf(place));
        times[which].push(performance.now() - begun);
        expect(status).toBe(200);
        answers.add(JSON.stringify({ ...body, level: 0 }));
      }
    }
    expect(answers.size, name).toBe(1);
    expect(Math.abs(median(times.seen) - median(times.never)), name).toBeLessThan(apartMs);
  }
}

it('T-049 5,000 hidden flights over a place change neither an answer nor the time that it takes', {
  tags: 'long',
}, async () => {
  await fly('hidden', { flights: FLIGHTS, label: 4, place: SEEN! });
  await expectNoTrace(5);
  // An actor who may read so many recordings that the index is asked by place first waits for hidden ones too; not for
  // long.
  await fly('open', { flights: 400, label: 1, place: [-120, -40] });
  await expectNoTrace(100);
  // The spans exist: an actor who may read them gets them.
  const { body } = await askAs(server, 'SA').get<Lookback>(`${lookback(SEEN!)}&limit=50`);
  expect(body.spans).toHaveLength(50);
  expect(body.more).toBe(true);
});
