import { type Actor, classificationOf, type Filmed } from '@osprey/contract';
import {
  cellsOf,
  meetsFootprint,
  type Point,
  type Position,
  probesOf,
  REPORT_AGE_MAX_S,
  type Sighting,
  stateAt,
} from '@osprey/geo';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { readableSensors, visibleMinutes } from '../../media/play/covered-minutes.ts';
import {
  footprintsOf,
  MINUTE_US,
  rangeOf,
  type SensorMinute,
  sightingAt,
  startOf,
  viewOf,
  widthOf,
} from './footprints.ts';
import { heardBy, reportsOf } from './reports.ts';
import type { AisSource } from './sources.ts';

const AGE_US = REPORT_AGE_MAX_S * 1e6;
/** Duration covered by each box in which a ship's track is searched, in microseconds. */
const BOX_US = 30 * MINUTE_US;
/** Maximum number of boxes in one request, newest first; enough for two months at sea. */
const BOXES_MAX = 3000;
/** Maximum number of minutes of the coverage index examined in one request. */
const MINUTES_MAX = 10_000;
const GROUP = 30;
/** Maximum period whose reports are read together, in microseconds. */
const GROUP_US = 3_600_000_000;
/** Four nautical miles in degrees, the distance covered in six minutes at 40 knots. */
const MARGIN_DEG = 4 / 60;
const STEP_US = 1_000_000;
const JOINED_GAP_US = 3_000_000;

type Box = { from: number; to: number; south: number; north: number; west: number; east: number };
type Seen = { sighting: Sighting; timeUs: number; place: Point };
type Span = { sensorId: string; from: number; to: number; sure: boolean; first: Seen };

/**
 * Returns the times when a ship was in the picture of a sensor. Compares its positions from these sources with the
 * footprints of all recordings that the actor may read.
 */
export async function filmedWhen(
  db: Kysely<Database>,
  actor: Actor,
  { mmsi, sources, limit }: { mmsi: number; sources: readonly AisSource[]; limit: number },
): Promise<Filmed> {
  if (sources.length === 0) return { ...(await described(db, actor, [])), more: false };
  const boxes = await boxesOf(db, sources, mmsi);
  const minutes = await minutesNear(db, actor, boxes);
  const spans: Span[] = [];
  let isAll = minutes.length <= MINUTES_MAX && boxes.length <= BOXES_MAX;
  for (const group of groupsOf(minutes.slice(0, MINUTES_MAX))) {
    // One span beyond the limit shows that there are more. A second one is needed, since the last span may continue in
    // the next group.
    if (spans.length > limit + 1) {
      isAll = false;
      break;
    }
    const times = group.map(startOf);
    const [fromUs, toUs] = [Math.min(...times), Math.max(...times) + MINUTE_US];
    const [seen, vessel] = await Promise.all([
      footprintsOf(db, actor, group),
      reportsOf(db, sources, { mmsi, fromUs, toUs }),
    ]);
    for (const [one, sightings] of seen) {
      for (let timeUs = startOf(one) + MINUTE_US - STEP_US; timeUs >= startOf(one); timeUs -= STEP_US) {
        const sighting = sightingAt(sightings, timeUs);
        const state = sighting && stateAt(vessel.reports, timeUs);
        const inFrame = state && meetsFootprint(vessel.sizes, state, viewOf(sighting));
        if (!inFrame) continue;
        const place = inFrame.plane.toPlace(inFrame.middle);
        add({
          sensorId: one.sensorId,
          from: timeUs,
          to: timeUs + STEP_US,
          sure: inFrame.sure,
          first: { sighting, timeUs, place },
        });
      }
    }
  }
  const newest = spans.sort((a, b) => b.to - a.to).slice(0, limit);
  return { ...(await described(db, actor, newest)), more: !isAll || spans.length > limit };

  /** Joins a moment to an existing span. Moments arrive newest first. */
  function add(moment: Span): void {
    const open = spans.findLast(
      ({ sensorId, from }) => sensorId === moment.sensorId && from - moment.to <= JOINED_GAP_US && from >= moment.from,
    );
    if (open === undefined) spans.push(moment);
    else {
      // Keep the first moment in which the ship is surely in the picture, or else the first moment of all.
      if (moment.sure || !open.sure) open.first = moment.first;
      Object.assign(open, { from: moment.from, sure: open.sure || moment.sure });
    }
  }
}

/**
 * Returns boxes around the positions that a ship reported, newest first. Reads one more than can be searched, to know
 * whether there are more.
 */
