import { type RefObject, useLayoutEffect, useRef } from 'react';
import { removeFirstPicture } from '../first/first-picture.ts';
import { createPicture } from './create-picture.ts';
import { pictureStyle } from './picture-styles.ts';

type Props = {
  video: RefObject<HTMLVideoElement | null>;
  /** Element in which the recording has already begun to load; if null, a new one is created. */
  begun: HTMLVideoElement | null;
};

/** Contains the video element that shows a recording or a live stream, below all other parts of its player. */
export function Picture({ video, begun }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = begun ?? createPicture();
    element.tabIndex = -1;
    Object.assign(element.style, pictureStyle);
    place.current?.append(element);
    // The picture that was started before the page is now in its player.
    if (begun) removeFirstPicture();
    video.current = element;
    return () => {
      video.current = null;
      element.remove();
    };
  }, [video, begun]);
  return <div ref={place} style={{ display: 'contents' }} />;
}
