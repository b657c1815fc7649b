import type { TargetKind } from '@osprey/ais/names';

/** Distances of the antenna to the sides of a ship, in metres. */
export type Hull = { toBow: number; toStern: number; toPort: number; toStarboard: number };

/** One AIS target as the map draws it. An object is not changed once it was handed over: a new one takes its place. */
export type MapTarget = {
  /** Stays the same for the same target. */
  id: string;
  mmsi: number;
  kind: TargetKind;
  latitude: number;
  longitude: number;
  /** Course over ground and true heading in degrees, speed in knots, rate of turn in degrees a minute, starboard positive. */
  cog: number | null;
  sog: number | null;
  heading: number | null;
  turn: number | null;
  /** UTC microseconds of the position. */
  timeUs: number;
  name: string | null;
  shipType: number | null;
  dimensions: Hull | null;
  /** Colour of a ship list, #rrggbb; null: that of the ship's type. */
  colour: string | null;
  /** Silent for longer than it should be: crossed out. */
  lost: boolean;
  /** Aids to navigation that are not there, or not where they should be. */
  virtual?: boolean;
  offPosition?: boolean;
};

export type TrailPoint = { latitude: number; longitude: number; timeUs: number };

/** A ship list as the legend names it. */
export type ListLine = { name: string; colour: string | null };

/** State that the overlay draws. */
export type TargetsSnapshot = {
  targets: readonly MapTarget[];
  selected: MapTarget | null;
  /** Ship lists with a colour. */
  lists: readonly ListLine[];
  /** Trail of the selected target, oldest first; null at a break: a way that is not known, or a jump. */
  trail: readonly (TrailPoint | null)[];
};

export type MapTargets = {
  /** Takes the place of all targets; those without a valid place are left out. Objects that were there before are not read again, so that a call each second is cheap. */
  set(targets: readonly MapTarget[]): void;
  setLists(lists: readonly ListLine[]): void;
  select(id: string | null): void;
  setTrail(points: readonly (TrailPoint | null)[]): void;
  get(): TargetsSnapshot;
  /** @returns ends the subscription */
  subscribe(listener: () => void): () => void;
};

/** Whether both coordinates are numbers of a place on the earth. */
const hasPlace = ({ latitude, longitude }: MapTarget): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

/** Targets of one map, between what reads them from the server and what draws them. */
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
