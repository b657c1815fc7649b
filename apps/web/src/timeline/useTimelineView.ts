import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { clampSpan, isInView, reveal, type Span } from './scale.ts';

/** Shown span of the timeline; follows the clock out of the view, if it plays or was sent there. */
export function useTimelineView() {
  const { clock } = useViewServices();
  const { startUs, endUs } = useClockState(clock);
  const fullSpan: Span = { fromUs: startUs, toUs: Math.max(endUs, startUs + 1_000_000) };
  const [chosen, setChosen] = useState<Span | null>(null);
  // The mission may have become another while a part of it was chosen: shifted, or without one of its sensors.
  const span = chosen ? clampSpan(chosen, fullSpan) : fullSpan;
  const now = useRef({ span, fullSpan, showsAll: true });
  now.current = { span, fullSpan, showsAll: chosen === null };

  useEffect(() => {
    let lastUs = clock.timeUs();
    return clock.onTime((timeUs, by) => {
      const { span, fullSpan, showsAll } = now.current;
      // The time of a live stream passes the end of what is kept before the clock states a later end.
      if (showsAll) return;
      // Playing on does not take back a look at another part: only who was in view is followed out of it.
      const looksElsewhere = by === 'playing' && !isInView(span, lastUs);
      lastUs = timeUs;
      if (looksElsewhere) return;
      const next = reveal(span, timeUs, fullSpan);
      if (next !== span) setChosen(next);
    });
  }, [clock]);

  return { span, fullSpan, now, setSpan: setChosen, showAll: () => setChosen(null) };
}

/** Width of an element in px. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    // The observer reports it only after a first paint, which would lack everything that needs the width.
    setWidth(current.clientWidth);
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
