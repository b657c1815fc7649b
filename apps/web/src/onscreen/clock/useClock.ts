import { useSyncExternalStore } from 'react';
import type { MissionClock } from './mission-clock.ts';

/**
 * State that changes seldom: playing, speed, leading sensor, range. The time itself is read from the clock, never held
 * in React state.
 */
export function useClockState(clock: MissionClock) {
  return useSyncExternalStore(clock.subscribe, clock.get);
}
