import { createContext, type RefObject, useContext, useEffect } from 'react';
import type { ShownFrame } from '../../onscreen/frames.ts';
import { useViewServices } from '../../onscreen/view-services.ts';
import { type PictureRect, pictureRect } from './picture.ts';

/** A picture of a player that a guest draws over. */
export type GuestPicture = {
  /** Over the picture, as large as its player; gets no pointer until the guest asks for it. */
  svg: SVGSVGElement;
  sensorId: string;
  /** Place of the picture in the svg, px. */
  rect: () => PictureRect;
};

/** Drawings of a page over the pictures of its players, such as annotations. */
export type PictureGuest = {
  start: (picture: GuestPicture) => {
    /** Called for each frame on screen, in its animation frame, and when the size changes. */
    draw: (frame: ShownFrame | null) => void;
    stop: () => void;
  };
};

/** The same guest while the same things are drawn; null: nothing. */
export const PictureGuestContext = createContext<PictureGuest | null>(null);

/** Several as one, in the order in which they are drawn; null without any. */
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

/** Lets the guest of the page draw over a picture. */
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
    const leave = frames.subscribe((frame) => {
      if (frame.sensorId === sensorId) running.draw(frame);
    });
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      size = { width, height };
      running.draw(frames.latest(sensorId));
    });
    observer.observe(element);
    return () => {
      leave();
      observer.disconnect();
      running.stop();
    };
  }, [guest, frames, sensorId, svg, video]);
  return guest !== null;
}
