import type { SensorTimeline } from '@osprey/contract';
import {
  approximateGroundOf,
  cellsOfAll,
  createCoverage,
  entriesOf,
  fewerCells,
  fourCornered,
  HOLD_SECONDS,
  isHeldAt,
  packSightings,
  rounded,
  type Sighting,
  toPosition,
  unpackSightings,
  visibleGroundOf,
} from '@osprey/geo';
import { type Kysely, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { NotStored, type Storage } from '../../base/storage/storage.ts';
import { IndexDamaged } from '../../telemetry/index-damaged.ts';
import type { TelemetryReader } from '../../telemetry/reader.ts';
import { numberAt, type TelemetryFile, walk } from '../../telemetry/walk.ts';
import { getJson } from '../index/file-index.ts';
import type { SensorIndex } from '../index/sensor-index.ts';
import { GROUND_TAGS, type GroundShapes, surveyGround } from './ground.ts';
import { addShapes, dropShapes } from './shape-rows.ts';

const MINUTE_US = 60_000_000;
/** Number of rows per insert: some 100 KB. */
const ROWS = 50;
/** Maximum time, some 4,000 years from 1970; later minutes do not fit into a row. */
const TIME_MAX_US = 1.2e17;
/** Replaces the key of a sensor's index while the sensor is being recorded. */
export const LIVE_KEY = 'live';
/**
 * Suffix that is appended to the key of a sensor's index to mark coverage made from it. If this text changes, all
 * coverage is made again in the background: change it whenever sets would yield different sightings.
 */
const RULE = '+squares';

/** Returns the value of `coverage_sensors.index_key` for coverage made from this index. */
export const coverageKey = (indexKey: string): string => indexKey + RULE;
/** SQL for the value that `coverage_sensors.index_key` must have for the current index of a sensor in the query. */
export const requestedCoverageKey = sql<string>`(sensors.index_key || ${sql.lit(RULE)})`;

/** One row of coverage_minutes; times and minutes are on the sensor's own clock. */
export type CoveredMinute = { minute: number; cells: number[]; footprints: Uint8Array; count: number };

type Deps = { db: Kysely<Database>; storage: Storage; reader: TelemetryReader };

/**
 * Removes the coverage of a sensor, until it is made again. Call it in the transaction that replaces the sensor's
 * index.
 */
export async function dropCoverage(tx: Db, sensorId: string): Promise<void> {
  await asSystem(tx, 'ingest').deleteFrom('coverage_sensors').where('sensor_id', '=', sensorId).execute();
}

/** Removes all coverage, so that it is made again in the background. */
export async function forgetCoverage(db: Db): Promise<void> {
  await asSystem(db, 'ingest').deleteFrom('coverage_sensors').execute();
}

/**
 * Stores where a sensor looked, in one transaction. Nothing is written if its index changed meanwhile, since that
 * change causes another run. A damaged index is recorded, and tried again once it is repaired. The times of each cell
 * are derived later (coverage-keeping.ts). `withShapes`: approximate ground is stored for the geographic filter too,
 * which ingest does itself. Returns whether a row was written.
 */
export async function makeCoverage(
  { db, storage, reader }: Deps,
  sensorId: string,
  { withShapes = false } = {},
): Promise<boolean> {
  const row = await asSystem(db, 'ingest')
    .selectFrom('sensors')
    .select('index_key')
    .where('id', '=', sensorId)
    .executeTakeFirst();
  const indexKey = row?.index_key ?? null;
  if (indexKey === null) return false;
  try {
    const index = await getJson<SensorIndex>(storage, indexKey);
    let isApproximate = false;
    const sightings = eachOf(sightingsOf(reader, index), ({ approximate }) => {
      isApproximate ||= approximate === true;
    });
    const shapes = async () =>
      withShapes && isApproximate ? (await surveyGround(reader, index.files, createCoverage())).shapes : null;
    return await write(db, { sensorId, indexKey, minutes: coveredMinutes(sightings), shapes });
  } catch (error) {
    if (!(error instanceof IndexDamaged || error instanceof NotStored)) throw error;
    return write(db, { sensorId, indexKey, minutes: null, shapes: async () => null });
  }
}

async function* eachOf<T>(items: AsyncIterable<T>, look: (item: T) => void): AsyncGenerator<T> {
  for await (const item of items) {
    look(item);
    yield item;
  }
}

type Writing = {
  sensorId: string;
  indexKey: string;
  minutes: AsyncIterable<CoveredMinute> | null;
  /** Called after `minutes` were read. Returns what replaces the shapes of the geographic filter; null: they stay. */
  shapes: () => Promise<GroundShapes | null>;
};

class IndexChanged extends Error {}

async function write(db: Kysely<Database>, { sensorId, indexKey, minutes, shapes }: Writing): Promise<boolean> {
  try {
    await db.transaction().execute(async (tx) => {
      // The ingest job and the search for missing coverage may process the same sensor concurrently.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`coverage ${sensorId}`}, 0))`.execute(tx);
      const made = await asSystem(tx, 'ingest')
        .selectFrom('coverage_sensors')
        .select('sensor_id')
        .where('sensor_id', '=', sensorId)
        .where('index_key', '=', coverageKey(indexKey))
        .where('failed', '=', false)
        .executeTakeFirst();
      if (made) return;
      await dropCoverage(tx, sensorId);
      const own = { sensor_id: sensorId, index_key: coverageKey(indexKey), footprints: 0, failed: minutes === null };
      await asSystem(tx, 'ingest').insertInto('coverage_sensors').values(own).execute();
      const { footprints, cells } = minutes === null ? NOTHING : await writeMinutes(tx, sensorId, minutes);
      await asSystem(tx, 'ingest')
        .updateTable('coverage_sensors')
        .set({ footprints, cells })
        .where('sensor_id', '=', sensorId)
        .execute();
      const found = await shapes();
      const missionId = await lockedMission(tx, { sensorId, indexKey }, found !== null);
      if (found === null) return;
      await dropShapes(tx, { missionId, sensorId });
      await addShapes(tx, { missionId, sensorId }, found);
    });
    return true;
  } catch (error) {
    if (error instanceof IndexChanged) return false;
    throw error;
  }
}

/**
 * Locks the sensor, and before it the mission if `withMission`, in the same order as ingest. From then on, a change of the
 * index waits for this transaction, and then removes what it wrote. Returns the id of the mission.
 */
async function lockedMission(
  tx: Db,
  { sensorId, indexKey }: Pick<Writing, 'sensorId' | 'indexKey'>,
  withMission: boolean,
): Promise<string> {
  const own = asSystem(tx, 'ingest').selectFrom('sensors').where('id', '=', sensorId);
  if (withMission) {
    await asSystem(tx, 'ingest')
      .selectFrom('missions')
      .select('id')
      .where('id', 'in', own.select('mission_id'))
      .forShare()
      .execute();
  }
  const now = await own.select(['mission_id', 'index_key']).forShare().executeTakeFirst();
  if (now?.index_key !== indexKey) throw new IndexChanged();
  return now.mission_id;
}

const NOTHING: { footprints: number; cells: number[] } = { footprints: 0, cells: [] };

/** Writes the minutes. Returns the number of footprints, and the index entries that find any of them. */
async function writeMinutes(tx: Db, sensorId: string, minutes: AsyncIterable<CoveredMinute>): Promise<typeof NOTHING> {
  let total = 0;
  let all: number[] = [];
  let rows: { sensor_id: string; minute: number; cells: number[]; footprints: Buffer }[] = [];
  const insert = async () => {
    if (rows.length > 0) await asSystem(tx, 'ingest').insertInto('coverage_minutes').values(rows).execute();
    rows = [];
  };
  const written = new Set<number>();
  for await (const covered of minutes) {
    const isKnown = written.has(covered.minute);
    if (isKnown) await insert();
    const { minute, cells, footprints, count } = isKnown ? await joinMinutes(tx, sensorId, covered) : covered;
    written.add(minute);
    total += count;
    all = fewerCells([...all, ...cells.filter((cell) => cell > 0)]);
    rows.push({ sensor_id: sensorId, minute, cells, footprints: Buffer.from(footprints) });
    if (rows.length === ROWS) await insert();
  }
  await insert();
  return { footprints: total, cells: entriesOf(all) };
}

/** The files of a sensor, and the times at which it recorded. */
type Recorded = { files: readonly TelemetryFile[]; timeline: Pick<SensorTimeline, 'endTime' | 'gaps'> | null };

/**
 * Yields the sightings of all sets of a sensor, in the order of its files. None of them extends beyond the end of the
 * recording.
 */
export async function* sightingsOf(reader: TelemetryReader, { files, timeline }: Recorded): AsyncGenerator<Sighting> {
  const endAfter = timeline === null ? () => null : endsOf(timeline);
  const sightingsIn = createSightings();
  for await (const step of walk(reader, files, { tags: GROUND_TAGS })) {
    const endUs = endAfter(step.timeUs);
    const sightings = sightingsIn(
      step.timeUs,
      groundValues((tag) => numberAt(step, tag)),
    );
    for (const sighting of sightings) yield endUs === null ? sighting : { ...sighting, endUs };
  }
}

/**
 * Returns a function that returns where the recording, or its part before a gap, ends after a given time; null if the
 * end is too far away to matter.
 */
export function endsOf({ endTime, gaps }: Pick<SensorTimeline, 'endTime' | 'gaps'>): (timeUs: number) => number | null {
  const ends = Float64Array.from([...gaps.map(({ start }) => start), endTime]).sort();
  return (timeUs) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < timeUs) low = middle + 1;
      else high = middle;
    }
    const endUs = ends[low];
    return endUs !== undefined && endUs - timeUs < (HOLD_SECONDS + 1) * 1e6 ? endUs : null;
  };
}

