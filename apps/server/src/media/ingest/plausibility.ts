import type { KlvHealth } from '@osprey/contract';
import {
  distanceM,
  type Footprint,
  footprintOf,
  MEAN_RADIUS_M,
  type Point,
  VISIBLE_RANGE_M,
  visibleGroundOf,
} from '@osprey/geo';
import type { TelemetryReader } from '../../telemetry/reader.ts';
import { walk } from '../../telemetry/walk.ts';
import type { IndexedFile } from '../index/sensor-index.ts';
import { GROUND_TAGS } from './ground.ts';

type Finding = KlvHealth['findings'][number];
/** ST 0601 values by tag, in the units of the standard. */
type Values = Readonly<Record<string, number>>;

const SENSOR = 13;
const ALTITUDE = 15;
const SLANT_RANGE = 21;
const FRAME_CENTRE = 23;
const FRAME_CENTRE_ELEVATION = 25;
const ELLIPSOID_HEIGHT = 75;
/** Tags whose values can contradict each other, and those from which the footprint is computed. */
const TAGS = new Set([...GROUND_TAGS, SLANT_RANGE, ELLIPSOID_HEIGHT]);

/** Tolerance factors of the slant range and of the distance to the horizon. */
const SLANT_FACTOR = 1.2;
const HORIZON_FACTOR = 1.1;
const NULL_ISLAND_M = 1;
const LOWEST_M = -500;
/** Maximum plausible speed of a platform: 1,500 knots. */
const FASTEST_MPS = (1500 * 1852) / 3600;
/**
 * Minimum time over which a speed is measured, in microseconds, so that positions that jitter from picture to picture
 * do not count as movement.
 */
const SPEED_SPAN_US = 500_000;
/** Maximum time between two positions for a speed, in microseconds; after a longer pause the path is unknown. */
const SPEED_PAUSE_US = 60_000_000;

const kinds = {
  farCentre:
    'The frame centre lies farther from the sensor than 1.2 times the slant range or 1.1 times the distance to the horizon',
  nullIsland: 'A position lies within 1 m of latitude 0, longitude 0',
  low: 'An altitude lies below −500 m',
  overHorizon: 'The footprint reaches over the horizon',
  fast: 'The sensor moves faster than 1,500 kn',
} as const;
type Kind = keyof typeof kinds;
type Count = { count: number; timeUs: number };

/**
 * Counts implausible values of the telemetry, record by record, and views of the horizon. No records are left out
 * because of them.
 */
export function createPlausibility() {
  const found = new Map<Kind, Count>();
  const horizon: Count = { count: 0, timeUs: 0 };
  let recent: { place: Point; timeUs: number }[] = [];

  function note(kind: Kind, timeUs: number): void {
    const known = found.get(kind);
    if (known === undefined) found.set(kind, { count: 1, timeUs });
    else known.count += 1;
  }

  function isFast(place: Point, timeUs: number): boolean {
    const last = recent[recent.length - 1];
    if (last === undefined || timeUs <= last.timeUs || timeUs - last.timeUs > SPEED_PAUSE_US) {
      recent = [{ place, timeUs }];
      return false;
    }
    // Keep one position that is older than the span.
    while (recent.length > 1 && recent[1]!.timeUs <= timeUs - SPEED_SPAN_US) recent.shift();
    const from = recent[0]!;
    recent.push({ place, timeUs });
    return distanceM(from.place, place) > (FASTEST_MPS * Math.max(SPEED_SPAN_US, timeUs - from.timeUs)) / 1e6;
  }

  return {
    add(timeUs: number, values: Values): void {
      const sensor = placeAt(values, SENSOR);
      const centre = placeAt(values, FRAME_CENTRE);
      if ([sensor, centre].some((place) => place && distanceM(place, { lat: 0, lon: 0 }) <= NULL_ISLAND_M)) {
        note('nullIsland', timeUs);
      }
      const heights = [values[ALTITUDE], values[ELLIPSOID_HEIGHT], values[FRAME_CENTRE_ELEVATION]];
      if (heights.some((height) => height !== undefined && height < LOWEST_M)) note('low', timeUs);
      if (sensor === null) return;
      if (centre && isFarther(distanceM(sensor, centre), values)) note('farCentre', timeUs);
      const footprint = footprintOf(values);
      if (footprint && reachesOver(sensor, footprint, values)) note('overHorizon', timeUs);
      if (footprint === null && visibleGroundOf(values) !== null) {
        if (horizon.count === 0) horizon.timeUs = timeUs;
        horizon.count += 1;
      }
      if (isFast(sensor, timeUs)) note('fast', timeUs);
    },

    /**
     * Returns one finding for each kind, with the number of records and the time of the first one, in UTC microseconds.
     */
    findings(): Finding[] {
      const implausible = [...found].map(([kind, { count, timeUs }]) => ({
        severity: 'warning' as const,
        text: `${kinds[kind]}: in ${count === 1 ? 'one record' : `${count} records`}.`,
        count,
        time: timeUs,
      }));
      if (horizon.count === 0) return implausible;
      const views = horizon.count === 1 ? 'One view sees the horizon' : `${horizon.count} views see the horizon`;
      const text = `${views}: ground is counted up to ${VISIBLE_RANGE_M / 1000} km from the sensor.`;
      return [...implausible, { severity: 'good', text, count: horizon.count, time: horizon.timeUs }];
    },
  };
}

function isFarther(metres: number, values: Values): boolean {
  const slantM = values[SLANT_RANGE];
  if (slantM !== undefined && slantM > 0 && metres > SLANT_FACTOR * slantM) return true;
  const horizonM = horizonOf(values);
  return horizonM !== null && metres > HORIZON_FACTOR * horizonM;
}

/** Returns whether the stated corners are beyond the horizon; corners computed from angles never are. */
function reachesOver(sensor: Point, { source, corners }: Footprint, values: Values): boolean {
  const horizonM = horizonOf(values);
  if (horizonM === null || source === 'computed') return false;
  return corners.some((corner) => distanceM(sensor, corner) > HORIZON_FACTOR * horizonM);
}

/** Distance to the horizon along the ground, on a sphere; null if the height above the ground is unknown. */
function horizonOf(values: Values): number | null {
  const height = values[ALTITUDE] ?? values[ELLIPSOID_HEIGHT];
  if (height === undefined) return null;
  const aboveM = height - (values[FRAME_CENTRE_ELEVATION] ?? 0);
  return aboveM > 0 ? MEAN_RADIUS_M * Math.acos(MEAN_RADIUS_M / (MEAN_RADIUS_M + aboveM)) : null;
}

function placeAt(values: Values, tag: number): Point | null {
  const [lat, lon] = [values[tag], values[tag + 1]];
  return lat === undefined || lon === undefined ? null : { lat, lon };
}

/** Checks all telemetry of a sensor in one pass, regardless of its source. */
export async function plausibilityOf(reader: TelemetryReader, files: readonly IndexedFile[]): Promise<Finding[]> {
  const plausibility = createPlausibility();
  for await (const { timeUs, block, row } of walk(reader, files, { tags: TAGS })) {
    const values: Record<string, number> = {};
    for (const [tag, column] of block.columns) {
      if (column.kind === 'numbers' && !Number.isNaN(column.values[row])) values[tag] = column.values[row]!;
    }
    plausibility.add(timeUs, values);
  }
  return plausibility.findings();
}
