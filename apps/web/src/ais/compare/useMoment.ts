import { useEffect, useState } from 'react';
import { platformsOnScreen, type ShownPlatform } from './platforms-on-screen.ts';
import { shipsMap } from './ships-map.ts';

const TICK_MS = 1000;

export type Moment = {
  /** Time of the mission clock or, without one, the current time, in UTC microseconds. */
  timeUs: number;
  /** True if `timeUs` is a time of the mission clock, which is in the past. */
  isClock: boolean;
  platforms: ShownPlatform[];
};

function momentOnScreen(): Moment {
  const map = shipsMap.get();
  const platforms = platformsOnScreen(map);
  if (map?.mode !== 'clock') return { timeUs: Date.now() * 1000, isClock: false, platforms };
  return { timeUs: map.services.clock.timeUs(), isClock: true, platforms };
}

/** Returns the time shown on screen and the platforms on screen, updated once a second. */
export function useMoment(): Moment {
  const [moment, setMoment] = useState(momentOnScreen);
  useEffect(() => {
    const update = () => setMoment(momentOnScreen());
    const unsubscribe = shipsMap.subscribe(update);
    const timer = setInterval(update, TICK_MS);
    return () => {
      unsubscribe();
      clearInterval(timer);
    };
  }, []);
  return moment;
}
