import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { clampSpan, isInView, reveal, type Span } from './scale.ts';

/** Returns the visible span of the timeline. It follows the clock out of the view during playback, and after a seek. */
export function useTimelineView() {
  const { clock } = useViewServices();
  const { startUs, endUs } = useClockState(clock);
  const fullSpan: Span = { fromUs: startUs, toUs: Math.max(endUs, startUs + 1_000_000) };
  const [chosen, setChosen] = useState<Span | null>(null);
  // The mission may have changed while a part of it was visible: shifted, or without one of its sensors.
  const span = chosen ? clampSpan(chosen, fullSpan) : fullSpan;
  const now = useRef({ span, fullSpan, showsAll: true });
  now.current = { span, fullSpan, showsAll: chosen === null };

  useEffect(() => {
    let lastUs = clock.timeUs();
    return clock.onTime((timeUs, by) => {
      const { span, fullSpan, showsAll } = now.current;
      // The time of a live stream passes the end of what is stored before the clock states a later end.
      if (showsAll) return;
      // If the user has scrolled away from the clock, playback does not scroll back.
      const looksElsewhere = by === 'playing' && !isInView(span, lastUs);
      lastUs = timeUs;
      if (looksElsewhere) return;
      const next = reveal(span, timeUs, fullSpan);
      if (next !== span) setChosen(next);
    });
  }, [clock]);

  return { span, fullSpan, now, setSpan: setChosen, showAll: () => setChosen(null) };
}

/** Returns the width of an element in px. `isThere`: the element is rendered; it is another one each time that it returns. */
export function useWidth(element: RefObject<HTMLElement | null>, isThere = true): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!isThere || !current) return;
    // The observer reports the width only after a first paint, which would lack everything that depends on it.
    setWidth(current.clientWidth);
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, isThere]);
  return width;
}
