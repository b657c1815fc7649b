import { useEffect, useRef } from 'react';
import type { MissionClock } from '../clock/missionClock.ts';
import type { ViewAddress } from './address.ts';
import { useTimeReport } from './useTimeReport.ts';

/** Holds clock and address to each other: the address says who leads and when, and who goes to another address is led there. */
export function useAddressed(clock: MissionClock, address: ViewAddress, ids: readonly string[]): void {
  const { visit, timeNow, onTimeChange } = address;
  const now = useRef({ address, ids });
  now.current = { address, ids };
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
    // The first visit began the clock.
    if (before.current === visit) return;
    before.current = visit;
    if (visit.sensorId !== null && now.current.ids.includes(visit.sensorId)) clock.lead(visit.sensorId);
  }, [clock, visit]);
}