/**
 * Returns the values of a set that determine its footprint. `numberOf` returns the value of a tag, NaN if there is
 * none.
 */
export function groundValues(numberOf: (tag: number) => number): Record<string, number> {
  const values: Record<string, number> = {};
  for (const tag of GROUND_TAGS) {
    const value = numberOf(tag);
    if (!Number.isNaN(value)) values[tag] = value;
  }
  return values;
}

/**
 * Returns `sightingsAt` for the sets of a sensor, in order of time. Approximate sightings are left out while an earlier
 * footprint still counts: some senders state corners in a part of their sets only.
 */
export function createSightings(): typeof sightingsAt {
  let exactUs = Number.NEGATIVE_INFINITY;
  return (timeUs, values) => {
    const sightings = sightingsAt(timeUs, values);
    const isApproximate = sightings[0]?.approximate === true;
    if (sightings.length > 0 && !isApproximate) exactUs = timeUs;
    return isApproximate && isHeldAt(exactUs, timeUs) ? [] : sightings;
  };
}

/**
 * Returns where a set looked, in the stored form: one sighting, or several at the same time if the horizon cuts corners
 * off its picture. A set without corners and attitude yields an approximate one around its frame centre. Empty if the
 * set does not contain that either.
 */
export function sightingsAt(timeUs: number, values: Record<string, number>): Sighting[] {
  if (!(Math.abs(timeUs) < TIME_MAX_US)) return [];
  const seen = visibleGroundOf(values);
  const square = seen === null ? approximateGroundOf(values) : null;
  const [lat, lon, heightM] = [values[13], values[14], values[15]];
  const isPlaced = lat !== undefined && lon !== undefined && heightM !== undefined;
  const outlines = seen === null ? (square === null ? [] : [square]) : fourCornered(seen.outline);
  return outlines.map(([a, b, c, d]) =>
    rounded({
      timeUs,
      ...(square !== null && { approximate: true as const }),
      corners: [toPosition(a), toPosition(b), toPosition(c), toPosition(d)],
      platform: isPlaced ? [lon, lat, heightM] : null,
    }),
  );
}

