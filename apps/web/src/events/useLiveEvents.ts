import { useEffect } from 'react';
import { useEvents } from './events.ts';

/** While the component is mounted, the server sends the events streamMonitor, recorder and livePosition. */
export function useLiveEvents(): void {
  const { watchLive } = useEvents();
  useEffect(() => watchLive(), [watchLive]);
}
