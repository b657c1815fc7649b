import type { Point } from '@osprey/geo';
import { useEffect, useState } from 'react';
import { createMissionClock } from '../onscreen/clock/mission-clock.ts';
import { createFrameBus } from '../onscreen/frames.ts';
import { createSignal } from '../onscreen/signal.ts';
import type { ChosenTarget, ViewServices } from '../onscreen/view-services.ts';
import { freeMember } from './free-member.ts';

export const DAY_US = 86_400_000_000;

/** Returns the start of the day of a moment, at midnight UTC. */
export const dayOf = (timeUs: number): number => Math.floor(timeUs / DAY_US) * DAY_US;

function onNextPaint(look: () => void): () => void {
  const handle = requestAnimationFrame(look);
  return () => cancelAnimationFrame(handle);
}

/** Creates a clock of one day that needs no pictures, and the other services that a map shares; once for a page. */
export function usePastServices(firstUs: number): ViewServices {
  const [services] = useState((): ViewServices => {
    const startUs = dayOf(firstUs);
    return {
      clock: createMissionClock({
        ...{ startUs, endUs: startUs + DAY_US, timeUs: firstUs, now: () => performance.now() },
        onNextPaint,
      }),
      frames: createFrameBus(),
      stores: new Map(),
      pointed: createSignal<Point | null>(null),
      chosenTarget: createSignal<ChosenTarget | null>(null),
      // Nothing waits for a picture here.
      firstFrame: createSignal(true),
    };
  });
  useEffect(() => {
    const leaveClock = services.clock.join(freeMember(() => performance.now()));
    return () => {
      services.clock.stop();
      leaveClock();
    };
  }, [services]);
  return services;
}
