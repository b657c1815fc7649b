import { useEffect, useState } from 'react';
import { leaveFullScreen } from '../player/picture/full-screen.ts';

/** Time after the last user input at which the transport fades, in milliseconds. */
const REST_MS = 3000;

/** Returns true once there was no pointer or keyboard input for `REST_MS`. */
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
 * While the stage fills the screen, hides the page below it and keeps keys from reaching it. Escape leaves full screen,
 * and so does closing the view. Returns whether the transport may fade.
 */
export function useFullScreenStage(full: boolean): boolean {
  useEffect(() => {
    if (!full) return;
    const page = document.getElementById('root');
    if (page) page.style.visibility = 'hidden';
    const onKeyDown = (event: KeyboardEvent) => {
      // Where the browser granted full screen, it handles Escape itself. An open dialog closes first.
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
