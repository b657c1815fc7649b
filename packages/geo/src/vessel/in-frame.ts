import type { Corners } from '../footprint.ts';
import { type Homography, homography } from '../homography.ts';
import type { Point } from '../point.ts';
import { distanceBetween, distanceToBorder, isWithin } from './convex.ts';
import { type HullSizes, hullOf } from './hull.ts';
import { type LocalPlane, type Metres, planeAround } from './local-plane.ts';
import { stateAt, type VesselReport, type VesselState } from './motion.ts';
import { borderOf, ellipseOf, type Spread, sumOf, toUnitCircle } from './spread.ts';

/** A ship with its reports in order of time. */
export type Vessel = { mmsi: number; sizes: HullSizes | null; reports: readonly VesselReport[] };

/** Picture coordinates as fractions from the upper left. */
export type InPicture = { x: number; y: number };

/** A ship that is, or may be, shown in a frame. */
export type VesselInFrame = {
  mmsi: number;
  /**
   * True if some part of the ship is in the frame for every position within its error ellipse; false if it may be
   * outside.
   */
  sure: boolean;
  state: VesselState;
  /** Error of the ship's place in the picture: the error of its reported place combined with that of the telemetry. */
  spread: Spread;
  /** Half the longer axis of the 95 % error ellipse, in metres. */
  errorM: number;
  /** Middle of the ship, on the ground (`place`) and in the picture (`middle`). */
  place: Point;
  middle: InPicture;
  /** Parts of the ship's outline and of its 95 % error ellipse that the camera can see. */
  outline: InPicture[];
  ellipse: InPicture[];
};

/** The ground shown in a frame. */
export type FrameView = {
  corners: Corners;
  timeUs: number;
  /** Error of the telemetry; see `pointingSpread`. */
  pointing: Spread;
};

/** Maximum distance between the antenna and any part of a ship, in metres. The longest ships measure 400 m. */
const SHIP_M = 400;

/**
 * Returns the ships whose outline, moved anywhere within the 95 % error ellipse of its place, intersects the footprint
 * of a frame. Ships without a report close enough in time are omitted. The list is empty if the corners are not a
 * picture of the ground.
 */
export function vesselsInFrame(vessels: readonly Vessel[], view: FrameView): VesselInFrame[] {
  const ground = homography(view.corners);
  if (ground === null) return [];
  return vessels.flatMap((vessel) => {
    const state = stateAt(vessel.reports, view.timeUs);
    return (state && shown(vessel, state, view, ground)) ?? [];
  });
}

function shown(vessel: Vessel, state: VesselState, view: FrameView, ground: Homography): VesselInFrame | null {
  const inFrame = meetsFootprint(vessel.sizes, state, view);
  if (inFrame === null) return null;
  const { plane, outline, middle, spread, sure } = inFrame;
  const place = plane.toPlace(middle);
  const centre = ground.toImage(place);
  if (centre === null) return null;
  const inPicture = (points: readonly Metres[]) =>
    points.map((at) => ground.toImage(plane.toPlace(at))).filter((at) => at !== null);
  return {
    mmsi: vessel.mmsi,
    sure,
    state,
    spread,
    errorM: ellipseOf(spread).majorM,
    place,
    middle: centre,
    outline: inPicture(outline),
    ellipse: inPicture(borderOf(spread).map(([east, north]): Metres => [east + middle[0], north + middle[1]])),
  };
}

type InFrame = { plane: LocalPlane; outline: Metres[]; middle: Metres; spread: Spread; sure: boolean };

/**
 * Checks whether a ship may be within a footprint and whether this is certain; null if it cannot be. Coordinates are
 * metres from the ship's antenna.
 */
export function meetsFootprint(
  sizes: HullSizes | null,
  state: VesselState,
  { corners, pointing }: Pick<FrameView, 'corners' | 'pointing'>,
): InFrame | null {
  const plane = planeAround(state.place);
  const [a, b, c, d] = corners.map((corner) => plane.toPlane(corner));
  if (!(a && b && c && d)) return null;
  const footprint = [a, b, c, d];
  const spread = sumOf(state.spread, pointing);
  const { majorM } = ellipseOf(spread);
  // Skip the outline of ships far from the picture, which are the majority.
  if (!isWithin([0, 0], footprint) && distanceToBorder([0, 0], footprint) > majorM + SHIP_M) return null;
  const { outline, middle } = hullOf(sizes, state.headingDeg);
  const round = toUnitCircle(spread);
  const [hull, frame] = [outline.map(round), footprint.map(round)];
  if (distanceBetween(hull, frame) > 1) return null;
  const sure = [...hull, round(middle)].some((at) => isWithin(at, frame) && distanceToBorder(at, frame) >= 1);
  return { plane, outline, middle, spread, sure };
}
