import type { Point } from '@osprey/geo';
import type { ShownFrame } from '../onscreen/frames.ts';
import type { ViewServices } from '../onscreen/view-services.ts';
import { CENTRE_MODES, type CentreMode } from './map-storage.ts';

/** Interval in milliseconds at which a following map is moved (specification 2, section 9). */
const VIEW_REFRESH_MS = 2000;

/**
 * Whether a following map must be moved now: at regular intervals, and immediately when its target is near its edge.
 */
export const isRefreshDue = ({ sinceMs, nearEdge }: { sinceMs: number; nearEdge: boolean }): boolean =>
  nearEdge || sinceMs >= VIEW_REFRESH_MS;

/**
 * Returns the frame whose platform the map shows: that of the leading sensor or, if it has no telemetry, that of the
 * first sensor with telemetry.
 */
export function leadingFrame({ clock, frames }: Pick<ViewServices, 'clock' | 'frames'>): ShownFrame | null {
  const { leader } = clock.get();
  const led = leader === null ? null : frames.latest(leader);
  return led?.record ? led : (frames.all().find(({ record }) => record !== null) ?? null);
}

/** Returns the requested centre of the map; null if the frame does not contain it, or nothing is followed. */
export function followedPoint(mode: CentreMode, frame: ShownFrame | null): Point | null {
  if (!frame || mode === CENTRE_MODES.manual) return null;
  if (mode === CENTRE_MODES.platform) return frame.platform;
  if (mode === CENTRE_MODES.target) return targetOf(frame) ?? centreOf(frame);
  return centreOf(frame) ?? frame.platform;
}

/** Returns the position on the ground in the centre of the picture. */
export const centreOf = (frame: ShownFrame): Point | null =>
  frame.footprint?.centre ?? frame.cut?.centre ?? pointAt(frame, 23);

/** Returns the outline of the ground in the picture, complete or cut off; empty if the frame does not contain it. */
export const outlineOf = ({ footprint, cut }: ShownFrame): readonly Point[] => footprint?.corners ?? cut?.outline ?? [];

/**
 * Returns the position of the target: tags 40 and 41, or otherwise that of the first moving target that has a position.
 */
function targetOf(frame: ShownFrame): Point | null {
  return pointAt(frame, 40) ?? frame.targets.find(({ place }) => place !== null)?.place ?? null;
}

export function pointAt({ values }: ShownFrame, tag: number): Point | null {
  const [lat, lon] = [values[tag], values[tag + 1]];
  return typeof lat === 'number' && typeof lon === 'number' ? { lat, lon } : null;
}

/** Returns the south-west and north-east corners of what must be on screen; null if there is nothing. */
export function boundsOf(points: readonly Point[]): [[number, number], [number, number]] | null {
  const [first] = points;
  if (!first) return null;
  // Longitudes are relative to the first point, so that bounds across the antimeridian stay small.
  const lons = points.map(({ lon }) => first.lon + ((((lon - first.lon + 180) % 360) + 360) % 360) - 180);
  const lats = points.map(({ lat }) => lat);
  return [
    [Math.min(...lons), Math.min(...lats)],
    [Math.max(...lons), Math.max(...lats)],
  ];
}
