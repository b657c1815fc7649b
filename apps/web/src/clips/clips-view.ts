import type { Mission } from '@osprey/contract';
import { useSyncExternalStore } from 'react';
import type { MissionClock } from '../onscreen/clock/mission-clock.ts';
import { createSignal } from '../onscreen/signal.ts';

/** The mission view that is open; the panel below it lists its clips and moves the players to them. */
export type ClipsView = {
  mission: Mission;
  clock: MissionClock;
  mayExport: boolean;
  /** Called with the id of an export that the server makes in the background. */
  onOrdered: (id: string) => void;
};

export const clipsView = createSignal<ClipsView | null>(null);

export const useClipsView = (): ClipsView | null => useSyncExternalStore(clipsView.subscribe, clipsView.get);
