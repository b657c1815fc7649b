import { useCallback, useEffect, useState } from 'react';
import { arrived, keepQuiet } from '../base/quiet.ts';
import { removeFirstPicture } from '../player/first/first-picture.ts';

/** A picture or a table that does not come does not keep the rest of the page away. */
const LATEST_MS = 6000;

/**
 * `alone`: no mission is open, or the one that the address names is not there. `calm`: false while a mission that the
 * address named is being opened: until its first picture it has the machine to itself, and the table comes after it.
 * Once true it stays so. `isDrawn`: the rows of the table are on screen. Optional work comes after them, and after that
 * picture.
 */
export function useCalm(alone: boolean, isDrawn: boolean): { calm: boolean; onFirstFrame: () => void } {
  const [calm, setCalm] = useState(alone);
  const [late, setLate] = useState(false);
  const onFirstFrame = useCallback(() => setCalm(true), []);
  const coming = !calm || (alone && !isDrawn && !late);
  useEffect(() => (coming ? keepQuiet() : undefined), [coming]);
  useEffect(arrived, []);
  useEffect(() => {
    if (alone) removeFirstPicture();
  }, [alone]);
  useEffect(() => {
    const timer = setTimeout(() => {
      setLate(true);
      onFirstFrame();
    }, LATEST_MS);
    return () => clearTimeout(timer);
  }, [onFirstFrame]);
  // Back at the list and into another mission: the table is there already and stays.
  if (alone && !calm) setCalm(true);
  return { calm, onFirstFrame };
}
