import { useEffect, useState } from 'react';
import { afterPaint } from '../base/paint.ts';

/** Maximum time that optional work waits for an idle moment, in milliseconds. */
const WAIT_MAX_MS = 2000;

/** Returns true once the page was ready and then idle, since the map is large and the table must be shown first. */
export function useIdle(ready: boolean): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    if (!ready || idle) return;
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(() => setIdle(true), WAIT_MAX_MS);
      return () => clearTimeout(timer);
    }
    let quiet = 0;
    // Waits for the first paint, since only then does a table know its height and render its rows; the browser may seem
    // idle before that.
    const leave = afterPaint(() => {
      quiet = requestIdleCallback(() => setIdle(true), { timeout: WAIT_MAX_MS });
    });
    return () => {
      leave();
      cancelIdleCallback(quiet);
    };
  }, [ready, idle]);
  return idle;
}
