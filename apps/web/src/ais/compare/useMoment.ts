import { useEffect, useState } from 'react';
import { platformsOnScreen, type ShownPlatform } from './platforms-on-screen.ts';
import { shipsMap } from './ships-map.ts';

const TICK_MS = 1000;

export type Moment = {
  /** UTC microseconds: of the mission clock, else now. */
  timeUs: number;
  /** True if `timeUs` is the mission clock's, which is in the past. */
  isClock: boolean;
  platforms: ShownPlatform[];
};

function momentOnScreen(): Moment {
  const map = shipsMap.get();
  const platforms = platformsOnScreen(map);
  if (map?.mode !== 'clock') return { timeUs: Date.now() * 1000, isClock: false, platforms };
  return { timeUs: map.services.clock.timeUs(), isClock: true, platforms };
}

/** The moment on screen with its platforms, once a second. */
export function useMoment(): Moment {
  const [moment, setMoment] = useState(momentOnScreen);
  useEffect(() => {
    const look = () => setMoment(momentOnScreen());
    const leave = shipsMap.subscribe(look);
    const timer = setInterval(look, TICK_MS);
    return () => {
      leave();
      clearInterval(timer);
    };
  }, []);
  return moment;
}
