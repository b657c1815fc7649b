import type { Point } from '@osprey/geo';
import { createContext, useContext, useEffect, useState } from 'react';
import { createFrameBus } from '../onscreen/frames.ts';
import type { ChosenTarget, ViewParts } from '../onscreen/parts.ts';
import { createSignal } from '../onscreen/signal.ts';
import { createLiveClock, type LiveClock } from './clock/live-clock.ts';

/** The map waits for the first picture, but not for long: platforms without one are drawn too. ms */
const FIRST_FRAME_LIMIT_MS = 1500;

/** Objects that the panes of a live page share; the parts of the mission view find their own in it. */
export type LiveParts = ViewParts & { clock: LiveClock };

export const LivePartsContext = createContext<LiveParts | null>(null);

export function useLiveParts(): LiveParts {
  const parts = useContext(LivePartsContext);
  if (!parts) throw new Error('useLiveParts needs a LivePartsContext above it');
  return parts;
}

/** Made once for a page. */
export function useNewLiveParts(): LiveParts {
  const [parts] = useState<LiveParts>(() => ({
    clock: createLiveClock(),
    frames: createFrameBus(),
    stores: new Map(),
    pointed: createSignal<Point | null>(null),
    chosenTarget: createSignal<ChosenTarget | null>(null),
    firstFrame: createSignal(false),
  }));
  useEffect(() => {
    const timer = setTimeout(() => parts.firstFrame.get() || parts.firstFrame.set(true), FIRST_FRAME_LIMIT_MS);
    return () => clearTimeout(timer);
  }, [parts]);
  return parts;
}
