import { coveredSecondsIn, type Position, shapeOf, type Target, wrapLon } from '@osprey/geo';
import type { TelemetryReader } from '../../../telemetry/reader.ts';
import { numberAt, type Step, type TelemetryFile, walk } from '../../../telemetry/walk.ts';

const PLATFORM_LAT = 13;
const CENTRE_LAT = 23;
/** Positions further apart in time than this are not joined, as on the map. */
const GAP_US = 10_000_000;

/** Whole seconds since 1970 on the sensor's clock, each standing for [second, second + 1). Some may occur twice. */
export type Seconds = AsyncIterable<number>;

type Asked = { target: Target; within: { fromSecond: number; toSecond: number } };
type Minutes = AsyncIterable<{ minute: number; footprints: Uint8Array }>;

/** Yields the seconds in which the footprint intersects the shape. */
export async function* secondsOfViews(minutes: Minutes, { target, within }: Asked): AsyncGenerator<number> {
  const intersects = target.unitsTest();
  for await (const { minute, footprints } of minutes) {
    const own = {
      fromSecond: Math.max(minute * 60, within.fromSecond),
      toSecond: Math.min((minute + 1) * 60, within.toSecond),
    };
    for (const { second } of coveredSecondsIn(footprints, intersects, own)) yield second;
  }
}

/** Yields the seconds with a telemetry set whose frame centre is inside the shape. */
export async function* secondsOfCentres(
  reader: TelemetryReader,
  files: readonly TelemetryFile[],
  { target, within }: Asked,
): AsyncGenerator<number> {
  let last = Number.NaN;
  for await (const step of walk(reader, files, { ...timesOf(within), tags: new Set([CENTRE_LAT, CENTRE_LAT + 1]) })) {
    const second = Math.floor(step.timeUs / 1e6);
    if (second === last || second >= within.toSecond) continue;
    const position = positionOf(step, CENTRE_LAT);
    if (position === null || !target.intersects(shapeOf([position]))) continue;
    last = second;
    yield second;
  }
}

/** Yields the seconds in which the path of the platform intersects the shape. */
export async function* secondsOfPath(
  reader: TelemetryReader,
  files: readonly TelemetryFile[],
  { target, within }: Asked,
): AsyncGenerator<number> {
  let before: Place | null = null;
  const { fromUs, toUs } = timesOf(within);
  const requested = { fromUs: fromUs - GAP_US, toUs: toUs + GAP_US, tags: new Set([PLATFORM_LAT, PLATFORM_LAT + 1]) };
  for await (const step of walk(reader, files, requested)) {
    const position = positionOf(step, PLATFORM_LAT);
    if (position === null) continue;
    const place: Place = { position, timeUs: step.timeUs };
    const isJoined = before !== null && place.timeUs >= before.timeUs && place.timeUs - before.timeUs <= GAP_US;
    for (const second of secondsBetween(isJoined && before !== null ? before : place, place, target)) {
      if (second >= within.fromSecond && second < within.toSecond) yield second;
    }
    before = place;
  }
}

type Place = { position: Position; timeUs: number };

function* secondsBetween(from: Place, to: Place, target: Target): Generator<number> {
  if (!target.intersects(shapeOf([from.position, to.position]))) return;
  const [first, last] = [Math.floor(from.timeUs / 1e6), Math.floor(to.timeUs / 1e6)];
  for (let second = first; second <= last; second += 1) {
    const a = between(from, to, Math.max(from.timeUs, second * 1e6));
    const b = between(from, to, Math.min(to.timeUs, (second + 1) * 1e6));
    if (target.intersects(shapeOf([a, b]))) yield second;
  }
}

function between(from: Place, to: Place, timeUs: number): Position {
  if (to.timeUs === from.timeUs) return to.position;
  const share = (timeUs - from.timeUs) / (to.timeUs - from.timeUs);
  const [[lonA, latA], [lonB, latB]] = [from.position, to.position];
  return [wrapLon(lonA + wrapLon(lonB - lonA) * share), latA + (latB - latA) * share];
}

const timesOf = ({ fromSecond, toSecond }: Asked['within']) => ({ fromUs: fromSecond * 1e6, toUs: toSecond * 1e6 });

function positionOf(step: Step, latTag: number): Position | null {
  const [lat, lon] = [numberAt(step, latTag), numberAt(step, latTag + 1)];
  return Number.isNaN(lat) || Number.isNaN(lon) ? null : [lon, lat];
}
