import type { Mission } from '@osprey/contract';
import { useSyncExternalStore } from 'react';
import type { MissionClock } from '../onscreen/clock/mission-clock.ts';
import { createSignal } from '../onscreen/signal.ts';

/** The mission view that is open: the panel below it lists its clips and leads to them. */
export type ClipsView = {
  mission: Mission;
  clock: MissionClock;
  mayExport: boolean;
  /** An export is made in the background. */
  onOrdered: (id: string) => void;
};

export const clipsView = createSignal<ClipsView | null>(null);

export const useClipsView = (): ClipsView | null => useSyncExternalStore(clipsView.subscribe, clipsView.get);
