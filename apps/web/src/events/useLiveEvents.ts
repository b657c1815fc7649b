import { useEffect } from 'react';
import { useEvents } from './events.ts';

/** The server sends streamMonitor, recorder and livePosition for as long as this is mounted. */
export function useLiveEvents(): void {
  const { watchLive } = useEvents();
  useEffect(() => watchLive(), [watchLive]);
}
