import type { Box } from '../../base/items/content.ts';
import type { SensorIndexes } from '../../media/play/sensor-index-cache.ts';
import { IndexDamaged } from '../../telemetry/index-damaged.ts';
import type { TelemetryReader } from '../../telemetry/reader.ts';
import { numberAt, shifted, walk } from '../../telemetry/walk.ts';
import { extentOf } from './extents.ts';

const PLATFORM_LAT = 13;
const CENTRE_LAT = 23;
const TAGS = new Set([PLATFORM_LAT, PLATFORM_LAT + 1, CENTRE_LAT, CENTRE_LAT + 1]);

/**
 * Maximum length of a span that is read completely, in microseconds. Of longer spans, SAMPLES_MAX pieces of one second are
 * read, which takes no longer.
 */
const WHOLE_US = 120_000_000;
const SAMPLES_MAX = 100;
const SAMPLE_US = 1_000_000;
/** Maximum age of a telemetry set at the requested moment, in microseconds. Older sets do not describe that moment. */
const AGE_MAX_US = 5_000_000;
/** Maximum number of cached results. */
const CACHED = 2000;

/** A time span of a sensor; a moment has equal start and end. */
export type SensorSpan = { indexKey: string; shiftUs: number; startUs: number; endUs: number };
export type SpanExtents = ReturnType<typeof spanExtents>;

/**
 * Determines the area covered by the positions of platform and frame centre during a span of a sensor; null if the
 * telemetry does not contain them.
 */
export function spanExtents({ indexes, telemetry }: { indexes: SensorIndexes; telemetry: TelemetryReader }) {
  // An index never changes once it is written.
  const cached = new Map<string, Box | null>();

  async function read({ indexKey, shiftUs, startUs, endUs }: SensorSpan): Promise<Box | null> {
    const files = shifted((await indexes.read(indexKey))?.files ?? [], shiftUs);
    const found: Box[] = [];
    for (const [fromUs, toUs] of looksAt(startUs, endUs)) {
      const points: Box[] = [];
      for await (const step of walk(telemetry, files, { fromUs, toUs, tags: TAGS })) {
        for (const tag of [PLATFORM_LAT, CENTRE_LAT]) {
          const [lat, lon] = [numberAt(step, tag), numberAt(step, tag + 1)];
          if (!Number.isNaN(lat) && !Number.isNaN(lon)) points.push([lon, lat, lon, lat]);
        }
      }
      // For a moment, the last set before it.
      found.push(...(startUs === endUs ? points.slice(-2) : points));
    }
    return extentOf(found);
  }

  return async function extent(span: SensorSpan): Promise<Box | null> {
    const key = `${span.indexKey} ${span.shiftUs} ${span.startUs} ${span.endUs}`;
    const existing = cached.get(key);
    if (existing !== undefined) return existing;
    const found = await read(span).catch((error) => {
      if (error instanceof IndexDamaged) return undefined;
      throw error;
    });
    if (found === undefined) return null;
    if (cached.size >= CACHED) cached.delete(cached.keys().next().value ?? '');
    cached.set(key, found);
    return found;
  };
}

function looksAt(startUs: number, endUs: number): [number, number][] {
  if (startUs === endUs) return [[startUs - AGE_MAX_US, startUs]];
  if (endUs - startUs <= WHOLE_US) return [[startUs, endUs]];
  const stepUs = (endUs - startUs - SAMPLE_US) / (SAMPLES_MAX - 1);
  return Array.from({ length: SAMPLES_MAX }, (_, at) => {
    const from = Math.round(startUs + at * stepUs);
    return [from, from + SAMPLE_US];
  });
}
