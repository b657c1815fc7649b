import { type LivePlatform, livePositionEvent } from '@osprey/contract';
import { useEffect, useState } from 'react';
import { useServerEvent } from '../events/events.ts';
import { createFleet } from './fleet.ts';
import type { LiveServices } from './useLiveServices.ts';

/** Returns the positions of the platforms, according to the frames on screen and the server. */
export function useFleet(services: LiveServices, platforms: readonly LivePlatform[]) {
  const [fleet] = useState(() => createFleet(services.frames));
  useEffect(() => fleet.setPlatforms(platforms), [fleet, platforms]);
  useServerEvent(livePositionEvent, fleet.receive);
  return fleet;
}
