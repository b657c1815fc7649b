import type { Mission } from '@osprey/contract';
import { createContext, useContext } from 'react';

/** The mission that the page shows: a new annotation may belong to it. */
export const OpenMission = createContext<Mission | null>(null);

export const useOpenMission = (): Mission | null => useContext(OpenMission);

let clock: (() => number) | null = null;

/** The moment on screen, UTC microseconds, which the map of the mission sets; null if no mission plays. */
export const missionTime = {
  now: (): number | null => clock?.() ?? null,
  set(next: (() => number) | null) {
    clock = next;
  },
};
