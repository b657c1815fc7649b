import type { Lookback } from '@osprey/contract';
import { meets, type Position, type Shape, type Sighting, shapeOf } from '@osprey/geo';

/** Ground of a sighting; null where it is larger than half the earth, and so meets nothing. */
export function viewOf({ corners }: Pick<Sighting, 'corners'>): Shape | null {
  try {
    return shapeOf(corners);
  } catch {
    return null;
  }
}

/** Seconds since 1970 in which a sensor saw an area, by the plain sentence of the rule over all of its footprints. */
export function secondsByRule(
  sightings: readonly Sighting[],
  ring: Position[],
  views = sightings.map(viewOf),
): number[] {
  const shape = shapeOf(ring);
  const intersecting = views.map((view) => view !== null && meets(view, shape));
  if (!intersecting.includes(true)) return [];
  const first = Math.floor(sightings[0]!.timeUs / 1e6);
  const seconds = Math.floor(sightings.at(-1)!.timeUs / 1e6) - first + 3;
  return Array.from({ length: seconds }, (_, at) => first + at).filter((second) => {
    const last = sightings.findLast(({ timeUs }) => timeUs < second * 1e6)?.timeUs;
    const isHeld = ({ timeUs, endUs = Number.POSITIVE_INFINITY }: Sighting) =>
      timeUs === last && timeUs >= (second - 2) * 1e6 && second * 1e6 < endUs;
    return sightings.some(
      (sighting, at) => intersecting[at] && (Math.floor(sighting.timeUs / 1e6) === second || isHeld(sighting)),
    );
  });
}

/** Seconds since 1970 in which a sensor saw the place, as a look back says. */
export const secondsIn = ({ spans }: Lookback, sensorId: string): number[] =>
  spans
    .filter((span) => span.sensorId === sensorId)
    .flatMap(({ from, to }) => Array.from({ length: (to - from) / 1e6 }, (_, at) => from / 1e6 + at))
    .sort((a, b) => a - b);
