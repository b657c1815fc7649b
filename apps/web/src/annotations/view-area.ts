import { useSyncExternalStore } from 'react';

/** Area shown by a map, in degrees. If `west` is greater than `east`, the area crosses the antimeridian. */
export type ViewArea = { west: number; south: number; east: number; north: number; zoom: number };

const listeners = new Set<() => void>();
let area: ViewArea | null = null;
/** An area that the table requests the map to show. */
type Requested = { bounds: [[number, number], [number, number]] };
const requestedListeners = new Set<(requested: Requested) => void>();

/** Minimum movement of an edge, in degrees, after which annotations are read again (specification 2, section 9). */
const CHANGE_MIN_DEG = 0.005;

/**
 * Whether an edge has moved far enough from `before` to read annotations again: CHANGE_MIN_DEG degrees, or a twentieth of
 * the height of a small view.
 */
export function isChanged(before: ViewArea | null, next: ViewArea | null): boolean {
  if (before === null || next === null) return before !== next;
  const minimum = Math.min(CHANGE_MIN_DEG, (next.north - next.south) / 20);
  return (['west', 'south', 'east', 'north'] as const).some((edge) => Math.abs(next[edge] - before[edge]) >= minimum);
}

/** The visible area of the map, set by the map and read by the table; null until there is a map. */
export const viewArea = {
  get: () => area,
  set(next: ViewArea | null) {
    if (!isChanged(area, next)) return;
    area = next;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  /** Requests that the map show an area. */
  show: (requested: Requested) => {
    for (const listener of requestedListeners) listener(requested);
  },
  onShow(listener: (requested: Requested) => void) {
    requestedListeners.add(listener);
    return () => void requestedListeners.delete(listener);
  },
};

export const useViewArea = (): ViewArea | null => useSyncExternalStore(viewArea.subscribe, viewArea.get);

const rounded = (degrees: number) => Number(degrees.toFixed(6));

export const bboxText = ({ west, south, east, north }: Omit<ViewArea, 'zoom'>): string =>
  [west, south, east, north].map(rounded).join(',');

type Edges = { getWest(): number; getEast(): number; getSouth(): number; getNorth(): number };

/**
 * Converts the bounds of a map, whose longitudes may exceed ±180, to an area with a margin, given as a share of its
 * size.
 */
export function areaOf(bounds: Edges, zoom: number, margin = 0): ViewArea {
  const [west, east] = [bounds.getWest(), bounds.getEast()];
  const [south, north] = [bounds.getSouth(), bounds.getNorth()];
  const [wide, high] = [(east - west) * margin, (north - south) * margin];
  const lats = { south: Math.max(-90, south - high), north: Math.min(90, north + high), zoom };
  if (east - west + 2 * wide >= 360) return { west: -180, east: 180, ...lats };
  return { west: wrapped(west - wide), east: wrapped(east + wide), ...lats };
}

const wrapped = (lon: number): number => (lon >= -180 && lon <= 180 ? lon : ((((lon + 180) % 360) + 360) % 360) - 180);

/** Whether part of `bounds`, whose longitudes may exceed ±180, lies in the area. */
export function isInView(area: ViewArea, [[west, south], [east, north]]: Requested['bounds']): boolean {
  if (north < area.south || south > area.north) return false;
  if (area.west === -180 && area.east === 180) return true;
  const from = (((west - area.west) % 360) + 360) % 360;
  return from <= (area.east - area.west + 360) % 360 || from + east - west >= 360;
}

/** Whether the area `outer` contains all that a map of the area `inner` shows. */
export function holds(outer: ViewArea, inner: ViewArea): boolean {
  if (inner.south < outer.south || inner.north > outer.north) return false;
  if (outer.west === -180 && outer.east === 180) return true;
  const wide = (area: ViewArea) => (area.east - area.west + 360) % 360;
  const from = (inner.west - outer.west + 360) % 360;
  return from + wide(inner) <= wide(outer);
}
