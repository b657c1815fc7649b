import type { FindFilter } from '@osprey/contract';
import {
  bearingDeg,
  coveredSecondsIn,
  type PackedSecond,
  type Position,
  type Sighting,
  secondsWhere,
  shapeOf,
  unpackSightings,
  viewOf,
  wrapBearing,
} from '@osprey/geo';
import { type RawBuilder, sql } from 'kysely';
import { partPattern } from '../../base/db/keyset.ts';
import { isMissionOfGroups } from '../../base/items/missions.ts';
import { widthOf } from './lookback.ts';
import type { Asked } from './target.ts';

const DAY_US = 86_400_000_000;
const MINUTE_US = 60_000_000;

/** Conditions of the filter on missions and sensors. */
export function recordingConditions(filter: FindFilter): RawBuilder<boolean>[] {
  const { pictures, sensor, platforms, platformTypes, usergroups } = filter;
  const found: RawBuilder<boolean>[] = [];
  if (pictures !== undefined) found.push(sql`(sensors.video is not null) = ${pictures === 'video'}`);
  if (sensor !== undefined) found.push(sql`sensors.name ilike ${partPattern(sensor)}`);
  if (platforms?.length) found.push(sql`missions.platform_name = any (${platforms}::text[])`);
  if (platformTypes?.length) found.push(sql`missions.platform_type = any (${platformTypes}::text[])`);
  if (usergroups?.length) {
    found.push(isMissionOfGroups(sql`${usergroups}::uuid[]`));
  }
  return found;
}

/**
 * Conditions for recordings that may overlap this period. Recordings without times, or still growing, may do so too.
 */
export const withinTimes = (fromUs: number, toUs: number): RawBuilder<boolean>[] => [
  sql`(sensors.end_time is null or sensors.state = 'Running' or sensors.end_time >= ${fromUs})`,
  sql`(sensors.start_time is null or sensors.start_time <= ${toUs})`,
];

/**
 * Returns a function that decides whether a sighting counts. `width` is the width of the sensor's pictures in pixels; 0
 * for a sensor without pictures.
 */
export function isTargetOf({ target }: Asked, filter: FindFilter, width: number): (sighting: Sighting) => boolean {
  const { resolutionM, look, share } = filter;
  return (sighting) => {
    const view = viewOf(sighting.corners);
    if (view === null || !target.intersects(view)) return false;
    if (resolutionM !== undefined && !isAsFine(sighting, width, resolutionM)) return false;
    if (look !== undefined && !looksBetween(sighting, look)) return false;
    return share === undefined || target.shareIn(view) * 100 >= share;
  };
}

/** Whether a pixel is at most so large on the ground; false if its size is not known. */
function isAsFine(sighting: Sighting, width: number, resolutionM: number): boolean {
  const metres = widthOf(sighting);
  return width > 0 && metres > 0 && metres / width <= resolutionM;
}

type Seconds = { fromSecond: number; toSecond: number };

/**
 * Returns a function that finds the matching seconds in packed footprints, in ascending order; `width` is as for
 * `isTargetOf`.
 */
export function secondsMatching(asked: Asked, filter: FindFilter) {
  const { resolutionM, look, share } = filter;
  const isByPlace = resolutionM === undefined && look === undefined && share === undefined;
  const intersects = isByPlace ? asked.target.unitsTest() : null;
  const tests = new Map<number, (sighting: Sighting) => boolean>();
  return (footprints: Uint8Array, width: number, within: Seconds): PackedSecond[] => {
    if (intersects !== null) return coveredSecondsIn(footprints, intersects, within);
    const isTarget = tests.get(width) ?? isTargetOf(asked, filter, width);
    tests.set(width, isTarget);
    const found = secondsWhere(unpackSightings(footprints), isTarget, within);
    return found.map(({ second, by }) => ({ second, by: () => by }));
  };
}

function looksBetween(sighting: Sighting, { from, to }: { from: number; to: number }): boolean {
  const bearing = lookDegOf(sighting);
  if (bearing === null) return false;
  return to - from >= 360 || wrapBearing(bearing - from) <= wrapBearing(to - from);
}

/** Bearing from the platform to the middle of the view, degrees clockwise from true north. */
export function lookDegOf({ platform, corners }: Sighting): number | null {
  if (platform === null) return null;
  const [lon, lat] = middleOf(corners);
  return bearingDeg({ lon: platform[0], lat: platform[1] }, { lon, lat });
}

/** The middle of a view. */
export function middleOf(corners: readonly Position[]): Position {
  const [x, y, z] = shapeOf(corners).middle;
  return [(Math.atan2(y, x) * 180) / Math.PI, (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI];
}

/** Whether a second that begins at this time is in the requested part of the day. */
export function isInDay(timeUs: number, day: FindFilter['day']): boolean {
  if (day === undefined || day.from === day.to) return true;
  const minute = Math.floor((((timeUs % DAY_US) + DAY_US) % DAY_US) / MINUTE_US);
  return day.from < day.to ? minute >= day.from && minute < day.to : minute >= day.from || minute < day.to;
}
