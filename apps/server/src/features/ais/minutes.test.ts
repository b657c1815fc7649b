import { type AisFrame, type AisTarget, readAisFrame } from '@osprey/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { addAisSource } from '../../../test/ais.ts';
import { addMission } from '../../../test/missions.ts';
import { addPlatform } from '../../../test/platforms.ts';
import { testServer } from '../../../test/server.ts';
import { actorsById } from '../../base/access/actors.ts';
import { shipsAt } from './at-time.ts';
import type { Position } from './batch.ts';
import { aisBlocks } from './blocks.ts';
import { aisMinutes, MINUTE_US, type MinuteShip } from './minutes.ts';
import { aisReads } from './read.ts';
import { aisRemoval } from './remove.ts';
import { visibleSources } from './sources.ts';
import { writeBatch } from './write.ts';

const server = await testServer();
const { db } = server;
const DAY_US = 86_400e6;
/** Noon of two days ago: what is older than the installation keeps it, the server removes. */
const START = (Math.floor((Date.now() * 1000) / DAY_US) - 2) * DAY_US + DAY_US / 2;
const MINUTES = 12;
const nowUs = () => START + 90 * MINUTE_US;
const { actor } = (await actorsById(db, [server.userId('SA')])).get(server.userId('SA'))!;
/** The station that is no ship. */
const BASE = 6;
const area = { west: 20, south: 30, east: 30, north: 40 };

const position = (fields: Partial<Position> & { mmsi: number; time: number }): Position => ({
  ...{ lat: 37 * 600_000, lon: 24 * 600_000, sog: 100, cog: 900, heading: 90, turn: null, status: 0 },
  ...{ messageType: 1, fixType: null, flags: 1, ...fields },
});

/** Copies of all positions in a table of the test, which is never packed. */
const heard = sql`select mmsi, time, lat, lon from test_rows`;
await sql`create table test_rows (source_id int, mmsi int, time bigint, lat int, lon int)`.execute(db);

/** The expected answer, from rows alone, without packed minutes. */
async function byRows(time: number, minutes: number): Promise<MinuteShip[]> {
  const { rows } = await sql<{ mmsi: number; time: number; lat: number; lon: number }>`
    select * from (select distinct on (mmsi) mmsi, time, lat, lon from
      (${heard}) heard
      where time > ${time - minutes * MINUTE_US}::bigint and time <= ${time}::bigint order by mmsi, time desc) last
    where lat between ${30 * 600_000} and ${40 * 600_000} and lon between ${20 * 600_000} and ${30 * 600_000}`.execute(
    db,
  );
  return rows as MinuteShip[];
}

async function compare(time: number, minutes: number): Promise<void> {
  const sources = await visibleSources(db, actor);
  const frame = readAisFrame(await shipsAt(db, sources, { area, minutes, time })) as AisFrame;
  const shown = frame.ships.map((ship) => [
    ship.mmsi,
    Math.round(ship.latitude * 6e5),
    Math.round(ship.longitude * 6e5),
  ]);
  const expected = (await byRows(time, minutes)).map(({ mmsi, lat, lon }) => [mmsi, lat, lon]);
  const sorted = (rows: number[][]) => rows.sort(([a = 0], [b = 0]) => a - b);
  expect(sorted(shown), `at ${(time - START) / MINUTE_US} of ${minutes} min`).toEqual(sorted(expected));
}

