import type { Sensor, SensorTimeline } from '@osprey/contract';
import { type RefObject, useEffect, useState } from 'react';
import { useSession } from '../api/session.ts';
import { emptyFrame } from '../onscreen/frames.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import type { SourceFailure } from './hls/hls-recovery.ts';
import { playSensor } from './play-sensor.ts';
import { useFetchPage, useFetchSet, useViewCount } from './useSensorCalls.ts';
import { useWaiting } from './useWaiting.ts';

type Options = {
  sensor: Sensor;
  timeline: SensorTimeline | null;
  timelineFailed: boolean;
  video: RefObject<HTMLVideoElement | null>;
};

/** Connects one sensor's video and telemetry to the mission clock while its player is mounted. */
export function useSensorPlayback({ sensor, timeline, timelineFailed, video }: Options) {
  const services = useViewServices();
  const { clock, frames, stores, firstFrame } = services;
  const fetchPage = useFetchPage(sensor);
  const fetchSet = useFetchSet(sensor);
  const countView = useViewCount(sensor._id);
  const delayUs = (useSession().info?.playbackDataDelay ?? 0) * 1000;
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<SourceFailure | null>(null);
  const [covered, setCovered] = useState(true);
  const [started, setStarted] = useState(false);
  const waiting = useWaiting(video);
  const url = sensor.hlsProps?.url ?? null;

  // Publishes an empty frame, so that panel, overlay and map know that no picture will come.
  const without = url === null || timelineFailed;
  useEffect(() => {
    if (!without) return;
    frames.publish(emptyFrame(sensor._id, clock.timeUs()));
    return () => frames.forget(sensor._id);
  }, [without, sensor._id, clock, frames]);

  // `attempt` is among the dependencies below, so that a failed source is attached again.
  useEffect(() => {
    const element = video.current;
    if (!element || !timeline || url === null) return;
    setFailure(null);
    // If the recording was shifted, the previous playback may have had gaps at other times.
    setCovered(true);
    return playSensor({
      ...{ sensorId: sensor._id, url, timeline, element, delayUs, fetchPage, fetchSet },
      services: { clock, frames, stores, firstFrame },
      onStarted() {
        setStarted(true);
        countView();
      },
      onCovered: setCovered,
      onFailure: setFailure,
      tryAgain: () => setAttempt((before) => before + 1),
    });
  }, [
    timeline,
    url,
    attempt,
    sensor._id,
    delayUs,
    clock,
    frames,
    stores,
    firstFrame,
    fetchPage,
    fetchSet,
    countView,
    video,
  ]);

  return { failure, covered, started, waiting, retry: () => setAttempt((before) => before + 1) };
}
