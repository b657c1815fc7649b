import { type Classification, classificationOf, classificationRank } from '@osprey/contract';
import { useSyncExternalStore } from 'react';

/** A ship that a picture shows at this moment, or may show. */
export type ShipNow = {
  mmsi: number;
  name: string;
  sogKnots: number | null;
  cogDeg: number | null;
  sure: boolean;
  /** Half the longer axis of its 95 % ellipse, metres. */
  errorM: number;
  place: { lat: number; lon: number };
  /** The moving target of the video that it is, by its number. */
  target: number | null;
};

/** Ships of a picture, or why there are none. */
export type FrameShips = {
  state: 'reading' | 'failed' | 'noGround' | 'noReceiver' | 'known';
  ships: readonly ShipNow[];
  /** True if more ships are around than were read. */
  cut: boolean;
  /** The highest of the receivers that heard them. */
  label: Classification;
};

const listeners = new Set<() => void>();
let bySensor: ReadonlyMap<string, FrameShips> = new Map();

/** Ships in the pictures of the page at this moment, by sensor; changes at most twice a second. */
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

/** A ship with the sensors whose pictures show it. */
export type ShipInPictures = ShipNow & { sensorIds: string[] };

/** Ships of all pictures, each once: those that are surely there first, then by name. */
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

/** Returns the number of ships in the pictures; the caller renders again only when it changes. */
export const useShipCount = (): number => useSyncExternalStore(inFrameNow.subscribe, countNow);

const rankNow = (): number => Math.max(1, ...[...bySensor.values()].map(({ label }) => classificationRank(label)));

/** The highest label of what is drawn of ships in the pictures. */
export const useShipLabel = (): Classification => classificationOf(useSyncExternalStore(inFrameNow.subscribe, rankNow));
