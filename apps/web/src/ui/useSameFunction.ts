import { useEffect, useRef, useState } from 'react';

/**
 * Returns a function that always remains the same, so that its receivers are not rendered again, and that calls the
 * newest `act`.
 */
export function useSameFunction<Args extends unknown[], Result>(
  act: (...args: Args) => Result,
): (...args: Args) => Result {
  const newest = useRef(act);
  useEffect(() => {
    newest.current = act;
  });
  const [same] = useState(
    () =>
      (...args: Args) =>
        newest.current(...args),
  );
  return same;
}
