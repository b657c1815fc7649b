import { type Projector, projector } from './camera.ts';
import { homography } from './homography.ts';
import { normalise, type Point } from './point.ts';

/** The ground polygon shown in a frame. */
export type Footprint = {
  /** Ground corners of the picture: upper left, upper right, lower right, lower left. */
  corners: Corners;
  /** Ground point at the centre of the picture. */
  centre: Point;
  /**
   * Source of the corners: full corners (tags 82-89), offsets (tags 26-33) around the frame centre, or computed from
   * angles and fields of view.
   */
  source: 'corners' | 'offsets' | 'computed';
};

export type Corners = [upperLeft: Point, upperRight: Point, lowerRight: Point, lowerLeft: Point];

/** ST 0601 values in the standard's units, keyed by tag number. */
export type TagValues = Readonly<Record<string, unknown>>;

/** ST 0601.17 tags with the latitudes of corner points 1 to 4; the tag after each has the longitude. */
const FULL_CORNER_TAGS = [82, 84, 86, 88];
const OFFSET_CORNER_TAGS = [26, 28, 30, 32];

/**
 * Returns the footprint of one ST 0601 set. It is taken from the full corners if all are present, otherwise from the
 * corner offsets. Without those, it is computed from the position (13-15), the platform attitude (5-7; the full-range
 * tags 90 and 91 take precedence), the sensor angles (18-20) and the fields of view (16, 17), for ground at the height
 * of the frame centre (25, or sea level if absent).
 *
 * A missing sensor roll (20) is taken as 0, since gimbals without that axis do not send it. If any other value is
 * missing, or the camera sees the horizon, the result is null; nothing is guessed.
 */
export function footprintOf(values: TagValues): Footprint | null {
  const stated = centreOf(values);
  const full = fourCorners(FULL_CORNER_TAGS, (tag) => pointAt(values, tag, null));
  if (full) return withCentre(full, stated, 'corners');
  const offset = stated && fourCorners(OFFSET_CORNER_TAGS, (tag) => pointAt(values, tag, stated));
  if (offset) return withCentre(offset, stated, 'offsets');
  return computed(values, stated);
}

/** Returns the frame centre (tags 23 and 24) of one ST 0601 set, or null. */
export function centreOf(values: TagValues): Point | null {
  return pointAt(values, 23, null);
}

function withCentre(corners: Corners, stated: Point | null, source: Footprint['source']): Footprint | null {
  const centre = stated ?? homography(corners)?.toGround(0.5, 0.5);
  return centre ? { corners, centre, source } : null;
}

function computed(values: TagValues, stated: Point | null): Footprint | null {
  const camera = cameraOf(values);
  if (camera === null) return null;
  const { toGround } = camera;
  const centre = stated ?? toGround(0.5, 0.5);
  const [a, b, c, d] = [toGround(0, 0), toGround(1, 0), toGround(1, 1), toGround(0, 1)];
  return centre && a && b && c && d ? { corners: [a, b, c, d], centre, source: 'computed' } : null;
}

/**
 * Returns the camera of one ST 0601 set, from its position, attitude, angles and fields of view; null if one of them is
 * missing.
 */
export function cameraOf(values: TagValues): Projector | null {
  const position = pointAt(values, 13, null);
  const [heightM, headingDeg] = [numberAt(values, 15), numberAt(values, 5)];
  const [pitchDeg, rollDeg] = [
    numberAt(values, 90) ?? numberAt(values, 6),
    numberAt(values, 91) ?? numberAt(values, 7),
  ];
  const [azimuthDeg, elevationDeg] = [numberAt(values, 18), numberAt(values, 19)];
  const [horizontalDeg, verticalDeg] = [numberAt(values, 16), numberAt(values, 17)];
  if (position === null || heightM === null || headingDeg === null || pitchDeg === null || rollDeg === null)
    return null;
  if (azimuthDeg === null || elevationDeg === null || !isLensAngle(horizontalDeg) || !isLensAngle(verticalDeg)) {
    return null;
  }

  const sensorRollDeg = numberAt(values, 20) ?? 0;
  const attitude = { headingDeg, pitchDeg, rollDeg, azimuthDeg, elevationDeg, sensorRollDeg };
  const view = { horizontalDeg, verticalDeg };
  return projector({ ...position, heightM }, attitude, view, numberAt(values, 25) ?? 0);
}

/** A pinhole camera has a field of view of less than 180 degrees; senders that do not know the value send zero. */
const isLensAngle = (degrees: number | null): degrees is number => degrees !== null && degrees > 0 && degrees < 179;

function fourCorners(tags: readonly number[], cornerAt: (tag: number) => Point | null): Corners | null {
  const [a, b, c, d] = tags.map(cornerAt);
  return a && b && c && d ? [a, b, c, d] : null;
}

/**
 * Returns the point whose latitude is at `tag` and whose longitude is at the next tag, relative to `origin` if one is
 * given.
 */
function pointAt(values: TagValues, tag: number, origin: Point | null): Point | null {
  const [lat, lon] = [numberAt(values, tag), numberAt(values, tag + 1)];
  if (lat === null || lon === null) return null;
  if (origin) return normalise({ lon: origin.lon + lon, lat: origin.lat + lat });
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 360 ? normalise({ lon, lat }) : null;
}

function numberAt(values: TagValues, tag: number): number | null {
  const value = values[tag];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
