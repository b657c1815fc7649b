import type { Actor } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { prepared } from '../../base/db/prepared.ts';
import type { Database } from '../../base/db/schema.ts';
import { readableSensors } from '../../media/play/covered-minutes.ts';

/** Up to this number of sensors, each is checked individually. */
const FEW = 100;

/**
 * The sensors that may have seen a place, among those that the actor may read, if these are few: rows are then read by
 * their ids, so that hidden missions cost no time. Null if the actor may read more.
 *
 * @param probes entries of the place; a sensor that saw it has one of them
 */
export async function fewReadable(
  db: Kysely<Database>,
  actor: Actor,
  probes: readonly number[],
): Promise<string[] | null> {
  const own = readableSensors(db, actor)
    .innerJoin('coverage_sensors', 'coverage_sensors.sensor_id', 'sensors.id')
    .select(['sensors.id', 'coverage_sensors.cells'])
    .limit(FEW + 1);
  // Cells are compared where they decide: with those of a hundred sensors it takes some milliseconds.
  const statement = sql<{ id: string; intersecting: boolean }>`with own as materialized (${own})
    select id, case when (select count(*) from own) > ${FEW}::int then true
      else coalesce(cells && ${probes}::bigint[], true) end as "intersecting" from own`;
  const rows = await prepared(db, { compile: () => statement.compile(db) });
  return rows.length > FEW ? null : rows.filter(({ intersecting }) => intersecting).map(({ id }) => id);
}
