import { type Corners, homography } from '@osprey/geo';
import { type PointerEvent, type RefObject, useEffect, useMemo, useRef } from 'react';
import { targetPlace } from '../../onscreen/target-place.ts';
import { useViewServices } from '../../onscreen/view-services.ts';
import { boxOf, drawOverlay } from './overlay.ts';
import { pictureRect } from './picture.ts';

type Options = {
  sensorId: string;
  frame: RefObject<HTMLElement | null>;
  video: RefObject<HTMLVideoElement | null>;
  canvas: RefObject<HTMLCanvasElement | null>;
};

/** Draws the targets of each shown frame over its picture, in the same animation frame. */
export function useOverlay({ sensorId, frame, video, canvas }: Options) {
  const { frames, chosenTarget } = useViewServices();
  const size = useRef({ width: 0, height: 0 });

  useEffect(() => {
    const draw = () => {
      const element = canvas.current;
      if (!element || !video.current) return;
      const chosen = chosenTarget.get();
      const place = placeIn(frames.latest(sensorId)?.footprint?.corners);
      element.toggleAttribute('data-place-marked', place !== null);
      drawOverlay({
        canvas: element,
        size: size.current,
        rect: rectOf(size.current, video.current),
        targets: frames.latest(sensorId)?.targets ?? [],
        chosen: chosen?.sensorId === sensorId ? chosen.id : null,
        place,
      });
    };
    const leaveFrames = frames.subscribe((shown) => {
      if (shown.sensorId !== sensorId) return;
      canvas.current?.setAttribute('data-record-time-us', String(shown.record?.timeUs ?? ''));
      canvas.current?.setAttribute('data-targets', String(shown.targets.length));
      draw();
    });
    const leaveChosen = chosenTarget.subscribe(draw);
    const leaveTarget = targetPlace.subscribe(draw);
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      size.current = { width, height };
      draw();
    });
    if (frame.current) observer.observe(frame.current);
    return () => {
      leaveFrames();
      leaveChosen();
      leaveTarget();
      observer.disconnect();
    };
  }, [frames, chosenTarget, sensorId, canvas, video, frame]);

  return useMemo(
    () => ({
      /** Picks the target under the pointer, or none. */
      choose(event: PointerEvent<HTMLElement>) {
        if (!canvas.current || !video.current) return;
        const bounds = canvas.current.getBoundingClientRect();
        const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
        const rect = rectOf(size.current, video.current);
        const hit = frames.latest(sensorId)?.targets.find((target) => {
          const box = target.box && boxOf(rect, target.box);
          return box && x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
        });
        chosenTarget.set(hit ? { sensorId, id: hit.id } : null);
      },
    }),
    [sensorId, frames, chosenTarget, canvas, video],
  );
}

/** Returns the position of the marked place in the picture; null if it is outside. */
function placeIn(corners: Corners | undefined): { x: number; y: number } | null {
  const place = targetPlace.get();
  const at = place && corners ? homography(corners)?.toImage(place) : null;
  return at && Math.min(at.x, at.y) >= 0 && Math.max(at.x, at.y) <= 1 ? at : null;
}

const rectOf = (size: { width: number; height: number }, video: HTMLVideoElement) =>
  pictureRect(size, { width: video.videoWidth, height: video.videoHeight });
