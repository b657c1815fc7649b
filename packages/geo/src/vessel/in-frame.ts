import type { Corners } from '../footprint.ts';
import { type Homography, homography } from '../homography.ts';
import type { Point } from '../point.ts';
import { distanceBetween, distanceToBorder, isWithin } from './convex.ts';
import { type HullSizes, hullOf } from './hull.ts';
import { type LocalPlane, type Metres, planeAround } from './local-plane.ts';
import { stateAt, type VesselReport, type VesselState } from './motion.ts';
import { borderOf, ellipseOf, type Spread, sumOf, toUnitCircle } from './spread.ts';

/** A ship with its reports in the order of their times. */
export type Vessel = { mmsi: number; sizes: HullSizes | null; reports: readonly VesselReport[] };

/** Shares of a picture from its upper left. */
export type InPicture = { x: number; y: number };

/** A ship that a frame shows, or may show. */
export type VesselInFrame = {
  mmsi: number;
  /** True: the frame shows some of it at every place of its ellipse. False: it may be outside. */
  sure: boolean;
  state: VesselState;
  /** Error of its place in the picture: the error of the ship combined with that of the telemetry. */
  spread: Spread;
  /** Half the longer axis of the 95 % ellipse, metres. */
  errorM: number;
  /** The middle of the ship, on the ground and in the picture. */
  place: Point;
  middle: InPicture;
  /** The part of its outline and of its 95 % ellipse that the camera can see. */
  outline: InPicture[];
  ellipse: InPicture[];
};

/** The ground that a frame shows. */
export type FrameView = {
  corners: Corners;
  timeUs: number;
  /** Error of the telemetry: see `pointingSpread`. */
  pointing: Spread;
};

/** The longest ships are 400 m, the largest antenna offset less. */
const SHIP_M = 400;

/**
 * Ships whose outline, moved anywhere in the 95 % ellipse of its place, meets the footprint of a frame. Ships without a
 * report near enough in time are left out, and all ships if the corners are no picture of the ground.
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

/** Whether a ship meets a footprint, and how sure that is; null where it does not. Distances are metres from its antenna. */
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
  // Most ships are far from the picture: no outline is made for these.
  if (!isWithin([0, 0], footprint) && distanceToBorder([0, 0], footprint) > majorM + SHIP_M) return null;
  const { outline, middle } = hullOf(sizes, state.headingDeg);
  const round = toUnitCircle(spread);
  const [hull, frame] = [outline.map(round), footprint.map(round)];
  if (distanceBetween(hull, frame) > 1) return null;
  const sure = [...hull, round(middle)].some((at) => isWithin(at, frame) && distanceToBorder(at, frame) >= 1);
  return { plane, outline, middle, spread, sure };
}
