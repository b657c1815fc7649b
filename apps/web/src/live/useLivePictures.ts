import type { LiveSensor } from '@osprey/contract';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { reportPainted } from '../onscreen/report-painted.ts';
import { frameLengthS } from '../player/frames/frame-steps.ts';
import { watchFrames } from '../player/frames/frame-watch.ts';
import { createLiveEdge } from './clock/live-edge.ts';
import { livePublisher } from './live-publisher.ts';
import { createLiveTelemetry } from './live-telemetry.ts';
import type { Playing } from './playing.ts';
import { useLiveServices } from './useLiveServices.ts';

type Options = {
  sensor: LiveSensor;
  video: RefObject<HTMLVideoElement | null>;
  playing: RefObject<Playing>;
  /** Called when a picture has been shown on screen. */
  onShown: () => void;
};

/** Publishes each picture of a live sensor when it is shown, with its telemetry, and determines the live position. */
export function useLivePictures({ sensor, video, playing, onShown }: Options) {
  const { clock, frames, stores, firstFrame } = useLiveServices();
  const id = sensor._id;
  const frameRate = sensor.video?.frameRate ?? null;
  const shown = useRef(onShown);
  shown.current = onShown;
  const [telemetry] = useState(() => createLiveTelemetry(id));
  const [edge] = useState(createLiveEdge);
  const [publish] = useState(() =>
    livePublisher({
      ...{ id, video, playing, telemetry, edge, publish: frames.publish },
      onPublished() {
        clock.notify(id);
        reportPainted(firstFrame);
      },
    }),
  );

  useEffect(() => {
    stores.set(id, telemetry);
    return () => {
      if (stores.get(id) === telemetry) stores.delete(id);
      frames.forget(id);
    };
  }, [stores, frames, id, telemetry]);

  useEffect(() => {
    const element = video.current;
    if (!element) return;
    return watchFrames({
      video: element,
      frameS: () => frameLengthS(frameRate),
      onShown(picture) {
        Object.assign(playing.current, { picture, pictureAtMs: performance.now() });
        shown.current();
        publish();
      },
    });
  }, [video, playing, frameRate, publish]);

  return { telemetry, edge, publish };
}

export type LivePictures = ReturnType<typeof useLivePictures>;
