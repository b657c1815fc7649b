import { setImmediate as others } from 'node:timers/promises';
import {
  addCoverageMinute,
  type CoverageArea,
  createCoverageHours,
  packCoverage,
  type Sighting,
  unpackSightings,
} from '@osprey/geo';
import { type Kysely, sql } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';

const MINUTES = 60;
/** Maximum number of rows per insert. */
const ROWS = 200;

type Requested = {
  sensorId: string;
  /** `coverage_sensors.index_key`: identifies the index from which the minutes were made. */
  indexKey: string;
  /** All hours if omitted. */
  hours?: readonly number[];
};

/**
 * Computes when each cell of the grid was seen, from the minutes of a sensor. Each hour is replaced in one transaction.
 * Returns false if the minutes meanwhile belong to another index.
 */
export async function makeCoverageHours(
  db: Kysely<Database>,
  { sensorId, indexKey, hours }: Requested,
): Promise<boolean> {
  const coverage = createCoverageHours();
  for (const hour of hours ?? (await hoursOf(db, sensorId))) {
    const minutes = await asSystem(db, 'ingest')
      .selectFrom('coverage_minutes')
      .select(['minute', 'footprints'])
      .where('sensor_id', '=', sensorId)
      .where('minute', '>=', hour * MINUTES)
      .where('minute', '<', (hour + 1) * MINUTES)
      .orderBy('minute')
      .execute();
    const [areas, approximate] = [new Map<number, CoverageArea>(), new Map<number, CoverageArea>()];
    for (const { minute, footprints } of minutes) {
      const sightings = unpackSightings(footprints);
      for (const into of [areas, approximate]) {
        const counts = (sighting: Sighting) => (sighting.approximate === true) === (into === approximate);
        if (!sightings.some(counts)) continue;
        addCoverageMinute(into, coverage.minuteOf(sightings, minute, counts), minute - hour * MINUTES);
      }
      // Let other work run, since a minute with a wide view takes a tenth of a second.
      await others();
    }
    if (!(await writeHour(db, { sensorId, indexKey, hour, areas, approximate }))) return false;
  }
  if (hours !== undefined) return true;
  const done = await asSystem(db, 'ingest')
    .updateTable('coverage_sensors')
    .set({ seen: true })
    .where('sensor_id', '=', sensorId)
    .where('index_key', '=', indexKey)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

type Hour = { sensorId: string; indexKey: string; hour: number } & Record<
  'areas' | 'approximate',
  Map<number, CoverageArea>
>;

function writeHour(db: Kysely<Database>, { sensorId, indexKey, hour, areas, approximate }: Hour): Promise<boolean> {
  const rowsOf = (of: Map<number, CoverageArea>) =>
    [...of].map(([area, cells]) => {
      const { last, runs } = packCoverage(cells);
      const packed = { last: Buffer.from(last), runs: Buffer.from(runs) };
      return { area, sensor_id: sensorId, hour, approximate: of === approximate, ...packed };
    });
  const rows = [...rowsOf(areas), ...rowsOf(approximate)];
  return db.transaction().execute(async (tx) => {
    const own = await asSystem(tx, 'ingest')
      .selectFrom('coverage_sensors')
      .select('sensor_id')
      .where('sensor_id', '=', sensorId)
      .where('index_key', '=', indexKey)
      .forShare()
      .executeTakeFirst();
    if (!own) return false;
    await asSystem(tx, 'ingest')
      .deleteFrom('coverage_seen')
      .where('sensor_id', '=', sensorId)
      .where('hour', '=', hour)
      .execute();
    for (let at = 0; at < rows.length; at += ROWS) {
      await asSystem(tx, 'ingest')
        .insertInto('coverage_seen')
        .values(rows.slice(at, at + ROWS))
        .execute();
    }
    return true;
  });
}

async function hoursOf(db: Kysely<Database>, sensorId: string): Promise<number[]> {
  const rows = await asSystem(db, 'ingest')
    .selectFrom('coverage_minutes')
    .select(sql<number>`floor(minute / ${sql.lit(MINUTES)}::float8)::int`.as('hour'))
    .where('sensor_id', '=', sensorId)
    .groupBy('hour')
    .orderBy('hour')
    .execute();
  return rows.map(({ hour }) => hour);
}
