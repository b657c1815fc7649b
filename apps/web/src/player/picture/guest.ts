import { createContext, type RefObject, useContext, useEffect } from 'react';
import type { ShownFrame } from '../../onscreen/frames.ts';
import { useViewServices } from '../../onscreen/view-services.ts';
import { type PictureRect, pictureRect } from './picture.ts';

/** A player's picture that a guest draws over. */
export type GuestPicture = {
  /** Layer over the picture with the size of its player; receives no pointer events until the guest enables them. */
  svg: SVGSVGElement;
  sensorId: string;
  /** Returns the position of the picture in the svg, in px. */
  rect: () => PictureRect;
};

/** Something that a page draws over the pictures of its players, such as annotations. */
export type PictureGuest = {
  start: (picture: GuestPicture) => {
    /** Called in the animation frame of each shown frame, and when the size changes. */
    draw: (frame: ShownFrame | null) => void;
    stop: () => void;
  };
};

/** The guest must remain the same object while its drawings do not change; null for none. */
export const PictureGuestContext = createContext<PictureGuest | null>(null);

/** Combines several guests, in drawing order; null if there is none. */
export function joinGuests(all: readonly (PictureGuest | null)[]): PictureGuest | null {
  const guests = all.filter((guest) => guest !== null);
  if (guests.length < 2) return guests[0] ?? null;
  return {
    start(picture) {
      const running = guests.map((guest) => guest.start(picture));
      return {
        draw(frame) {
          for (const { draw } of running) draw(frame);
        },
        stop() {
          for (const { stop } of running) stop();
        },
      };
    },
  };
}

type Options = {
  sensorId: string;
  svg: RefObject<SVGSVGElement | null>;
  video: RefObject<HTMLVideoElement | null>;
};

/** Runs the guest of the page on a player's picture. */
export function usePictureGuest({ sensorId, svg, video }: Options): boolean {
  const guest = useContext(PictureGuestContext);
  const { frames } = useViewServices();
  useEffect(() => {
    if (guest === null || svg.current === null) return;
    const element = svg.current;
    let size = { width: element.clientWidth, height: element.clientHeight };
    const rect = () => {
      const { videoWidth = 0, videoHeight = 0 } = video.current ?? {};
      return pictureRect(size, { width: videoWidth, height: videoHeight });
    };
    const running = guest.start({ svg: element, sensorId, rect });
    const unsubscribe = frames.subscribe((frame) => {
      if (frame.sensorId === sensorId) running.draw(frame);
    });
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      size = { width, height };
      running.draw(frames.latest(sensorId));
    });
    observer.observe(element);
    return () => {
      unsubscribe();
      observer.disconnect();
      running.stop();
    };
  }, [guest, frames, sensorId, svg, video]);
  return guest !== null;
}
