import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import type { MissionClock } from '../onscreen/clock/mission-clock.ts';
import { isoOf } from '../ui/filter/query-filter.ts';
import { useIsLeaving } from '../ui/useIsLeaving.ts';

export const TIME = 't';
/** Minimum interval between updates of the address by the clock, in milliseconds. */
const ADDRESS_MS = 400;

/** Writes the time of the clock into the address, so that a link and a reload lead to the same moment. */
export function useTimeAddress(clock: MissionClock): void {
  const [, setQuery] = useSearchParams();
  const isLeaving = useIsLeaving();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      if (isLeaving()) return;
      setQuery(
        (before) => {
          const next = new URLSearchParams(before);
          next.set(TIME, isoOf(clock.timeUs()));
          return next;
        },
        { replace: true },
      );
    };
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(write, ADDRESS_MS);
    };
    const unsubscribes = [
      clock.onTime((_timeUs, by) => by === 'asked' && soon()),
      clock.subscribe(() => !clock.get().playing && soon()),
    ];
    return () => {
      clearTimeout(timer);
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, [clock, isLeaving, setQuery]);
}
