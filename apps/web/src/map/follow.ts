import type { Point } from '@osprey/geo';
import type { ShownFrame } from '../onscreen/frames.ts';
import type { ViewServices } from '../onscreen/view-services.ts';
import { CENTRE_MODES, type CentreMode } from './map-storage.ts';

/** Specification 2, section 9: interval at which a followed map is moved. */
const VIEW_REFRESH_MS = 2000;

/** Returns whether a followed map is moved now: regularly, and at once when its target is near its edge. */
export const isRefreshDue = ({ sinceMs, nearEdge }: { sinceMs: number; nearEdge: boolean }): boolean =>
  nearEdge || sinceMs >= VIEW_REFRESH_MS;

/**
 * Chooses the frame whose platform the map shows: the leading sensor's, or the first sensor's with telemetry if that
 * has none.
 */
export function leadingFrame({ clock, frames }: Pick<ViewServices, 'clock' | 'frames'>): ShownFrame | null {
  const { leader } = clock.get();
  const led = leader === null ? null : frames.latest(leader);
  return led?.record ? led : (frames.all().find(({ record }) => record !== null) ?? null);
}

/** The wanted middle of the map; null if the frame does not give it, or nothing is followed. */
export function followedPoint(mode: CentreMode, frame: ShownFrame | null): Point | null {
  if (!frame || mode === CENTRE_MODES.manual) return null;
  if (mode === CENTRE_MODES.platform) return frame.platform;
  if (mode === CENTRE_MODES.target) return targetOf(frame) ?? centreOf(frame);
  return centreOf(frame) ?? frame.platform;
}

/** The ground in the middle of the picture. */
export const centreOf = (frame: ShownFrame): Point | null =>
  frame.footprint?.centre ?? frame.cut?.centre ?? pointAt(frame, 23);

/** The ground that the picture shows, whole or cut; empty if the frame does not give it. */
export const outlineOf = ({ footprint, cut }: ShownFrame): readonly Point[] => footprint?.corners ?? cut?.outline ?? [];

/** Tags 40 and 41, else the first moving target that has a place. */
function targetOf(frame: ShownFrame): Point | null {
  return pointAt(frame, 40) ?? frame.targets.find(({ place }) => place !== null)?.place ?? null;
}

export function pointAt({ values }: ShownFrame, tag: number): Point | null {
  const [lat, lon] = [values[tag], values[tag + 1]];
  return typeof lat === 'number' && typeof lon === 'number' ? { lat, lon } : null;
}

/** West, south, east, north of what should be on screen; null when there is nothing. */
export function boundsOf(points: readonly Point[]): [[number, number], [number, number]] | null {
  const [first] = points;
  if (!first) return null;
  // Counted from the first point, so that a view over the antimeridian stays small.
  const lons = points.map(({ lon }) => first.lon + ((((lon - first.lon + 180) % 360) + 360) % 360) - 180);
  const lats = points.map(({ lat }) => lat);
  return [
    [Math.min(...lons), Math.min(...lats)],
    [Math.max(...lons), Math.max(...lats)],
  ];
}
