import type { Sensor } from '@osprey/contract';
import { useEffect, useRef } from 'react';
import type { MissionClock } from '../onscreen/clock/mission-clock.ts';
import { firstLeader } from '../onscreen/playable.ts';
import type { ViewAddress } from './address.ts';
import { useTimeReport } from './useTimeReport.ts';

/**
 * Maximum difference at which address and clock count as the same moment, in microseconds, since the address is updated
 * seldom and only to the millisecond.
 */
const SAME_MOMENT_US = 1_000_000;

/**
 * Keeps clock and address in sync: the address states the leading sensor and the time, and navigating to another
 * address sets both.
 */
export function useAddressed(clock: MissionClock, address: ViewAddress, sensors: readonly Sensor[]): void {
  const { visit, timeNow, onTimeChange } = address;
  const now = useRef({ address, sensors });
  now.current = { address, sensors };
  useTimeReport(clock, onTimeChange);

  useEffect(() => {
    timeNow.current = clock.timeUs;
    return () => {
      timeNow.current = null;
    };
  }, [clock, timeNow]);

  useEffect(
    () =>
      clock.subscribe(() => {
        const { leader, chosen } = clock.get();
        const { choice, onLead } = now.current.address;
        if (chosen && leader !== choice.sensorId) onLead(leader);
      }),
    [clock],
  );

  const before = useRef(visit);
  useEffect(() => {
    // The first visit was already applied when the clock was created.
    if (before.current === visit) return;
    before.current = visit;
    const { sensorId, timeUs } = visit;
    const led = firstLeader(now.current.sensors, sensorId);
    if (led && (sensorId !== null || clock.get().chosen)) clock.lead(led._id);
    if (timeUs !== null && Math.abs(timeUs - clock.timeUs()) >= SAME_MOMENT_US) clock.seek(timeUs);
  }, [clock, visit]);
}
