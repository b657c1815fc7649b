import {
  type Actor,
  classificationOf,
  classificationRank,
  IN_FRAME_SPANS_MAX,
  type InFrameSpan,
  type MapArea,
  type ShipsInFrame,
  stationOf,
} from '@osprey/contract';
import { meetsFootprint, REPORT_AGE_MAX_S, type Sighting, stateAt, type Vessel } from '@osprey/geo';
import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { visibleMinutes } from '../../media/play/covered-minutes.ts';
import { footprintsOf, MINUTE_US, type SensorMinute, sightingAt, startOf, viewOf } from './footprints.ts';
import { anyHeard, reportsNear, vesselOf } from './reports.ts';
import type { AisSource } from './sources.ts';

const AGE_US = REPORT_AGE_MAX_S * 1e6;
/** Maximum number of moments examined. A row of the timeline has about 2,000 pixels and cannot show more. */
const MOMENTS = 2000;
const STEP_MIN_US = 1_000_000;
/** Minutes of the coverage index that are examined together. */
const GROUP_MINUTES = 5;
/** Maximum number of minutes examined; the rest of a longer mission is not. */
const MINUTES_MAX = 5000;
/** Distance that a ship covers in six minutes at 40 knots, 4 nautical miles, in degrees of latitude. */
const MARGIN_DEG = 4 / 60;
/** Maximum number of steps without the ship that do not end a span. */
const MISSED_STEPS_MAX = 3;

const nothing: ShipsInFrame = { spans: [], more: false, heard: false, securityClassification: 'UNCLASSIFIED' };

type Step = { sensorId: string; vessel: Vessel; timeUs: number; sure: boolean; name: string | null };

/**
 * Times when the sensors of a mission had ships in their pictures, by footprints of the coverage index and reports of
 * these sources.
 */
export async function shipsInFrame(
  db: Kysely<Database>,
  actor: Actor,
  { missionId, sources }: { missionId: string; sources: readonly AisSource[] },
): Promise<ShipsInFrame> {
  const all = await minutesOf(db, actor, missionId);
  const minutes = all.slice(0, MINUTES_MAX);
  const [first, last] = [minutes[0], minutes.at(-1)];
  if (first === undefined || last === undefined || sources.length === 0) return nothing;
  const [fromUs, toUs] = [startOf(first), startOf(last) + MINUTE_US];
  if (!(await anyHeard(db, sources, { fromUs: fromUs - AGE_US, toUs: toUs + AGE_US }))) return nothing;
  const stepUs = Math.max(STEP_MIN_US, Math.ceil((toUs - fromUs) / MOMENTS / 1e6) * 1e6);
  const spans = spansBy(stepUs);
  let more = all.length > minutes.length;
  let rank = 1;
  for (const group of groupsOf(minutes)) {
    const seen = await footprintsOf(db, actor, group);
    const area = areaAround([...seen.values()].flat());
    if (area === null) continue;
    const [startUs, endUs] = [startOf(group[0]!), startOf(group.at(-1)!) + MINUTE_US];
    const near = await reportsNear(db, sources, { area, startUs, endUs });
    more ||= near.cut;
    rank = Math.max(rank, classificationRank(near.securityClassification));
    const vessels = near.ships.map((ship) => ({ vessel: vesselOf(ship), name: ship.name }));
    if (vessels.length > 0) addShips(seen, vessels, { startUs, endUs });
  }
  const found = spans.all();
  return {
    spans: found.slice(0, IN_FRAME_SPANS_MAX),
    more: more || found.length > IN_FRAME_SPANS_MAX,
    heard: true,
    securityClassification: classificationOf(rank),
  };

  function addShips(
    seen: ReadonlyMap<SensorMinute, Sighting[]>,
    vessels: readonly { vessel: Vessel; name: string | null }[],
    { startUs, endUs }: { startUs: number; endUs: number },
  ): void {
    const bySensor = new Map<string, Sighting[]>();
    for (const [{ sensorId }, sightings] of seen) {
      bySensor.set(sensorId, [...(bySensor.get(sensorId) ?? []), ...sightings]);
    }
    for (let timeUs = Math.ceil(startUs / stepUs) * stepUs; timeUs < endUs; timeUs += stepUs) {
      const views = [...bySensor].flatMap(([sensorId, sightings]) => {
        const sighting = sightingAt(sightings, timeUs);
        return sighting ? [{ sensorId, ...viewOf(sighting) }] : [];
      });
      if (views.length === 0) continue;
      for (const { vessel, name } of vessels) {
        const state = stateAt(vessel.reports, timeUs);
        if (state === null) continue;
        for (const { sensorId, ...view } of views) {
          const inFrame = meetsFootprint(vessel.sizes, state, view);
          if (inFrame) spans.add({ sensorId, vessel, name, timeUs, sure: inFrame.sure });
        }
      }
    }
  }
}