/**
 * Groups sightings by minute. The last ones before a minute are included in it if they may still be valid in its first
 * seconds, so that each minute can be evaluated alone. If files of a sensor overlap in time, a minute is yielded
 * several times, and its rows are merged.
 */
export async function* coveredMinutes(sightings: AsyncIterable<Sighting>): AsyncGenerator<CoveredMinute> {
  const open = new Map<number, Sighting[]>();
  const put = (minute: number, sighting: Sighting) => {
    const own = open.get(minute);
    if (own) own.push(sighting);
    else open.set(minute, [sighting]);
  };
  function* close(before: number): Generator<CoveredMinute> {
    for (;;) {
      const minute = Math.min(...open.keys());
      if (!(minute < before)) return;
      const own = open.get(minute)!.sort((a, b) => a.timeUs - b.timeUs);
      open.delete(minute);
      const { timeUs: lastUs } = own[own.length - 1]!;
      if (lastUs >= (minute + 1) * MINUTE_US - HOLD_SECONDS * 1e6) {
        for (const one of own) if (one.timeUs === lastUs) put(minute + 1, one);
      }
      yield {
        minute,
        cells: entriesOf(cellsOfAll(own.map(({ corners }) => corners))),
        footprints: packSightings(own),
        count: own.filter(({ timeUs }) => timeUs >= minute * MINUTE_US).length,
      };
    }
  }
  for await (const sighting of sightings) {
    const minute = Math.floor(sighting.timeUs / MINUTE_US);
    put(minute, sighting);
    // Keep two minutes open, since sets may be slightly out of order.
    if (open.size > 2) yield* close(minute - 1);
  }
  yield* close(Number.POSITIVE_INFINITY);
}

