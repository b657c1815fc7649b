import type { FoundSpan } from '@osprey/contract';
import { useSyncExternalStore } from 'react';
import { createSignal } from '../../onscreen/signal.ts';
import { targetPlace } from '../../onscreen/target-place.ts';

export type PlayedSpan = Pick<FoundSpan, 'missionId' | 'sensorId' | 'from' | 'to' | 'first'>;

/** Found spans that are played one after another; never an empty list. */
export type PlayList = {
  spans: readonly PlayedSpan[];
  /** Index of the span that is being played. */
  at: number;
  /** Address of the page on which the spans were found. */
  back: string;
  /** Id of the account that started the list; it must not be available to another account that logs in later. */
  actorId: string;
};

/** The list is global to the page, since each mission has a separate view. */
export const playList = createSignal<PlayList | null>(null);

export const usePlayList = (): PlayList | null => useSyncExternalStore(playList.subscribe, playList.get);

/** Ends playing, and removes the mark of the place. */
export function endPlaying(): void {
  playList.set(null);
  targetPlace.set(null);
}
