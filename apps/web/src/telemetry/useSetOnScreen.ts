import { useCallback, useEffect, useState } from 'react';
import { useViewServices } from '../onscreen/view-services.ts';
import { newestSet } from './newest-set.ts';

/**
 * Returns the time of the set whose bytes are shown. While the player is paused or stepped, it is that of the picture
 * on screen; during playback it remains the same until another one is requested.
 */
export function useSetOnScreen(sensorId: string) {
  const { clock, frames, stores } = useViewServices();
  const timeNow = useCallback(() => {
    const frame = frames.latest(sensorId);
    return (frame && newestSet(frame, stores.get(sensorId))?.timeUs) ?? null;
  }, [frames, stores, sensorId]);
  const [timeUs, setTimeUs] = useState(timeNow);

  useEffect(() => {
    const follow = () => {
      if (!clock.get().playing) setTimeUs(timeNow());
    };
    const unsubscribe = frames.subscribe((frame) => frame.sensorId === sensorId && follow());
    const unsubscribeClock = clock.subscribe(follow);
    return () => {
      unsubscribe();
      unsubscribeClock();
    };
  }, [clock, frames, sensorId, timeNow]);

  return { timeUs, readAgain: () => setTimeUs(timeNow()) };
}
