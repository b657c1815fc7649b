import type { Bookmark } from '@osprey/contract';
import { useSyncExternalStore } from 'react';
import type { MarkedMission } from '../missionview/feature.ts';
import type { MissionClock } from '../onscreen/clock/mission-clock.ts';
import { createSignal } from '../onscreen/signal.ts';

/** The mission view that is open: panels outside it list its bookmarks and lead it to them. */
export type MarkedView = {
  mission: MarkedMission;
  /** Leads every player to the frame of one. */
  go: (bookmark: Bookmark) => void;
  /** Opens the dialog of one. */
  edit: (bookmark: Bookmark) => void;
  mayMark: boolean;
};

export const markedView = createSignal<MarkedView | null>(null);

export const useMarkedView = (): MarkedView | null => useSyncExternalStore(markedView.subscribe, markedView.get);

/** Leads every player to the frame of a bookmark; of its sensor where that has one. */
export function goTo(clock: MissionClock, { sensorId, time, state }: Bookmark): void {
  if (sensorId !== null && state === 'shown' && clock.get().leader !== sensorId) clock.lead(sensorId);
  clock.seek(time);
}
