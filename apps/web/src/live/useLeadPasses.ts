import { useEffect, useRef, useState } from 'react';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { isLost, leaderAfterLoss } from './lead-passes.ts';
import { useLiveServices } from './useLiveServices.ts';
import type { Watched } from './watched.ts';

const POLL_MS = 500;

/**
 * Passes the lead from a stream that has been lost for 5 s to the first one with a picture. Returns true while there is
 * none: the clock says so.
 */
export function useLeadPasses(watched: readonly Watched[]): boolean {
  const { clock } = useLiveServices();
  const { leader } = useClockState(clock);
  const [hasNone, setHasNone] = useState(false);
  const led = watched.find(({ sensor }) => sensor._id === leader);
  const lost = isLost(led);
  const sinceUs = led?.sensor.since ?? null;
  const seen = useRef<{ leader: string | null; chosenLost: boolean }>({ leader: null, chosenLost: false });
  const latest = useRef(watched);
  latest.current = watched;

  useEffect(() => {
    const { leader: before } = seen.current;
    const wasThere = latest.current.some(({ sensor }) => sensor._id === before);
    const isChosen = leader !== before ? lost && wasThere : lost && seen.current.chosenLost;
    seen.current = { leader, chosenLost: isChosen };
    setHasNone(false);
    if (!lost) return;
    // A stream that was lost before the page was opened is not waited for.
    const ageMs = sinceUs === null || sinceUs === 0 ? 0 : Math.max(0, Date.now() - sinceUs / 1000);
    const beganMs = performance.now() - ageMs;
    const checkLeader = () => {
      const next = leaderAfterLoss({
        watched: latest.current,
        leader,
        chosenLost: isChosen,
        lostForMs: performance.now() - beganMs,
        hasPicture: (id) => clock.hasPicture(id),
      });
      setHasNone(next === 'none');
      if (next !== null && next !== 'none') clock.lead(next.sensor._id);
    };
    checkLeader();
    const timer = setInterval(checkLeader, POLL_MS);
    return () => clearInterval(timer);
  }, [clock, leader, lost, sinceUs]);
  return hasNone;
}
