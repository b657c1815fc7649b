import type { DocumentGeometry, SnapshotMoment } from '@osprey/contract';
import { centreOf, footprintOf, splitAtAntimeridian } from '@osprey/geo';
import type { IndexedFile } from '../../media/index/sensor-index.ts';
import type { TelemetrySets } from '../../media/play/telemetry-set.ts';
import type { TelemetryReader } from '../../telemetry/reader.ts';
import { type Step, walk } from '../../telemetry/walk.ts';

/** Maximum age of a telemetry set that is used for a frame, in microseconds. */
const AGE_MAX_US = 5_000_000;

export type FrameTelemetry = NonNullable<SnapshotMoment['telemetry']>;

type Deps = { telemetry: TelemetryReader; sets: TelemetrySets };
type Asked = { sensorId: string; files: readonly IndexedFile[]; timeUs: number };

/**
 * Returns the last telemetry set at or before a time, with its original bytes if the file contains them; null if there
 * is none.
 */
export async function telemetryAt({ telemetry, sets }: Deps, asked: Asked): Promise<FrameTelemetry | null> {
  const { sensorId, files, timeUs } = asked;
  let last: Step | null = null;
  for await (const step of walk(telemetry, files, { fromUs: timeUs - AGE_MAX_US, toUs: timeUs })) last = step;
  if (last === null) return null;
  const { set } = await sets.read({ sensorId, files, timeUs: last.timeUs });
  return { time: Math.round(last.timeUs), values: valuesOf(last), hex: set?.hex ?? null };
}

function valuesOf({ block, row }: Step): FrameTelemetry['values'] {
  const values: FrameTelemetry['values'] = {};
  for (const [tag, column] of block.columns) {
    if (column.kind === 'numbers' && Number.isFinite(column.values[row])) values[tag] = column.values[row]!;
    const text = column.kind === 'texts' ? column.at(row) : null;
    if (text !== null) values[tag] = text;
  }
  return values;
}

/**
 * Returns the location of a frame: its footprint, or else its centre, or else the position of the platform; null if
 * none is known.
 */
export function placeOf(values: FrameTelemetry['values']): DocumentGeometry | null {
  const footprint = footprintOf(values);
  if (footprint) {
    const ring = [...footprint.corners, footprint.corners[0]].map(({ lon, lat }): [number, number] => [lon, lat]);
    const pieces = splitAtAntimeridian(ring);
    const coordinates = pieces.map((piece) => [piece]);
    return coordinates.length === 1 && coordinates[0]
      ? { type: 'Polygon', coordinates: coordinates[0] }
      : { type: 'MultiPolygon', coordinates };
  }
  const centre = centreOf(values);
  if (centre) return { type: 'Point', coordinates: [centre.lon, centre.lat] };
  const [lat, lon] = [values[13], values[14]];
  return typeof lat === 'number' && typeof lon === 'number' ? { type: 'Point', coordinates: [lon, lat] } : null;
}
