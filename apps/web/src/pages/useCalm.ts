import { useCallback, useEffect, useState } from 'react';
import { arrived, keepQuiet } from '../base/quiet.ts';
import { removeFirstPicture } from '../player/first/first-picture.ts';

/** Maximum time that the rest of the page waits for a picture or a table, in milliseconds. */
const WAIT_MAX_MS = 6000;

/**
 * Schedules optional work of the page. `alone`: no mission is open, or the one in the address does not exist.
 * `isDrawn`: the rows of the table are on screen. The returned `calm` is false while the mission in the address is
 * being opened, so that nothing else competes with its first picture, and the table is loaded after it. Once true,
 * `calm` remains true. Other optional work runs after the table, and after that picture.
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
    }, WAIT_MAX_MS);
    return () => clearTimeout(timer);
  }, [onFirstFrame]);
  // If the user returns to the list and opens another mission, the table is already loaded and remains.
  if (alone && !calm) setCalm(true);
  return { calm, onFirstFrame };
}