async function boxesOf(db: Kysely<Database>, sources: readonly AisSource[], mmsi: number): Promise<Box[]> {
  const heard = heardBy(sources, { fromUs: Number.MIN_SAFE_INTEGER, toUs: Number.MAX_SAFE_INTEGER, mmsi });
  // Positions east and west of the antimeridian form separate boxes.
  const { rows } = await sql<Box>`select min(time) as from, max(time) as to, min(lat) / 600000.0::float8 as south,
      max(lat) / 600000.0::float8 as north, min(lon) / 600000.0::float8 as west, max(lon) / 600000.0::float8 as east
    from (${heard}) heard group by time / ${BOX_US}::bigint, lon < 0
    order by 1 desc limit ${BOXES_MAX + 1}`.execute(db);
  return rows;
}

/** Minutes of readable sensors whose footprints may meet the way of the ship at that time, the newest first. */
async function minutesNear(db: Kysely<Database>, actor: Actor, all: readonly Box[]): Promise<SensorMinute[]> {
  const boxes = all.slice(0, BOXES_MAX);
  if (boxes.length === 0) return [];
  const probes = [...new Set(boxes.flatMap((box) => probesOf(cellsOf(ringAround(box)))))];
  const start = sql<number>`(coverage_minutes.minute::bigint * ${MINUTE_US} + sensors.time_shift)`;
  const [oldest, newest] = [Math.min(...boxes.map(({ from }) => from)), Math.max(...boxes.map(({ to }) => to))];
  const rows = await visibleMinutes(db, actor)
    .select(['coverage_minutes.sensor_id as sensorId', 'coverage_minutes.minute', 'sensors.time_shift as shiftUs'])
    .where(sql<boolean>`coverage_minutes.cells && ${probes}::bigint[]`)
    .where(start, '>=', oldest - AGE_US - MINUTE_US)
    .where(start, '<=', newest + AGE_US)
    .orderBy(start, 'desc')
    .limit(10 * MINUTES_MAX)
    .execute();
  // A footprint that meets the track at some other time does not count: the ship must have been near it at that time.
  const heardIn = new Set<number>();
  for (const { from, to } of boxes) {
    for (let at = Math.floor((from - AGE_US) / MINUTE_US); at <= (to + AGE_US) / MINUTE_US; at += 1) heardIn.add(at);
  }
  return rows
    .filter((row) => [0, 1].some((on) => heardIn.has(Math.floor(startOf(row) / MINUTE_US) + on)))
    .slice(0, MINUTES_MAX + 1);
}

function ringAround({ west, south, east, north }: Box): Position[] {
  const wide = MARGIN_DEG / Math.max(0.05, Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180));
  const [low, high] = [Math.max(-89.9, south - MARGIN_DEG), Math.min(89.9, north + MARGIN_DEG)];
  const [left, right] = [west - wide, Math.min(east + wide, west - wide + 179)];
  return [
    [left, low],
    [right, low],
    [right, high],
    [left, high],
  ];
}

function* groupsOf(minutes: readonly SensorMinute[]): Generator<SensorMinute[]> {
  let group: SensorMinute[] = [];
  for (const one of minutes) {
    const isFull = group.length >= GROUP || (group.length > 0 && startOf(group[0]!) - startOf(one) > GROUP_US);
    if (isFull) {
      yield group;
      group = [];
    }
    group.push(one);
  }
  if (group.length > 0) yield group;
}

async function described(db: Kysely<Database>, actor: Actor, spans: readonly Span[]): Promise<Omit<Filmed, 'more'>> {
  const ids = [...new Set(spans.map(({ sensorId }) => sensorId))];
  if (ids.length === 0) return { spans: [], securityClassification: classificationOf(1) };
  const rows = await readableSensors(db, actor)
    .select(['missions.id as missionId', 'missions.name as mission', 'missions.classification as label'])
    .select(['sensors.id as sensorId', 'sensors.name as sensor', 'sensors.video'])
    .where('sensors.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.sensorId, row]));
  const described = spans.flatMap(({ sensorId, from, to, sure, first: { sighting, timeUs, place } }) => {
    const row = byId.get(sensorId);
    if (!row) return [];
    const { video, label: _label, ...named } = row;
    const width = (video as { width?: number } | null)?.width ?? 0;
    const seen = { distanceM: rangeOf(sighting, place), resolutionM: width > 0 ? widthOf(sighting) / width : null };
    return [{ ...named, from, to, first: timeUs, ...seen, sure }];
  });
  return {
    spans: described,
    securityClassification: classificationOf(Math.max(1, ...rows.map(({ label }) => label))),
  };
}
