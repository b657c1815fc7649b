import { useEffect, useState } from 'react';

const PAUSE_MS = 250;

/** Returns the text, updated only when the user pauses typing. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