/** Merges two rows of the same minute. */
async function joinMinutes(tx: Db, sensorId: string, covered: CoveredMinute): Promise<CoveredMinute> {
  const existing = await asSystem(tx, 'ingest')
    .deleteFrom('coverage_minutes')
    .where('sensor_id', '=', sensorId)
    .where('minute', '=', covered.minute)
    .returning(['cells', 'footprints'])
    .executeTakeFirst();
  if (!existing) return covered;
  const both = [...unpackSightings(existing.footprints), ...unpackSightings(covered.footprints)];
  const footprints = packSightings(both.sort((a, b) => a.timeUs - b.timeUs));
  return { ...covered, footprints, cells: [...new Set([...existing.cells.map(Number), ...covered.cells])] };
}

/**
 * Adds new sightings of a sensor that is being recorded. Earlier ones are recognized by their time and left out, so
 * that a part may be added twice. Returns the number of new footprints, and the minutes that changed.
 */
export async function addSightings(
  tx: Db,
  sensorId: string,
  sightings: readonly Sighting[],
): Promise<{ added: number; minutes: number[] }> {
  const byMinute = new Map<number, Sighting[]>();
  const into = (minute: number, sighting: Sighting) =>
    byMinute.set(minute, [...(byMinute.get(minute) ?? []), sighting]);
  for (const sighting of sightings) {
    const minute = Math.floor(sighting.timeUs / MINUTE_US);
    into(minute, sighting);
    // Each of these may be the last sighting before the next minute.
    if (sighting.timeUs >= (minute + 1) * MINUTE_US - HOLD_SECONDS * 1e6) into(minute + 1, sighting);
  }
  let added = 0;
  for (const [minute, own] of byMinute) {
    const row = await asSystem(tx, 'ingest')
      .selectFrom('coverage_minutes')
      .select(['cells', 'footprints'])
      .where('sensor_id', '=', sensorId)
      .where('minute', '=', minute)
      .forUpdate()
      .executeTakeFirst();
    const existing = row ? unpackSightings(row.footprints) : [];
    const times = new Set(existing.map(({ timeUs }) => timeUs));
    const fresh = own.filter(({ timeUs }) => !times.has(timeUs));
    if (fresh.length === 0) continue;
    added += fresh.filter(({ timeUs }) => timeUs >= minute * MINUTE_US).length;
    const footprints = Buffer.from(packSightings([...existing, ...fresh].sort((a, b) => a.timeUs - b.timeUs)));
    const made = entriesOf(cellsOfAll(fresh.map(({ corners }) => corners)));
    const cells = [...new Set([...(row?.cells ?? []).map(Number), ...made])];
    await asSystem(tx, 'ingest')
      .insertInto('coverage_minutes')
      .values({ sensor_id: sensorId, minute, cells, footprints })
      .onConflict((conflict) => conflict.columns(['sensor_id', 'minute']).doUpdateSet({ cells, footprints }))
      .execute();
  }
  return { added, minutes: [...byMinute.keys()] };
}
