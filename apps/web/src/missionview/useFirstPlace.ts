import { type RefObject, useEffect, useRef } from 'react';
import { keepPlace } from '../player/first/first-place.ts';

/**
 * Stores the position of the first picture of a view with this number of pictures; at the next visit the picture is
 * shown there before the rest of the page. `pictures` is null for views without a first picture. `id`: the picture.
 */
export function useFirstPlace(pictures: number | null, id: string | undefined): RefObject<HTMLDivElement | null> {
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!first.current || pictures === null || id === undefined) return;
    const observer = new ResizeObserver(([entry]) => {
      // While the health report is open, the picture is hidden and has no position.
      if (entry && entry.contentRect.width > 0) keepPlace(pictures, entry.target.getBoundingClientRect());
    });
    observer.observe(first.current);
    return () => observer.disconnect();
  }, [pictures, id]);
  return first;
}
