import type { Point } from '@osprey/geo';
import { useEffect, useState } from 'react';
import { createMissionClock } from '../onscreen/clock/mission-clock.ts';
import { createFrameBus } from '../onscreen/frames.ts';
import type { ChosenTarget, ViewParts } from '../onscreen/parts.ts';
import { createSignal } from '../onscreen/signal.ts';
import { freeMember } from './free-member.ts';

export const DAY_US = 86_400_000_000;

/** Midnight UTC before a moment. */
export const dayOf = (timeUs: number): number => Math.floor(timeUs / DAY_US) * DAY_US;

function onNextPaint(look: () => void): () => void {
  const handle = requestAnimationFrame(look);
  return () => cancelAnimationFrame(handle);
}

/** A clock of one day that needs no pictures, with what a map wants to share; made once for a page. */
export function usePastParts(firstUs: number): ViewParts {
  const [parts] = useState((): ViewParts => {
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
    const leave = parts.clock.join(freeMember(() => performance.now()));
    return () => {
      parts.clock.stop();
      leave();
    };
  }, [parts]);
  return parts;
}
