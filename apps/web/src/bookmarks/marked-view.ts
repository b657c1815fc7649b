import type { Bookmark } from '@osprey/contract';
import { useSyncExternalStore } from 'react';
import type { MarkedMission } from '../missionview/feature.ts';
import type { MissionClock } from '../onscreen/clock/mission-clock.ts';
import { createSignal } from '../onscreen/signal.ts';

/**
 * The mission view that is open. Panels outside of it use this to list its bookmarks and to move its players to them.
 */
export type MarkedView = {
  mission: MarkedMission;
  /** Moves every player to the frame of a bookmark. */
  go: (bookmark: Bookmark) => void;
  /** Opens the dialog of a bookmark. */
  edit: (bookmark: Bookmark) => void;
  mayMark: boolean;
};

export const markedView = createSignal<MarkedView | null>(null);

export const useMarkedView = (): MarkedView | null => useSyncExternalStore(markedView.subscribe, markedView.get);

/** Moves every player to the frame of a bookmark; its sensor, if any, becomes the leading one. */
export function goTo(clock: MissionClock, { sensorId, time, state }: Bookmark): void {
  if (sensorId !== null && state === 'shown' && clock.get().leader !== sensorId) clock.lead(sensorId);
  clock.seek(time);
}