async function minutesOf(db: Kysely<Database>, actor: Actor, missionId: string): Promise<SensorMinute[]> {
  const rows = await visibleMinutes(db, actor)
    .where('missions.id', '=', missionId)
    .select(['sensors.id as sensorId', 'coverage_minutes.minute', 'sensors.time_shift as shiftUs'])
    .execute();
  return rows.sort((a, b) => startOf(a) - startOf(b));
}

/** Groups minutes that are close together; a pause in the recording starts a new group. */
export function* groupsOf(minutes: readonly SensorMinute[]): Generator<SensorMinute[]> {
  let group: SensorMinute[] = [];
  for (const one of minutes) {
    if (group.length > 0 && startOf(one) - startOf(group[0]!) >= GROUP_MINUTES * MINUTE_US) {
      yield group;
      group = [];
    }
    group.push(one);
  }
  if (group.length > 0) yield group;
}

/**
 * Returns the bounding box of footprints, enlarged by the distance that a ship covers until its next report; null
 * without footprints.
 */
export function areaAround(sightings: readonly Sighting[]): MapArea | null {
  const corners = sightings.flatMap((sighting) => sighting.corners);
  if (corners.length === 0) return null;
  const lats = corners.map(([, lat]) => lat);
  const south = Math.max(-90, lats.reduce((a, b) => Math.min(a, b)) - MARGIN_DEG);
  const north = Math.min(90, lats.reduce((a, b) => Math.max(a, b)) + MARGIN_DEG);
  const wide = MARGIN_DEG / Math.max(0.05, Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180));
  const [base] = corners[0]!;
  // Longitudes are measured relative to the first corner, so that the antimeridian needs no special treatment.
  const turns = corners.map(([lon]) => ((lon - base + 540) % 360) - 180);
  const [west, east] = [turns.reduce((a, b) => Math.min(a, b)) - wide, turns.reduce((a, b) => Math.max(a, b)) + wide];
  if (east - west >= 360) return { west: -180, east: 180, south, north };
  const inWorld = (lon: number) => ((((lon + 180) % 360) + 360) % 360) - 180;
  return { west: inWorld(base + west), east: inWorld(base + east), south, north };
}

/** Joins moments into spans, for each sensor and ship. */
function spansBy(stepUs: number) {
  const spans = new Map<string, InFrameSpan[]>();
  return {
    add({ sensorId, vessel: { mmsi }, timeUs, sure, name }: Step): void {
      const key = `${sensorId} ${mmsi}`;
      const own = spans.get(key) ?? [];
      spans.set(key, own);
      const last = own.at(-1);
      if (last !== undefined && timeUs - last.to <= MISSED_STEPS_MAX * stepUs) {
        last.to = timeUs + stepUs;
        last.sure ||= sure;
      } else own.push({ ...stationOf(mmsi), name, sensorId, from: timeUs, to: timeUs + stepUs, sure });
    },
    all: (): InFrameSpan[] => [...spans.values()].flat().sort((a, b) => a.from - b.from || a.mmsi - b.mmsi),
  };
}
