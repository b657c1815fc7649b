import { type Corners, cameraOf, centreOf, footprintOf, type TagValues } from './footprint.ts';
import { destination } from './great-circle.ts';
import { normalise, type Point, RADIANS } from './point.ts';
import { VISIBLE_RANGE_M } from './visible-ground.ts';

/** ST 0601.17: target width, its extended form, horizontal field of view, and slant range. */
const [WIDTH, EXTENDED_WIDTH, FIELD_OF_VIEW, SLANT_RANGE] = [22, 96, 16, 21];
const LENS_MAX_DEG = 179;

/**
 * Returns roughly the ground in one ST 0601 set that gives the frame centre, but neither corners nor the attitude: a
 * square around the centre, with sides to the north and east. Its width is the target width, or else follows from the
 * field of view and the slant range. Without a width, all four corners are the centre. Null if the set gives no centre,
 * or enough for `footprintOf` or `visibleGroundOf` to decide.
 *
 * Use it only to find places, and show that it is approximate: it is not the picture.
 */
export function approximateGroundOf(values: TagValues): Corners | null {
  const centre = centreOf(values);
  if (centre === null || footprintOf(values) !== null || cameraOf(values) !== null) return null;
  const halfM = Math.min(VISIBLE_RANGE_M, (widthOf(values) ?? 0) / 2);
  if (halfM === 0) return [centre, centre, centre, centre];
  const corner = (bearing: number): Point => normalise(destination(centre, bearing, halfM * Math.SQRT2));
  return [corner(315), corner(45), corner(135), corner(225)];
}

function widthOf(values: TagValues): number | null {
  const stated = positive(values[WIDTH!]) ?? positive(values[EXTENDED_WIDTH!]);
  if (stated !== null) return stated;
  const [fieldDeg, rangeM] = [positive(values[FIELD_OF_VIEW!]), positive(values[SLANT_RANGE!])];
  if (fieldDeg === null || rangeM === null || fieldDeg >= LENS_MAX_DEG) return null;
  return 2 * rangeM * Math.tan((fieldDeg * RADIANS) / 2);
}

/** Zero is written by senders that do not know a value. */
const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
