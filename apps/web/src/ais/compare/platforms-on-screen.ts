import { encounterOf, type Mover, type Point } from '@osprey/geo';
import { plainText } from '../../base/format.ts';
import type { ShownFrame } from '../../onscreen/frames.ts';
import { type TagValue, type TelemetryStore, valueAt } from '../../onscreen/telemetry-store.ts';
import type { ShipsMap } from './ships-map.ts';
import { compareTexts as texts } from './texts.ts';

export type ShownPlatform = { sensorId: string; name: string; mover: Mover };

/** ST 0601 tags for the name of a platform, in order of preference: platform designation, call sign and tail number. */
const NAME_TAGS = ['10', '59', '4'];
const MPS_PER_KNOT = 1852 / 3600;
/**
 * Time span, in microseconds, over which course and speed are calculated from positions if a platform does not send
 * them.
 */
const WAY_US = 10e6;
const TRACK_MIN_US = 2e6;

/**
 * Returns the platforms whose position is on screen now. Each platform is listed once, even if it has several sensors.
 */
export function platformsOnScreen(map: ShipsMap | null): ShownPlatform[] {
  const found = new Map<string, ShownPlatform>();
  for (const frame of map?.services.frames.all() ?? []) {
    if (frame.platform === null || frame.record === null) continue;
    const store = map?.services.stores.get(frame.sensorId) ?? null;
    const sent = nameOf(frame, store);
    if (sent !== null && found.has(sent)) continue;
    const mover = { ...frame.platform, timeUs: frame.timeUs, ...motionOf(frame, frame.platform, store) };
    found.set(sent ?? frame.sensorId, { sensorId: frame.sensorId, name: sent ?? texts.platform, mover });
  }
  return [...found.values()];
}

function nameOf({ record, values }: ShownFrame, store: TelemetryStore | null): string | null {
  for (const tag of NAME_TAGS) {
    const value = values[tag] ?? (record && store?.lastKnown(record, tag)?.value);
    const name = typeof value === 'string' ? plainText(value).trim() : '';
    if (name !== '') return name;
  }
  return null;
}

/**
 * Returns speed and course from ST 0601 (tags 56 and 112) or, if they are missing, from the platform's position a few
 * seconds earlier.
 */
function motionOf({ record, values, timeUs }: ShownFrame, at: Point, store: TelemetryStore | null) {
  const [mps, cogDeg] = [numberOf(values['56']), numberOf(values['112'])];
  if (mps !== null && cogDeg !== null) return { sogKnots: mps / MPS_PER_KNOT, cogDeg };
  for (const before of record && store ? store.between(timeUs - WAY_US, timeUs - TRACK_MIN_US) : []) {
    const [lat, lon] = [numberOf(valueAt(before, '13')), numberOf(valueAt(before, '14'))];
    if (lat === null || lon === null) continue;
    const still = { timeUs, sogKnots: 0, cogDeg: null };
    const way = encounterOf({ ...still, lat, lon }, { ...still, ...at }, timeUs);
    const seconds = ((record?.timeUs ?? timeUs) - before.timeUs) / 1e6;
    return { sogKnots: way.distanceM / seconds / MPS_PER_KNOT, cogDeg: way.bearingDeg };
  }
  return { sogKnots: null, cogDeg: null };
}

const numberOf = (value: TagValue | undefined): number | null => (typeof value === 'number' ? value : null);
