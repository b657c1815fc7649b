import type { FoundSpan } from '@osprey/contract';
import { useSyncExternalStore } from 'react';
import { createSignal } from '../../onscreen/signal.ts';
import { targetPlace } from '../../onscreen/target-place.ts';

export type PlayedSpan = Pick<FoundSpan, 'missionId' | 'sensorId' | 'from' | 'to' | 'first'>;

/** Found spans that are played one after another; never empty. */
export type PlayList = {
  spans: readonly PlayedSpan[];
  /** Index of the one that is played. */
  at: number;
  /** Address of the page that found them. */
  back: string;
  /** The list is not for another account that logs in next. */
  actorId: string;
};

/** Lives as long as the page: another mission is another view. */
export const playList = createSignal<PlayList | null>(null);

export const usePlayList = (): PlayList | null => useSyncExternalStore(playList.subscribe, playList.get);

/** The place is not marked any more either. */
export function endPlaying(): void {
  playList.set(null);
  targetPlace.set(null);
}
