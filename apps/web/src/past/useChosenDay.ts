import type { HeardReceiver, PastRecording } from '@osprey/contract';
import { useEffect, useRef } from 'react';
import type { MissionClock } from '../onscreen/clock/mission-clock.ts';
import { silentAt } from './silent.ts';
import { DAY_US, dayOf } from './usePastServices.ts';

/**
 * Time from the beginning of a recording to its first known view of the ground, which is stored for whole seconds, in
 * microseconds.
 */
const FIRST_VIEW_US = 1_000_000;

type Day = {
  startUs: number;
  receivers: readonly HeardReceiver[];
  /** Recordings sorted by start. */
  recordings: readonly PastRecording[];
};

/**
 * Returns the time of a day's first recording, if nothing was recorded or received at `timeUs`; null if something was,
 * or there is no recording.
 */
export function firstOfDay({ startUs, receivers, recordings }: Day, timeUs: number): number | null {
  const isRecorded = recordings.some(({ from, to }) => timeUs >= from && timeUs <= to);
  const isHeard = silentAt(receivers, timeUs).length < receivers.length;
  const [first] = recordings;
  if (isRecorded || isHeard || first === undefined) return null;
  return Math.min(first.to, Math.max(first.from, startUs) + FIRST_VIEW_US);
}

/** Returns a function that chooses another day. The clock keeps its time of day if there is any data at that time. */
export function useChosenDay(clock: MissionClock, day: Day & { reading: boolean; error: unknown }) {
  /** Start of the day whose first recording the clock may go to once the day is loaded. */
  const chosen = useRef<number | null>(null);
  useEffect(
    () =>
      clock.onTime((_timeUs, by) => {
        // If the user moved the clock meanwhile, it remains there.
        if (by === 'asked') chosen.current = null;
      }),
    [clock],
  );
  const { startUs, receivers, recordings, reading, error } = day;
  useEffect(() => {
    if (reading || error || chosen.current !== startUs) return;
    chosen.current = null;
    const firstUs = firstOfDay({ startUs, receivers, recordings }, clock.timeUs());
    if (firstUs !== null) clock.seek(firstUs);
  }, [clock, startUs, receivers, recordings, reading, error]);

  return (dayUs: number) => {
    const timeUs = dayUs + (clock.timeUs() - dayOf(clock.timeUs()));
    clock.setRange({ startUs: dayUs, endUs: dayUs + DAY_US });
    clock.seek(timeUs);
    chosen.current = dayUs;
  };
}
