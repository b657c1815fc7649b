import { setImmediate as otherWork } from 'node:timers/promises';
import type { Actor } from '@osprey/contract';
import {
  cellsOfAll,
  type Position,
  probesOf,
  secondsSeenIn,
  soughtOf,
  splitAtAntimeridian,
  type UnitsTest,
  unpackSightings,
  wrapLon,
} from '@osprey/geo';
import { type RawBuilder, sql } from 'kysely';
import { type Db, visible } from '../../base/access/visibility.ts';
import { areasOf, polygonText, queryPolygons, touches } from '../../base/db/query-geometry.ts';
import { LIVE_KEY } from '../../media/ingest/coverage.ts';
import { packedFootprints } from '../../media/play/covered-minutes.ts';

/** Minutes whose footprints are read at once, some 50 KB each. */
const BATCH = 50;
/** Sides over more degrees of longitude bend by kilometres as great circles; the sides of a box on a map do not. */
const WIDEST_DEG = 10;
const ALL = { fromSecond: Number.NEGATIVE_INFINITY, toSecond: Number.POSITIVE_INFINITY };

/**
 * Ids of the missions that the actor may read whose recorded sensors saw an area, up to the end of ingest: until then a
 * sensor has footprints in the index of seen ground, and no outline. Few missions are recorded at once.
 *
 * @param geometry as `queryPolygons` reads it
 * @throws AppError invalid
 */
export async function seenWhileRecorded(db: Db, actor: Actor, geometry: string): Promise<string[]> {
  const polygons = queryPolygons(geometry);
  const probes = probesOf(cellsOfAll(polygons.map(([outer]) => openRing(outer!))));
  const isMetBy = sphereTest(polygons);
  const areas = areasOf(polygons);
  const found = new Set<string>();
  let left = await minutesNear(db, actor, probes);
  while (left.length > 0) {
    // Minutes that ingest replaced since they were chosen are missing: the mission has an outline then.
    for (const { minute, footprints } of await packedFootprints(db, actor, left.slice(0, BATCH))) {
      const { missionId } = minute;
      if (found.has(missionId)) continue;
      const isSeen = isMetBy
        ? secondsSeenIn(footprints, isMetBy, ALL).length > 0
        : await isSeenInPlane(db, footprints, (shape) => touches(areas, shape));
      if (isSeen) found.add(missionId);
      await otherWork();
    }
    left = left.slice(BATCH).filter(({ missionId }) => !found.has(missionId));
  }
  return [...found];
}

type Minute = { missionId: string; sensorId: string; minute: number };

/** The minutes that may have seen it, the newest first. */
function minutesNear(db: Db, actor: Actor, probes: number[]): Promise<Minute[]> {
  const running = visible(db, actor).where('missions.state', '=', 'Running').select('missions.id');
  const toIngest = visible(db, actor)
    .where(
      sql<boolean>`missions.id in (select mission_id from jobs
        where kind = 'ingest' and state in ('waiting', 'running', 'failed'))`,
    )
    .select('missions.id');
  return visible(db, actor)
    .where('missions.id', 'in', running.union(toIngest))
    .innerJoin('sensors', 'sensors.mission_id', 'missions.id')
    .innerJoin('coverage_sensors', 'coverage_sensors.sensor_id', 'sensors.id')
    .where('coverage_sensors.index_key', '=', LIVE_KEY)
    .innerJoin('coverage_minutes', 'coverage_minutes.sensor_id', 'sensors.id')
    .where(sql<boolean>`coverage_minutes.cells && ${probes}::bigint[]`)
    .select(['missions.id as missionId', 'sensors.id as sensorId', 'coverage_minutes.minute'])
    .orderBy('coverage_minutes.minute', 'desc')
    .execute();
}

/** The comparison of "When was this seen?"; null for an area that is wide, has holes or many vertices. */
function sphereTest(polygons: readonly Position[][][]): UnitsTest | null {
  const parts = polygons.map((rings) => rings.map(openRing));
  const isWide = ([lon]: Position, at: number, ring: readonly Position[]) =>
    Math.abs(wrapLon(ring[(at + 1) % ring.length]![0] - lon)) > WIDEST_DEG;
  if (parts.flat().some((ring) => ring.some(isWide))) return null;
  try {
    return soughtOf(parts.map((rings) => ({ kind: 'area', rings }))).unitsTest();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The comparison of outlines, which a recording has after ingest. */
async function isSeenInPlane(
  db: Db,
  footprints: Uint8Array,
  isMet: (shape: RawBuilder<unknown>) => RawBuilder<boolean>,
): Promise<boolean> {
  const shapes = unpackSightings(footprints).flatMap(({ corners }) => splitAtAntimeridian(corners).map(polygonText));
  const met = sql<{ is: boolean }>`select exists (
    select from unnest(${shapes}::polygon[]) seen (shape) where ${isMet(sql`seen.shape`)}) as "is"`;
  return (await met.execute(db)).rows[0]!.is;
}

/** Without the closing position; longitudes from -180 to 180. */
function openRing(ring: readonly Position[]): Position[] {
  const [first, last] = [ring[0]!, ring[ring.length - 1]!];
  const isClosed = first[0] === last[0] && first[1] === last[1];
  return (isClosed ? ring.slice(0, -1) : ring).map(([lon, lat]) => [wrapLon(lon), lat]);
}
