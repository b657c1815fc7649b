import { type RefObject, useEffect, useRef } from 'react';
import { keepPlace } from '../player/first/first-place.ts';

/**
 * Stores the place of the first picture of a view with this number of pictures: at the next visit it is shown there
 * before its page. Null for views without a first picture.
 */
export function useFirstPlace(pictures: number | null): RefObject<HTMLDivElement | null> {
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!first.current || pictures === null) return;
    const observer = new ResizeObserver(([entry]) => {
      // Below the health of the telemetry it has no place.
      if (entry && entry.contentRect.width > 0) keepPlace(pictures, entry.target.getBoundingClientRect());
    });
    observer.observe(first.current);
    return () => observer.disconnect();
  }, [pictures]);
  return first;
}
