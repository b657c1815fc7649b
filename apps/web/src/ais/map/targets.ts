import type { TargetKind } from '@osprey/ais/names';

/** Distances from the antenna to the sides of a ship, in metres. */
export type Hull = { toBow: number; toStern: number; toPort: number; toStarboard: number };

/**
 * An AIS target as drawn on the map. The object is immutable: to change a target, pass a new object with the same `id`.
 */
export type MapTarget = {
  /** Identifies the target; always the same for the same target. */
  id: string;
  mmsi: number;
  kind: TargetKind;
  latitude: number;
  longitude: number;
  /**
   * Course over ground and true heading in degrees, speed in knots, and rate of turn in degrees per minute (positive to
   * starboard).
   */
  cog: number | null;
  sog: number | null;
  heading: number | null;
  turn: number | null;
  /** Time of the position, in UTC microseconds. */
  timeUs: number;
  name: string | null;
  shipType: number | null;
  dimensions: Hull | null;
  /** Colour from a ship list, as #rrggbb; null: the colour of the ship's type. */
  colour: string | null;
  /** Whether the target has been silent for longer than expected; it is then crossed out. */
  lost: boolean;
  /**
   * For an aid to navigation: whether it is virtual, without a physical object; below, whether it is off its charted
   * position.
   */
  virtual?: boolean;
  offPosition?: boolean;
};

export type TrailPoint = { latitude: number; longitude: number; timeUs: number };

/** A ship list as it is named in the legend. */
export type ListLine = { name: string; colour: string | null };

/** State that the overlay draws. */
export type TargetsSnapshot = {
  targets: readonly MapTarget[];
  selected: MapTarget | null;
  /** Ship lists that have a colour. */
  lists: readonly ListLine[];
  /**
   * Trail of the selected target, oldest point first. A null marks a break: either the path is unknown or the position
   * jumped.
   */
  trail: readonly (TrailPoint | null)[];
};

export type MapTargets = {
  /**
   * Replaces all targets; those without a valid position are left out. Objects that were already set are not processed
   * again, so a call every second is cheap.
   */
  set(targets: readonly MapTarget[]): void;
  setLists(lists: readonly ListLine[]): void;
  select(id: string | null): void;
  setTrail(points: readonly (TrailPoint | null)[]): void;
  get(): TargetsSnapshot;
  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void;
};

/** Whether the coordinates are valid numbers of a position on the earth. */
const hasPlace = ({ latitude, longitude }: MapTarget): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

/**
 * Creates the store of a map's targets, which connects the code that reads them from the server with the code that
 * draws them.
 */
export function createMapTargets(): MapTargets {
  const listeners = new Set<() => void>();
  let selectedId: string | null = null;
  let snapshot: TargetsSnapshot = { targets: [], lists: [], selected: null, trail: [] };

  const find = (targets: readonly MapTarget[]) =>
    selectedId === null ? null : (targets.find(({ id }) => id === selectedId) ?? null);
  const change = (next: Partial<TargetsSnapshot>) => {
    snapshot = { ...snapshot, ...next };
    for (const listener of listeners) listener();
  };

  return {
    set(all) {
      const targets = all.every(hasPlace) ? all : all.filter(hasPlace);
      change({ targets, selected: find(targets) });
    },
    setLists: (lists) => change({ lists }),
    select(id) {
      if (id === selectedId) return;
      selectedId = id;
      change({ selected: find(snapshot.targets), trail: [] });
    },
    setTrail: (trail) => change({ trail }),
    get: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
