import { homography, type Point } from '@osprey/geo';
import { type PointerEvent, type RefObject, useEffect, useMemo, useRef } from 'react';
import { fill } from '../../base/format.ts';
import { formatPlace } from '../../base/units.ts';
import { setText } from '../../onscreen/set-text.ts';
import { useViewServices } from '../../onscreen/view-services.ts';
import { texts } from '../texts.ts';
import { inPicture, pictureRect } from './picture.ts';

type Options = {
  sensorId: string;
  video: RefObject<HTMLVideoElement | null>;
  label: RefObject<HTMLElement | null>;
};

/** Shows the ground position under the pointer, updated with each frame, and publishes it for the map. */
export function useGroundPointer({ sensorId, video, label }: Options) {
  const { frames, pointed } = useViewServices();
  const at = useRef<{ x: number; y: number } | null>(null);

  const show = useMemo(
    () => () => {
      const place = at.current && groundAt(at.current, video.current, frames.latest(sensorId)?.footprint?.corners);
      if (label.current) {
        label.current.hidden = !place;
        if (place && at.current) {
          setText(label.current, fill(texts.pointer, { place: formatPlace(place) }));
          moveLabel(label.current, at.current, video.current);
        }
      }
      if (place || at.current) pointed.set(place ?? null);
    },
    [sensorId, frames, pointed, video, label],
  );

  useEffect(
    () =>
      frames.subscribe((frame) => {
        if (frame.sensorId === sensorId && at.current) show();
      }),
    [frames, sensorId, show],
  );

  return useMemo(
    () => ({
      /**
       * Also called when the pointer enters, since a closing menu uncovers the picture under a pointer that does not
       * move.
       */
      onMove(event: PointerEvent<HTMLElement>) {
        const bounds = event.currentTarget.getBoundingClientRect();
        at.current = { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
        show();
      },
      onLeave() {
        at.current = null;
        show();
        pointed.set(null);
      },
    }),
    [show, pointed],
  );
}

function groundAt(
  at: { x: number; y: number },
  video: HTMLVideoElement | null,
  corners: Parameters<typeof homography>[0] | undefined,
): Point | null {
  if (!video || !corners) return null;
  const rect = pictureRect(
    { width: video.clientWidth, height: video.clientHeight },
    { width: video.videoWidth, height: video.videoHeight },
  );
  const share = inPicture(rect, at.x, at.y);
  return share && (homography(corners)?.toGround(share.x, share.y) ?? null);
}

/** Moves the label next to the pointer, to the side with enough room; in a small picture as far away as possible. */
function moveLabel(label: HTMLElement, at: { x: number; y: number }, video: HTMLVideoElement | null) {
  const right = at.x + 16 + label.offsetWidth < (video?.clientWidth ?? 0);
  const x = right ? at.x + 16 : Math.max(0, at.x - 16 - label.offsetWidth);
  label.style.transform = `translate(${x}px, ${Math.max(0, at.y - 28)}px)`;
}
