import { useCallback, useEffect, useState } from 'react';
import { arrived, keepQuiet } from '../app/quiet.ts';

/** A picture that does not come does not keep the rest of the page away. */
const LATEST_MS = 6000;

/**
 * `alone`: no mission is open. False while a mission that the address named is being opened: until its first picture it has the machine to itself, and the
 * table comes behind it. Once true it stays so.
 */
export function useCalm(alone: boolean): { calm: boolean; onFirstFrame: () => void } {
  const [calm, setCalm] = useState(alone);
  const onFirstFrame = useCallback(() => setCalm(true), []);
  useEffect(() => (calm ? undefined : keepQuiet()), [calm]);
  useEffect(arrived, []);
  useEffect(() => {
    const timer = setTimeout(onFirstFrame, LATEST_MS);
    return () => clearTimeout(timer);
  }, [onFirstFrame]);
  // Back at the list and into another mission: the table is there already and stays.
  if (alone && !calm) setCalm(true);
  return { calm, onFirstFrame };
}