/** Mode Last is the last of each ship of mode All, whole rows, as they are listed, exported and counted. */
async function compareLast(reads: ReturnType<typeof aisReads>, start: number, end: number): Promise<void> {
  const sources = await visibleSources(db, actor);
  for (const aisType of ['vessels', 'baseStations'] as const) {
    const wish = { aisType, info: false, limit: 100_000, start, end } as const;
    const [all, last, page] = await Promise.all([
      reads.all(sources, { ...wish, mode: 'all', sort: '-timestamp' }),
      reads.all(sources, { ...wish, mode: 'last', sort: 'mmsi' }),
      reads.page(sources, { ...wish, mode: 'last', sort: '-fixType', limit: 2, after: 1, count: true }),
    ]);
    const expected = new Map<number, AisTarget>();
    const heardBy = new Map<number, Set<string>>();
    for (const row of all) {
      if (!expected.has(row.mmsi)) expected.set(row.mmsi, row);
      heardBy.set(row.mmsi, (heardBy.get(row.mmsi) ?? new Set()).add(row.sensorName));
    }
    const rows = [...expected.values()].map((row) => ({ ...row, sources: heardBy.get(row.mmsi)!.size }));
    expect(last).toEqual(rows.sort((a, b) => a.mmsi - b.mmsi));
    const byFix = [...rows].sort((a, b) => (b.fixType ?? -1) - (a.fixType ?? -1) || a.mmsi - b.mmsi);
    expect(page).toMatchObject({ rows: byFix.slice(1, 3), total: rows.length });
  }
}

/** All positions between two moments, and the trail of one ship. */
async function compareLists(reads: ReturnType<typeof aisReads>, start: number, end: number): Promise<void> {
  const sources = await visibleSources(db, actor);
  const wish = { mode: 'all', aisType: 'vessels', info: false, sort: 'timestamp', limit: 100_000, start, end } as const;
  const [{ rows }, last, trail] = await Promise.all([
    reads.page(sources, wish),
    reads.page(sources, { ...wish, sort: '-timestamp', limit: 3, after: 1, count: true }),
    reads.trail(sources, { mmsi: 3, start, end }),
  ]);
  const expected = await sql<{ mmsi: number; time: number; lat: number; lon: number }>`select * from (${heard}) heard
    where time between ${start}::bigint and ${end}::bigint and mmsi <> ${BASE} order by time`.execute(db);
  expect(
    rows.map(({ mmsi, timestamp, lat, lon }) => [mmsi, timestamp, Math.round(lat * 6e5), Math.round(lon * 6e5)]),
  ).toEqual(expected.rows.map(({ mmsi, time, lat, lon }) => [mmsi, time, lat, lon]));
  expect([last.rows.map(({ timestamp }) => timestamp), last.total]).toEqual([
    expected.rows
      .map(({ time }) => time)
      .reverse()
      .slice(1, 4),
    expected.rows.length,
  ]);
  expect(trail.points.flatMap((point) => point?.timestamp ?? [])).toEqual(
    expected.rows.flatMap(({ mmsi, time }) => (mmsi === 3 ? [time] : [])),
  );
}

