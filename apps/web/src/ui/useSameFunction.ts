import { useEffect, useRef, useState } from 'react';

/** Stays the same function, so that who gets it is not drawn again, and does what the newest one does. */
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
