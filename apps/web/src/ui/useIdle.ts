import { useEffect, useState } from 'react';
import { afterPaint } from '../base/paint.ts';

/** Optional work waits at most this long for a quiet moment. */
const LATEST_MS = 2000;

/** True once the page has been ready and then had nothing to do: the map is large, and the table comes first. */
export function useIdle(ready: boolean): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    if (!ready || idle) return;
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(() => setIdle(true), LATEST_MS);
      return () => clearTimeout(timer);
    }
    let quiet = 0;
    // A table knows its height, and draws its rows, only after a first paint: what seems quiet before is not.
    const leave = afterPaint(() => {
      quiet = requestIdleCallback(() => setIdle(true), { timeout: LATEST_MS });
    });
    return () => {
      leave();
      cancelIdleCallback(quiet);
    };
  }, [ready, idle]);
  return idle;
}