it('packed minutes and blocks answer exactly as rows do, whatever is written late and deleted in between', async () => {
  const platformId = await addPlatform(db, { audience: 'everyone' });
  const missionId = await addMission(db, { state: 'Ready', audience: 'everyone', classification: 1 });
  const ids = [
    await addAisSource(db, { platformId, name: 'A' }),
    await addAisSource(db, { platformId: null, missionId, name: 'B' }),
  ];
  const packer = aisMinutes({ db, nowUs, log: console });
  const blocks = aisBlocks({ db, nowUs, log: console });
  const reads = aisReads(db);
  const removal = aisRemoval(db);
  const made = new Set<number>();
  let unique = 0;

  const report = fc.record({
    mmsi: fc.integer({ min: 1, max: 6 }),
    second: fc.integer({ min: 0, max: MINUTES * 60 - 1 }),
    lat: fc.integer({ min: 28, max: 42 }),
    lon: fc.integer({ min: 18, max: 32 }),
    sog: fc.option(fc.integer({ min: 0, max: 1022 })),
    heading: fc.option(fc.integer({ min: 0, max: 359 })),
    turn: fc.option(fc.integer({ min: -127, max: 127 })),
    status: fc.option(fc.nat(14)),
    fixType: fc.option(fc.nat(8)),
  });
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('write' as const),
        source: fc.nat(1),
        reports: fc.array(report, { maxLength: 20 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pack' as const), blocks: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('delete' as const),
        first: fc.nat(MINUTES),
        last: fc.nat(MINUTES),
        ofMission: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('ask' as const),
        second: fc.nat(MINUTES * 60),
        minutes: fc.constantFrom(1, 2, 6, 90),
      }),
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      for (const one of [
        ...steps,
        { kind: 'pack' as const, blocks: true },
        { kind: 'ask' as const, second: MINUTES * 60, minutes: 6 },
      ]) {
        if (one.kind === 'pack') {
          await packer.pack();
          if (one.blocks) await blocks.pack();
        } else if (one.kind === 'ask') {
          await compare(START + one.second * 1e6, one.minutes);
          await compareLists(reads, START + one.second * 1e6 - one.minutes * MINUTE_US, START + one.second * 1e6);
          await compareLast(reads, START + one.second * 1e6 - one.minutes * MINUTE_US, START + one.second * 1e6);
        } else if (one.kind === 'delete') {
          const wish = {
            start: START + one.first * MINUTE_US,
            end: START + one.last * MINUTE_US + 30e6,
            ...(one.ofMission && { mission: missionId }),
            ...(one.first % 3 === 0 && { aisType: 'vessels' as const }),
          };
          const { positions } = await removal.targets(actor, wish);
          const retained = await sql`delete from test_rows where source_id = ${ids[one.ofMission ? 1 : 0]!}
            and time between ${wish.start}::bigint and ${wish.end}::bigint
            and (mmsi <> ${BASE} or ${wish.aisType === undefined})`.execute(db);
          expect(positions).toBe(Number(retained.numAffectedRows));
        } else {
          // All times differ: of two equal ones either could be the last.
          const positions = one.reports.map(({ second, lat, lon, ...rest }) => {
            unique = (unique + 1) % 900_000;
            const messageType = rest.mmsi === BASE ? 4 : 18;
            const time = START + second * 1e6 + unique;
            return position({ ...rest, messageType, time, lat: lat * 600_000, lon: lon * 600_000 });
          });
          for (const { mmsi, time, lat, lon } of positions) {
            await sql`insert into test_rows values (${ids[one.source]!}, ${mmsi}, ${time}, ${lat}, ${lon})`.execute(db);
          }
          const batch = { positions, last: new Map(), vessels: new Map(), names: new Map() };
          await db
            .transaction()
            .execute((tx) =>
              writeBatch(tx, { sourceId: ids[one.source]!, isMission: one.source === 1, batch, made, nowUs: nowUs() }),
            );
        }
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
  await packer.close();
  // All of them are packed by now, and no partition of rows is left.
  const left = await sql<{ n: number }>`select (select count(*) from ais_positions)
    + (select count(*) from ais_mission_positions)
    + (select count(*) from pg_inherits where inhparent = 'ais_positions'::regclass) as n`.execute(db);
  expect(left.rows).toEqual([{ n: 0 }]);
  expect(
    Number((await sql<{ n: number }>`select count(*) as n from ais_minutes`.execute(db)).rows[0]!.n),
  ).toBeGreaterThan(0);
});

it('Mode Last of a time that is over shows a ship that is still on the air, and refuses more than 24 hours', async () => {
  await db.deleteFrom('ais_sources').execute();
  const sourceId = await addAisSource(db, { platformId: await addPlatform(db, { audience: 'everyone' }) });
  const positions = [-1800, 0, 1, 2].map((minute) => position({ mmsi: 9, time: START + minute * MINUTE_US }));
  const last = new Map([[9, positions.at(-1)!]]);
  const batch = { positions, last, vessels: new Map(), names: new Map() };
  await writeBatch(db, { sourceId, isMission: false, batch, made: new Set(), nowUs: nowUs() });
  const asked = async (query: string) => {
    const answer = await server.asUser('SA').inject({ method: 'GET', url: `/api/aistargets${query}` });
    return { status: answer.statusCode, body: answer.json() as { timestamp: number }[] & { text?: string } };
  };
  const end = START + 1.5 * MINUTE_US;
  const shown = await asked(`?start=${START - 3 * MINUTE_US}&end=${end}`);
  expect(shown.body.map(({ timestamp }) => timestamp)).toEqual([START + MINUTE_US]);

  const refused = await asked(`?end=${end}`);
  expect([refused.status, refused.body.text]).toEqual([422, expect.stringContaining('24 hours at most')]);
  expect(await asked(`/export?format=geojson&end=${end}`)).toMatchObject({ status: 422 });
  // A longer range in which nothing else was heard is no longer one.
  expect((await asked(`?start=${START - 1700 * MINUTE_US}&end=${end}`)).body).toHaveLength(1);
  expect((await asked(`?end=${START - 1000 * MINUTE_US}`)).body).toHaveLength(1);
});

it('An export that fails after its first bytes ends as an error at the client', async () => {
  await db.deleteFrom('ais_sources').execute();
  const sourceId = await addAisSource(db, { platformId: await addPlatform(db, { audience: 'everyone' }) });
  const positions = Array.from({ length: 3000 }, (_, n) => position({ mmsi: 1, time: START + n * 1e6 }));
  // No message holds such a place.
  positions[0]!.lat = 2_000_000_000;
  const batch = { positions, last: new Map(), vessels: new Map(), names: new Map() };
  await writeBatch(db, { sourceId, isMission: false, batch, made: new Set(), nowUs: nowUs() });
  const address = await server.listen();
  const asked = await fetch(`${address}/api/aistargets/export?format=nmea&mode=all`, {
    headers: server.headersOf('SA'),
  });
  expect(asked.status).toBe(200);
  await expect(asked.text()).rejects.toThrow();
});

it('minutes in which positions still come are not packed', async () => {
  await db.deleteFrom('ais_sources').execute();
  const sourceId = await addAisSource(db, { platformId: await addPlatform(db, { audience: 'everyone' }) });
  const now = Math.floor(nowUs() / MINUTE_US);
  const positions = [now, now - 1, now - 2, now - 3].map((minute) => position({ mmsi: 7, time: minute * MINUTE_US }));
  const batch = { positions, last: new Map(), vessels: new Map(), names: new Map() };
  await writeBatch(db, { sourceId, isMission: false, batch, made: new Set(), nowUs: nowUs() });
  const packer = aisMinutes({ db, nowUs, log: console });
  await packer.pack();
  await packer.close();
  expect(await db.selectFrom('ais_minutes').select('minute').execute()).toEqual([{ minute: now - 3 }]);
});

it('rows in a partition of a whole day, from before blocks, are packed too, and it is dropped', async () => {
  await db.deleteFrom('ais_sources').execute();
  const sourceId = await addAisSource(db, { platformId: await addPlatform(db, { audience: 'everyone' }) });
  const dayUs = START - 10.5 * DAY_US;
  const table = `ais_positions_${new Date(dayUs / 1000).toISOString().slice(0, 10).replaceAll('-', '')}`;
  await sql
    .raw(`create table ${table} partition of ais_positions
      for values from (${dayUs}) to (${dayUs + 86_400_000_000})`)
    .execute(db);
  const positions = [1, 50, 700].map((minute) => position({ mmsi: 8, time: dayUs + minute * MINUTE_US }));
  // As a server before blocks wrote them: without a partition of blocks.
  const columns = sql.raw('source_id, mmsi, time, lat, lon, message_type, flags');
  for (const { mmsi, time, lat, lon } of positions) {
    await sql`insert into ais_positions (${columns}) values (${sourceId}, ${mmsi}, ${time}, ${lat}, ${lon}, 1, 0)`.execute(
      db,
    );
  }
  const blocks = aisBlocks({ db, nowUs, log: console });
  await blocks.pack();
  await blocks.close();
  const { rows } = await sql`select to_regclass(${table}) is null as dropped,
    (select count(*) from ais_blocks where source_id = ${sourceId}) as blocks`.execute(db);
  expect(rows).toMatchObject([{ dropped: true, blocks: 3 }]);
  const sources = await visibleSources(db, actor);
  const { points } = await aisReads(db).trail(sources, { mmsi: 8 });
  expect(points.flatMap((point) => point?.timestamp ?? [])).toEqual(positions.map(({ time }) => time));
});
