import { RADIANS } from '../point.ts';
import type { Metres } from './local-plane.ts';

/** Distances in metres from the antenna to the bow, stern and sides of a ship (ITU-R M.1371-5, message 5). */
export type HullSizes = { toBow: number; toStern: number; toPort: number; toStarboard: number };

/** Sizes in metres that are assumed for a ship that does not send any. */
const UNKNOWN: HullSizes = { toBow: 15, toStern: 15, toPort: 4, toStarboard: 4 };
/** Share of the ship's length over which the bow tapers, limited to one beam. */
const BOW_SHARE = 0.25;
const CORNERS_OF_CIRCLE = 12;

/**
 * Returns the outline of a ship and its middle, in metres east and north of its antenna. Without a heading, the outline
 * is a circle around all possible positions of the hull.
 */
export function hullOf(sizes: HullSizes | null, headingDeg: number | null): { outline: Metres[]; middle: Metres } {
  const { toBow, toStern, toPort, toStarboard } = centred(sizes);
  if (headingDeg === null) {
    const reach = Math.hypot(Math.max(toBow, toStern), Math.max(toPort, toStarboard));
    const outline = Array.from({ length: CORNERS_OF_CIRCLE }, (_, at): Metres => {
      const turn = (2 * Math.PI * at) / CORNERS_OF_CIRCLE;
      return [reach * Math.sin(turn), reach * Math.cos(turn)];
    });
    return { outline, middle: [0, 0] };
  }
  const [sin, cos] = [Math.sin(headingDeg * RADIANS), Math.cos(headingDeg * RADIANS)];
  const at = (ahead: number, right: number): Metres => [ahead * sin + right * cos, ahead * cos - right * sin];
  const length = toBow + toStern;
  const shoulder = toBow - Math.min(BOW_SHARE * length, toPort + toStarboard);
  return {
    outline: [
      at(toBow, (toStarboard - toPort) / 2),
      at(shoulder, toStarboard),
      at(-toStern, toStarboard),
      at(-toStern, -toPort),
      at(shoulder, -toPort),
    ],
    middle: at((toBow - toStern) / 2, (toStarboard - toPort) / 2),
  };
}

/**
 * Centres the antenna if the distances to bow and port are zero: this means that the ship's size is known but not the
 * position of its antenna.
 */
function centred(sizes: HullSizes | null): HullSizes {
  if (sizes === null) return UNKNOWN;
  const { toBow, toStern, toPort, toStarboard } = sizes;
  const [length, beam] = [toBow + toStern, toPort + toStarboard];
  if (length <= 0) return UNKNOWN;
  if (toBow === 0 && toPort === 0) {
    return { toBow: length / 2, toStern: length / 2, toPort: beam / 2, toStarboard: beam / 2 };
  }
  return sizes;
}
