import { type RefObject, useEffect, useState } from 'react';

/** A picture that comes within this was not waited for. ms */
const PATIENCE_MS = 700;

/** True while a video that is to be shown, playing or sought, has had no picture for a moment: the server or the way to it is slow. */
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
      timer ??= setTimeout(() => setWaiting(true), PATIENCE_MS);
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
