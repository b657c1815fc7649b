import { useSyncExternalStore } from 'react';

/** Degrees, as a map shows it; `west` above `east` reaches across the antimeridian. */
export type ViewArea = { west: number; south: number; east: number; north: number; zoom: number };

const listeners = new Set<() => void>();
let area: ViewArea | null = null;
/** A place that the table asks the map to show. */
type Requested = { bounds: [[number, number], [number, number]] };
const requestedListeners = new Set<(requested: Requested) => void>();

/** Specification 2, section 9: edges that moved by less than this many degrees ask for nothing. */
const LEAST_CHANGE = 0.005;

/** Returns whether an edge moved far enough from `before` to read again; a near view by a twentieth of its size. */
export function isChanged(before: ViewArea | null, next: ViewArea | null): boolean {
  if (before === null || next === null) return before !== next;
  const least = Math.min(LEAST_CHANGE, (next.north - next.south) / 20);
  return (['west', 'south', 'east', 'north'] as const).some((edge) => Math.abs(next[edge] - before[edge]) >= least);
}

/** The part of the map in view, set by the map and read by the table; null until there is a map. */
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
  /** Asks the map in view to go there. */
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

/** Bounds of a map, whose longitudes may go on past ±180, with a margin that is this share of their size. */
export function areaOf(bounds: Edges, zoom: number, margin = 0): ViewArea {
  const [west, east] = [bounds.getWest(), bounds.getEast()];
  const [south, north] = [bounds.getSouth(), bounds.getNorth()];
  const [wide, high] = [(east - west) * margin, (north - south) * margin];
  const lats = { south: Math.max(-90, south - high), north: Math.min(90, north + high), zoom };
  if (east - west + 2 * wide >= 360) return { west: -180, east: 180, ...lats };
  return { west: wrapped(west - wide), east: wrapped(east + wide), ...lats };
}

const wrapped = (lon: number): number => (lon >= -180 && lon <= 180 ? lon : ((((lon + 180) % 360) + 360) % 360) - 180);

/** Returns whether a part of `bounds`, whose longitudes may go on past ±180, is in the area. */
export function isInView(area: ViewArea, [[west, south], [east, north]]: Requested['bounds']): boolean {
  if (north < area.south || south > area.north) return false;
  if (area.west === -180 && area.east === 180) return true;
  const from = (((west - area.west) % 360) + 360) % 360;
  return from <= (area.east - area.west + 360) % 360 || from + east - west >= 360;
}

/** Returns whether a map that shows `inner` needs nothing outside of `outer`. */
export function holds(outer: ViewArea, inner: ViewArea): boolean {
  if (inner.south < outer.south || inner.north > outer.north) return false;
  if (outer.west === -180 && outer.east === 180) return true;
  const wide = (area: ViewArea) => (area.east - area.west + 360) % 360;
  const from = (inner.west - outer.west + 360) % 360;
  return from + wide(inner) <= wide(outer);
}
