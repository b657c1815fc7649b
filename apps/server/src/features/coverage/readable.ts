import type { Actor } from '@osprey/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { prepared } from '../../base/db/prepared.ts';
import type { Database } from '../../base/db/schema.ts';
import { readableSensors } from '../../media/play/covered-minutes.ts';

/** Maximum number of sensors that are checked individually. */
const FEW = 100;

/**
 * Returns those sensors that may have seen a place, if the actor may read only a few sensors. Rows are then read by
 * sensor id, so that hidden missions do not affect the duration. Null if the actor may read more sensors.
 *
 * @param probes index entries of the place; a sensor that saw it has at least one of them
 */
export async function fewReadable(
  db: Kysely<Database>,
  actor: Actor,
  probes: readonly number[],
): Promise<string[] | null> {
  const statement = sql<{ id: string; intersecting: boolean }>`with ${ownSensors(db, actor, probes)}
    select id, "intersecting" from own`;
  const rows = await prepared(db, { compile: () => statement.compile(db) });
  return rows.length > FEW ? null : rows.filter(({ intersecting }) => intersecting).map(({ id }) => id);
}

/** The same for use in another statement, as its part `own`. */
export function ownSensors(db: Kysely<Database>, actor: Actor, probes: readonly number[]): RawBuilder<unknown> {
  const readable = readableSensors(db, actor)
    .innerJoin('coverage_sensors', 'coverage_sensors.sensor_id', 'sensors.id')
    .select(['sensors.id', 'coverage_sensors.cells'])
    .limit(FEW + 1);
  // Cells are compared only if there are few sensors; for a hundred sensors this takes some milliseconds.
  return sql`readable as materialized (${readable}), own as materialized (
    select id, case when (select count(*) from readable) > ${FEW}::int then true
      else coalesce(cells && ${probes}::bigint[], true) end as "intersecting" from readable)`;
}

/** Condition that the actor may read only a few sensors, in a statement with `ownSensors`. */
export const isFew = sql<boolean>`(select count(*) from own) <= ${sql.lit(FEW)}`;
