import { type RefObject, useEffect, useState } from 'react';

/** Time without a picture after which the video counts as waiting, in milliseconds. */
const WAITING_DELAY_MS = 700;

/**
 * Returns true while a video that is playing or seeking has had no picture for a moment, since the server or the
 * network is slow.
 */
export function useWaiting(video: RefObject<HTMLVideoElement | null>): boolean {
  const [waiting, setWaiting] = useState(false);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const end = () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      setWaiting(false);
    };
    const begin = () => {
      timer ??= setTimeout(() => setWaiting(true), WAITING_DELAY_MS);
    };
    const begins = ['waiting', 'seeking'];
    const ends = ['playing', 'seeked', 'canplay', 'pause', 'ended', 'emptied'];
    for (const name of begins) element.addEventListener(name, begin);
    for (const name of ends) element.addEventListener(name, end);
    return () => {
      end();
      for (const name of begins) element.removeEventListener(name, begin);
      for (const name of ends) element.removeEventListener(name, end);
    };
  }, [video]);
  return waiting;
}
