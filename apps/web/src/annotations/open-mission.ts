import type { Mission } from '@osprey/contract';
import { createContext, useContext } from 'react';

/** The mission that the page shows, to which a new annotation may belong. */
export const OpenMission = createContext<Mission | null>(null);

export const useOpenMission = (): Mission | null => useContext(OpenMission);

let clock: (() => number) | null = null;

/** Provides the time on screen in UTC microseconds, set by the map of the mission; null if no mission is playing. */
export const missionTime = {
  now: (): number | null => clock?.() ?? null,
  set(next: (() => number) | null) {
    clock = next;
  },
};
