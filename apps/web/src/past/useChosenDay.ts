import type { HeardReceiver, PastRecording } from '@osprey/contract';
import { useEffect, useRef } from 'react';
import type { MissionClock } from '../onscreen/clock/mission-clock.ts';
import { silentAt } from './silent.ts';
import { DAY_US, dayOf } from './usePastServices.ts';

/** From the beginning of a recording to its first view of the ground, which comes with the first whole second. */
const FIRST_VIEW_US = 1_000_000;

type Day = {
  startUs: number;
  receivers: readonly HeardReceiver[];
  /** In the order of their beginnings. */
  recordings: readonly PastRecording[];
};

/** The first recording of a day at whose moment `timeUs` nothing was recorded or heard; null where there is nothing to go to. */
export function firstOfDay({ startUs, receivers, recordings }: Day, timeUs: number): number | null {
  const isRecorded = recordings.some(({ from, to }) => timeUs >= from && timeUs <= to);
  const isHeard = silentAt(receivers, timeUs).length < receivers.length;
  const [first] = recordings;
  if (isRecorded || isHeard || first === undefined) return null;
  return Math.min(first.to, Math.max(first.from, startUs) + FIRST_VIEW_US);
}

/** Returns how to choose another day: the clock keeps its time of day where there is anything then. */
export function useChosenDay(clock: MissionClock, day: Day & { reading: boolean; error: unknown }) {
  /** The day whose first recording may be gone to once it is read. */
  const chosen = useRef<number | null>(null);
  useEffect(
    () =>
      clock.onTime((_timeUs, by) => {
        // Moved meanwhile, the clock stays there.
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
