import { useSyncExternalStore } from 'react';
import type { MissionClock } from './mission-clock.ts';

/**
 * The state that changes seldom: playing, speed, leading sensor, range. The time itself is asked of the clock, never
 * held in React.
 */
export function useClockState(clock: MissionClock) {
  return useSyncExternalStore(clock.subscribe, clock.get);
}
