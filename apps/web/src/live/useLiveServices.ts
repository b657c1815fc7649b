import type { Point } from '@osprey/geo';
import { createContext, useContext, useEffect, useState } from 'react';
import { createFrameBus } from '../onscreen/frames.ts';
import { createSignal } from '../onscreen/signal.ts';
import type { ChosenTarget, ViewServices } from '../onscreen/view-services.ts';
import { createLiveClock, type LiveClock } from './clock/live-clock.ts';

/**
 * Maximum time in milliseconds for which the map waits for the first picture; platforms without a picture are drawn as
 * well.
 */
const FIRST_FRAME_LIMIT_MS = 1500;

/**
 * Objects that the panes of a live page share. It extends ViewServices, so that components of the mission view can use
 * it.
 */
export type LiveServices = ViewServices & { clock: LiveClock };

export const LiveServicesContext = createContext<LiveServices | null>(null);

export function useLiveServices(): LiveServices {
  const services = useContext(LiveServicesContext);
  if (!services) throw new Error('useLiveServices needs a LiveServicesContext above it');
  return services;
}

/** Creates the services, once per page. */
export function useNewLiveServices(): LiveServices {
  const [services] = useState<LiveServices>(() => ({
    clock: createLiveClock(),
    frames: createFrameBus(),
    stores: new Map(),
    pointed: createSignal<Point | null>(null),
    chosenTarget: createSignal<ChosenTarget | null>(null),
    firstFrame: createSignal(false),
  }));
  useEffect(() => {
    const timer = setTimeout(() => services.firstFrame.get() || services.firstFrame.set(true), FIRST_FRAME_LIMIT_MS);
    return () => clearTimeout(timer);
  }, [services]);
  return services;
}
