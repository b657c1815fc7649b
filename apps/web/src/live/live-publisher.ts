import type { RefObject } from 'react';
import { createFrameMaker, type FrameBus } from '../onscreen/frames.ts';
import type { LiveEdge } from './clock/live-edge.ts';
import type { LiveTelemetry } from './live-telemetry.ts';
import type { Playing } from './playing.ts';

/**
 * Delay in milliseconds above which telemetry is requested. The server automatically sends a new viewer the last 20 s;
 * older pictures may lack theirs.
 */
const REPORTED_MS = 15_000;

/**
 * Minimum difference in milliseconds between the media buffered after a picture and the picture's delay which shows
 * that the stream has restarted. Within one run the former is not longer than the latter, apart from the accuracy of
 * the clocks.
 */
const RESTARTED_MS = 10_000;

type Options = {
  id: string;
  video: RefObject<HTMLVideoElement | null>;
  playing: RefObject<Playing>;
  telemetry: LiveTelemetry;
  edge: LiveEdge;
  publish: FrameBus['publish'];
  onPublished: () => void;
};

/** Returns a function that publishes which picture of a live sensor is on screen, and the record that belongs to it. */
export function livePublisher({ id, video, playing, telemetry, edge, publish, onPublished }: Options): () => void {
  const makeFrame = createFrameMaker(id);

  function askForOld(picture: { ticks: number; arrivedUs: number | null; isEarlierRun: boolean }) {
    const lacking = telemetry.lackingFor({ ...picture, nowMs: performance.now() });
    if (lacking) playing.current.ask?.({ kind: 'past', ...lacking });
  }

  return () => {
    const { source, picture } = playing.current;
    if (!source || !picture || !video.current) return;
    const ticks = source.ticksOf(picture);
    const arrivedUs = source.timeOf(picture.mediaTime);
    const newestUs = source.newestUs();
    const keptMs = arrivedUs === null || newestUs === null ? 0 : (newestUs - arrivedUs) / 1000;
    const reported = (ticks === null ? null : edge.latencyMs(ticks, performance.now())) ?? source.latencyMs();
    // PTS cannot be compared across a restart of the stream, and media time omits the gap: the picture is at least as
    // old as the media buffered after it.
    const isEarlierRun = reported !== null && keptMs - reported > RESTARTED_MS;
    const latencyMs = reported === null ? null : Math.max(reported, keptMs);
    const found = ticks === null ? null : telemetry.at(ticks, isEarlierRun);
    const timeUs = found?.timeUs ?? arrivedUs ?? Math.round((Date.now() - (latencyMs ?? 0)) * 1000);
    if (ticks !== null && (latencyMs ?? 0) > REPORTED_MS) askForOld({ ticks, arrivedUs, isEarlierRun });
    Object.assign(playing.current, { timeUs, latencyMs });
    const { videoWidth: width, videoHeight: height } = video.current;
    publish(makeFrame({ timeUs, record: found?.record ?? null, width, height }));
    onPublished();
  };
}
