import type { RefObject } from 'react';
import { createFrameMaker, type FrameBus } from '../onscreen/frames.ts';
import type { LiveEdge } from './clock/live-edge.ts';
import type { LiveTelemetry } from './live-telemetry.ts';
import type { Playing } from './playing.ts';

/** The server sends a new viewer the last 20 s by itself; older pictures may lack theirs. */
const TOLD_MS = 15_000;

type Options = {
  id: string;
  video: RefObject<HTMLVideoElement | null>;
  playing: RefObject<Playing>;
  telemetry: LiveTelemetry;
  edge: LiveEdge;
  publish: FrameBus['publish'];
  onPublished: () => void;
};

/** Publishes which picture of a live sensor is on screen, and the record that belongs to it. */
export function livePublisher({ id, video, playing, telemetry, edge, publish, onPublished }: Options): () => void {
  const makeFrame = createFrameMaker(id);

  function askForOld(ticks: number, arrivedUs: number | null) {
    const lacking = telemetry.lackingFor({ ticks, arrivedUs, nowMs: performance.now() });
    if (lacking) playing.current.ask?.({ kind: 'past', ...lacking });
  }

  return () => {
    const { source, picture } = playing.current;
    if (!source || !picture || !video.current) return;
    const ticks = source.ticksOf(picture);
    const found = ticks === null ? null : telemetry.at(ticks);
    const delayMs = (ticks === null ? null : edge.delayMs(ticks, performance.now())) ?? source.delayMs();
    const arrivedUs = source.timeOf(picture.mediaTime);
    const timeUs = found?.timeUs ?? arrivedUs ?? Math.round((Date.now() - (delayMs ?? 0)) * 1000);
    if (ticks !== null && (delayMs ?? 0) > TOLD_MS) askForOld(ticks, arrivedUs);
    Object.assign(playing.current, { timeUs, delayMs });
    const { videoWidth: width, videoHeight: height } = video.current;
    publish(makeFrame({ timeUs, record: found?.record ?? null, width, height }));
    onPublished();
  };
}
