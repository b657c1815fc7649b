import { type Actor, AppError, getVideoList, type VideoList, videoBinUs } from '@osprey/contract';
import { type Position, probesOf, straightParts, type Target, targetOf } from '@osprey/geo';
import { type Kysely, sql } from 'kysely';
import { asSystem } from '../../../base/access/as-system.ts';
import type { Database } from '../../../base/db/schema.ts';
import { callRoute, type Http } from '../../../base/http/call-route.ts';
import { coverageKey, coveredMinutes, sightingsOf } from '../../../media/ingest/coverage.ts';
import { isGroundKnown, visibleMinutes } from '../../../media/play/covered-minutes.ts';
import type { SensorIndexes } from '../../../media/play/sensor-index-cache.ts';
import type { TelemetryReader } from '../../../telemetry/reader.ts';
import type { ReadSensor, SensorRepository } from './repository.ts';
import { type Seconds, secondsOfCentres, secondsOfPath, secondsOfViews } from './seconds-met.ts';

const MINUTE_S = 60;
/** Number of minutes whose footprints are read by one query. */
const BATCH = 100;
const PIECE_SECONDS = 65_536;
const PIECES_MAX = 1024;

type Deps = Http & {
  db: Kysely<Database>;
  sensors: SensorRepository;
  indexes: SensorIndexes;
  telemetry: TelemetryReader;
};

/** Route that returns the times at which a sensor intersected a shape. */
export function videoListRoute(deps: Deps): void {
  const { sensors, indexes, telemetry } = deps;

  callRoute(deps, getVideoList, async ({ input: { params, body }, actor, audit }) => {
    const { geometry, aoiMode } = body;
    const target = readTarget(geometry.type === 'Point' ? [geometry.coordinates] : geometry.coordinates[0]);
    const sensor = await sensors.find(actor, params.mission, params.sensor);
    await audit.read('coverage.read', sensor.mission);
    const span = await askedSpan(deps, sensor.mission.id, body);
    if (span === null) return [];
    const [fromUs, toUs] = [span.start - sensor.shiftUs, span.end - sensor.shiftUs];
    const within = { fromSecond: Math.ceil(fromUs / 1e6), toSecond: Math.floor(toUs / 1e6) };
    const files = async () => (await indexes.read(sensor.indexKey))?.files ?? [];
    const seconds = async (): Promise<Seconds> => {
      if (aoiMode === 'frameCenter') return secondsOfCentres(telemetry, await files(), { target, within });
      if (aoiMode === 'platformPath') return secondsOfPath(telemetry, await files(), { target, within });
      const minutes = (await isIndexed(deps.db, actor, sensor))
        ? indexedMinutes(deps.db, actor, { sensor, target, within })
        : coveredMinutes(
            sightingsOf(telemetry, (await indexes.read(sensor.indexKey)) ?? { files: [], timeline: null }),
          );
      return secondsOfViews(minutes, { target, within });
    };
    return toBins(await seconds(), { fromUs, toUs, shiftUs: sensor.shiftUs });
  });
}

type Asked = { start?: number | null | undefined; end?: number | null | undefined };

/**
 * Returns the requested time span. A missing start or end is taken from the mission, or is now while the mission runs.
 * Null if the span is empty.
 */
async function askedSpan(
  { db, nowUs }: Pick<Deps, 'db' | 'nowUs'>,
  missionId: string,
  { start, end }: Asked,
): Promise<{ start: number; end: number } | null> {
  const row = await asSystem(db, 'media')
    .selectFrom('missions')
    .select(['start_time', 'end_time'])
    .where('id', '=', missionId)
    .executeTakeFirst();
  const [from, to] = [start ?? row?.start_time, end ?? row?.end_time ?? nowUs()];
  return typeof from === 'number' && from < to ? { start: from, end: to } : null;
}

/** Reads a closed ring, or one position. @throws AppError invalid */
function readTarget(ring: readonly Position[]): Target {
  try {
    return targetOf(
      ring.length === 1 ? [{ kind: 'line', positions: ring }] : straightParts([{ kind: 'area', rings: [ring] }]),
    );
  } catch {
    throw new AppError('invalid', { field: 'geometry', reason: 'The area is larger than half the earth' });
  }
}

type Bounds = { fromUs: number; toUs: number; shiftUs: number };

/** Counts each second once, in the bin in which it begins. */
async function toBins(seconds: Seconds, { fromUs, toUs, shiftUs }: Bounds): Promise<VideoList> {
  const binUs = videoBinUs({ start: fromUs, end: toUs });
  const counts = new Map<number, number>();
  const isNew = onceEach();
  for await (const second of seconds) {
    if (!isNew(second)) continue;
    const bin = Math.floor((second * 1e6 - fromUs) / binUs);
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([bin, count]) => {
      const from = fromUs + bin * binUs;
      // The last bin may be shortened by the end of the requested time span.
      const lasts = Math.max(1, Math.floor((Math.min(from + binUs, toUs) - from) / 1e6));
      return { start: from + shiftUs, avg: Math.min(1, count / lasts) };
    });
}

/**
 * Returns a function that returns whether a second occurs for the first time. It uses one bit per second, in pieces of
 * 18 hours, at most 8 MB. Beyond two years of recording, seconds may count twice; shares are limited to 1.
 */
function onceEach(): (second: number) => boolean {
  const pieces = new Map<number, Uint8Array>();
  return (second) => {
    const at = Math.floor(second / PIECE_SECONDS);
    let piece = pieces.get(at);
    if (!piece) {
      if (pieces.size === PIECES_MAX) return true;
      piece = new Uint8Array(PIECE_SECONDS / 8);
      pieces.set(at, piece);
    }
    const within = second - at * PIECE_SECONDS;
    const [byte, bit] = [within >> 3, 1 << (within & 7)];
    const isFirst = (piece[byte]! & bit) === 0;
    piece[byte]! |= bit;
    return isFirst;
  };
}

/**
 * Returns whether the index of seen ground covers all of a sensor. While a sensor is being recorded, the index is the
 * only source.
 */
async function isIndexed(db: Kysely<Database>, actor: Actor, { id, indexKey }: ReadSensor): Promise<boolean> {
  if (indexKey === null) return true;
  return isGroundKnown(db, actor, { sensorId: id, indexKey: coverageKey(indexKey) });
}

type Requested = { sensor: ReadSensor; target: Target; within: { fromSecond: number; toSecond: number } };

/** Yields the minutes of the index in which a footprint may intersect the shape. */
async function* indexedMinutes(db: Kysely<Database>, actor: Actor, { sensor, target, within }: Requested) {
  const probes = probesOf(target.cells);
  let after = Math.floor(within.fromSecond / MINUTE_S) - 1;
  for (;;) {
    const rows = await visibleMinutes(db, actor)
      .select(['coverage_minutes.minute', 'coverage_minutes.footprints'])
      .where('sensors.id', '=', sensor.id)
      .where(sql<boolean>`coverage_minutes.cells && ${probes}::bigint[]`)
      .where('coverage_minutes.minute', '>', after)
      .where('coverage_minutes.minute', '<=', Math.floor(within.toSecond / MINUTE_S))
      .orderBy('coverage_minutes.minute')
      .limit(BATCH)
      .execute();
    yield* rows;
    if (rows.length < BATCH) return;
    after = rows[rows.length - 1]!.minute;
  }
}
