import {
  type Actor,
  type Classification,
  classificationOf,
  PAST_RECORDINGS_MAX,
  type PastFrame,
  type PastRecordings,
} from '@osprey/contract';
import { countsAt, unpackSightings } from '@osprey/geo';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { readableSensors } from '../../media/play/covered-minutes.ts';

const MINUTE_US = 60_000_000;
/** Maximum number of sensors in the result for one moment. */
const FRAMES_MAX = 500;

const named = [
  'missions.id as missionId',
  'missions.name as mission',
  'sensors.id as sensorId',
  'sensors.name as sensor',
  'missions.platform_name as platformName',
  'missions.platform_type as platformType',
  'missions.platform_color as color',
] as const;

type Between = { startUs: number; endUs: number };

/** Recordings between two moments whose footprints are in the index. */
export async function recordingsBetween(
  db: Kysely<Database>,
  actor: Actor,
  { startUs, endUs }: Between,
): Promise<PastRecordings> {
  const rows = await readableSensors(db, actor)
    .innerJoin('coverage_sensors', 'coverage_sensors.sensor_id', 'sensors.id')
    .where('coverage_sensors.footprints', '>', 0)
    .where('sensors.start_time', '<=', endUs)
    .where('sensors.end_time', '>=', startUs)
    .select([...named, 'sensors.start_time as from', 'sensors.end_time as to', 'missions.classification as label'])
    .orderBy('sensors.start_time', 'desc')
    .orderBy('sensors.id')
    .limit(PAST_RECORDINGS_MAX + 1)
    .execute();
  const recordings = rows.slice(0, PAST_RECORDINGS_MAX).reverse();
  return {
    recordings: recordings.map(({ from, to, label: _label, ...row }) => ({
      ...row,
      from: from ?? startUs,
      to: to ?? endUs,
    })),
    more: rows.length > PAST_RECORDINGS_MAX,
    securityClassification: classificationOf(Math.max(1, ...recordings.map(({ label }) => label))),
  };
}

type Frames = { frames: PastFrame[]; missions: { id: string; label: Classification }[] };

/**
 * Returns the ground that each sensor saw at a moment, from its last sighting if that is recent enough, and the
 * missions that this reveals.
 */
export async function framesAt(db: Kysely<Database>, actor: Actor, timeUs: number): Promise<Frames> {
  // One minute suffices, since each row also contains the last sighting of the previous minute.
  const own = sql<number>`floor((${timeUs}::bigint - sensors.time_shift) / ${MINUTE_US}::float8)::int`;
  const rows = await readableSensors(db, actor)
    .innerJoin('coverage_minutes', (join) =>
      join.onRef('coverage_minutes.sensor_id', '=', 'sensors.id').on('coverage_minutes.minute', '=', own),
    )
    .where('sensors.start_time', '<=', timeUs)
    .where('sensors.end_time', '>=', timeUs)
    .select([...named, 'missions.classification as label'])
    .select(['sensors.time_shift as shiftUs', 'coverage_minutes.footprints'])
    .orderBy('sensors.id')
    .limit(FRAMES_MAX)
    .execute();
  const missions = new Map<string, Classification>();
  const frames = rows.flatMap(({ shiftUs, footprints, label, ...row }) => {
    const before = unpackSightings(footprints).filter((seen) => seen.timeUs + shiftUs <= timeUs);
    const last = before.at(-1);
    if (last === undefined || last.approximate || !countsAt(last, timeUs - shiftUs)) return [];
    missions.set(row.missionId, classificationOf(label));
    const [a, b, c, d] = last.corners;
    const platform = last.platform && ([last.platform[0], last.platform[1]] as [number, number]);
    return [{ ...row, time: last.timeUs + shiftUs, corners: [a, b, c, d] as PastFrame['corners'], platform }];
  });
  return { frames, missions: [...missions].map(([id, label]) => ({ id, label })) };
}
