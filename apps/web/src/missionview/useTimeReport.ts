import { useEffect, useRef } from 'react';
import type { MissionClock } from '../onscreen/clock/mission-clock.ts';

/**
 * Interval at which the address is updated while playing, in milliseconds. After a seek or a pause it is updated after
 * `STANDING_MS`.
 */
const PLAYING_MS = 5000;
const STANDING_MS = 300;

/** Reports the clock's time to the page, seldom enough to be written into the address. */
export function useTimeReport(clock: MissionClock, onTimeChange: (timeUs: number) => void): void {
  const notify = useRef(onTimeChange);
  notify.current = onTimeChange;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let reported = clock.timeUs();
    const report = () => {
      timer = null;
      if (clock.timeUs() === reported) return;
      reported = clock.timeUs();
      notify.current(reported);
    };
    const soon = () => {
      if (timer !== null && clock.get().playing) return;
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(report, clock.get().playing ? PLAYING_MS : STANDING_MS);
    };
    const leaves = [clock.onTime(soon), clock.subscribe(soon)];
    return () => {
      for (const leave of leaves) leave();
      if (timer !== null) clearTimeout(timer);
    };
  }, [clock]);
}
