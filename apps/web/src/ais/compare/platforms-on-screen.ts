import { encounterOf, type Mover, type Point } from '@osprey/geo';
import { plainText } from '../../base/format.ts';
import type { ShownFrame } from '../../onscreen/frames.ts';
import { type TagValue, type TelemetryStore, valueAt } from '../../onscreen/telemetry-store.ts';
import type { ShipsMap } from './ships-map.ts';
import { compareTexts as texts } from './texts.ts';

export type ShownPlatform = { sensorId: string; name: string; mover: Mover };

/** ST 0601: designation, call sign and tail number, whichever is sent. */
const NAME_TAGS = ['10', '59', '4'];
const MPS_PER_KNOT = 1852 / 3600;
/** Course and speed of a platform that sends none come from its places over this time. */
const WAY_US = 10e6;
const WAY_LEAST_US = 2e6;

/** Platforms whose position is on screen now, each once although it may have several sensors. */
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

/** Ground speed (56) and course (112) of ST 0601, else from where it was some seconds before. */
function motionOf({ record, values, timeUs }: ShownFrame, at: Point, store: TelemetryStore | null) {
  const [mps, cogDeg] = [numberOf(values['56']), numberOf(values['112'])];
  if (mps !== null && cogDeg !== null) return { sogKnots: mps / MPS_PER_KNOT, cogDeg };
  for (const before of record && store ? store.between(timeUs - WAY_US, timeUs - WAY_LEAST_US) : []) {
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
