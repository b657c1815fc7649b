import { useEffect, useState } from 'react';
import { leaveFullScreen } from '../player/picture/full-screen.ts';

/** The transport fades this long after the last sign of a person, ms. */
const REST_MS = 3000;

/** True while pointer and keys have rested for some seconds. */
function useRest(active: boolean): boolean {
  const [rests, setRests] = useState(false);
  useEffect(() => {
    if (!active) return;
    const state = { timer: setTimeout(() => setRests(true), REST_MS) };
    const wake = () => {
      setRests(false);
      clearTimeout(state.timer);
      state.timer = setTimeout(() => setRests(true), REST_MS);
    };
    const signs = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;
    for (const sign of signs) document.addEventListener(sign, wake);
    return () => {
      clearTimeout(state.timer);
      setRests(false);
      for (const sign of signs) document.removeEventListener(sign, wake);
    };
  }, [active]);
  return rests;
}

/**
 * While the stage fills the screen, the page below it is hidden and keys do not reach it, Escape leaves, and so does
 * the end of the view. Returns whether the transport may fade.
 */
export function useFullScreenStage(full: boolean): boolean {
  useEffect(() => {
    if (!full) return;
    const page = document.getElementById('root');
    if (page) page.style.visibility = 'hidden';
    const onKeyDown = (event: KeyboardEvent) => {
      // The browser takes Escape itself where it granted the full screen. A dialog that is open closes first.
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('[role="dialog"]'))
        leaveFullScreen();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      if (page) page.style.visibility = '';
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [full]);
  useEffect(() => leaveFullScreen, []);
  return useRest(full);
}
