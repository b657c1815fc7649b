import { sql } from 'kysely';
import type { Db } from '../access/as-system.ts';
import { asSystem } from '../access/as-system.ts';
import { prepared } from '../db/prepared.ts';

type NamedRow = { item_id: string | null; item_name: string | null; result: string | null };

const SENSOR = /^sensor ([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\b/;

/** The sensor of a row (results of viewings and recordings begin with it). */
const sensorIn = (result: string | null): string | null => SENSOR.exec(result ?? '')?.[1] ?? null;

/**
 * Looks up the names of the sensors in these rows, by `item/sensor`. A sensor's name is shown only if the reader may
 * see the name of its mission or platform, and only in rows of that mission or platform.
 */
export async function sensorNames(db: Db, rows: readonly NamedRow[]): Promise<(row: NamedRow) => string | null> {
  const named = rows.filter(({ item_name, result }) => item_name !== null && sensorIn(result) !== null);
  if (named.length === 0) return () => null;
  const ids = [...new Set(named.map(({ result }) => sensorIn(result)))];
  const isAsked = sql<boolean>`id = any (${ids}::uuid[])`;
  // No access check is needed here: only rows whose item's name is visible to the reader are included.
  const ofMissions = asSystem(db, 'audit names')
    .selectFrom('sensors')
    .select(['id', 'name', 'mission_id as item'])
    .where(isAsked);
  const ofPlatforms = asSystem(db, 'audit names')
    .selectFrom('platform_sensors')
    .select(['id', 'name', 'platform_id as item'])
    .where(isAsked);
  const found = await prepared(db, ofMissions.unionAll(ofPlatforms));
  const names = new Map(found.map(({ id, name, item }) => [`${item}/${id}`, name]));
  return ({ item_id, item_name, result }) =>
    item_name === null ? null : (names.get(`${item_id}/${sensorIn(result)}`) ?? null);
}
