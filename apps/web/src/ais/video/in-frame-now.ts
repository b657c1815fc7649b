import { type Classification, classificationOf, classificationRank } from '@osprey/contract';
import { useSyncExternalStore } from 'react';

/** A ship that is in a picture at this moment, or may be in it. */
export type ShipNow = {
  mmsi: number;
  name: string;
  sogKnots: number | null;
  cogDeg: number | null;
  sure: boolean;
  /** Half of the longer axis of the 95 % error ellipse, in metres. */
  errorM: number;
  place: { lat: number; lon: number };
  /** Number of the moving target in the video that is this ship; null: none. */
  target: number | null;
};

/** Ships of a picture, or the reason why there are none. */
export type FrameShips = {
  state: 'reading' | 'failed' | 'noGround' | 'noReceiver' | 'known';
  ships: readonly ShipNow[];
  /** True if there are more ships around than were read. */
  cut: boolean;
  /** Highest label of the receivers that received the ships. */
  label: Classification;
};

const listeners = new Set<() => void>();
let bySensor: ReadonlyMap<string, FrameShips> = new Map();

/** Store of the ships that are currently in the pictures of the page, by sensor. It changes at most twice a second. */
export const inFrameNow = {
  get: () => bySensor,
  set(sensorId: string, ships: FrameShips | null): void {
    const next = new Map(bySensor);
    if (ships === null) next.delete(sensorId);
    else next.set(sensorId, ships);
    bySensor = next;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

export const useInFrameNow = (): ReadonlyMap<string, FrameShips> =>
  useSyncExternalStore(inFrameNow.subscribe, inFrameNow.get);

/** A ship, and the ids of the sensors whose pictures show it. */
export type ShipInPictures = ShipNow & { sensorIds: string[] };

/** Returns the ships of all pictures, each once: first those that are certainly in a picture, then by name. */
export function shipsOfPictures(pictures: ReadonlyMap<string, FrameShips>): ShipInPictures[] {
  const ships = new Map<number, ShipInPictures>();
  for (const [sensorId, { ships: own }] of pictures) {
    for (const ship of own) {
      const existing = ships.get(ship.mmsi);
      if (existing === undefined) ships.set(ship.mmsi, { ...ship, sensorIds: [sensorId] });
      else {
        existing.sensorIds.push(sensorId);
        existing.target ??= ship.target;
        existing.sure ||= ship.sure;
      }
    }
  }
  return [...ships.values()].sort((a, b) => Number(b.sure) - Number(a.sure) || (a.name < b.name ? -1 : 1));
}

const countNow = (): number => shipsOfPictures(bySensor).length;

/** Returns the number of ships in the pictures. The component renders again only when the number changes. */
export const useShipCount = (): number => useSyncExternalStore(inFrameNow.subscribe, countNow);

const rankNow = (): number => Math.max(1, ...[...bySensor.values()].map(({ label }) => classificationRank(label)));

/** Returns the highest label of the ships that are drawn in the pictures. */
export const useShipLabel = (): Classification => classificationOf(useSyncExternalStore(inFrameNow.subscribe, rankNow));
