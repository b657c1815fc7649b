import type { Sensor, SensorTimeline } from '@osprey/contract';
import { type RefObject, useEffect, useState } from 'react';
import { useSession } from '../api/session.ts';
import { createFrameMaker, emptyFrame } from '../onscreen/frames.ts';
import { useParts } from '../onscreen/parts.ts';
import { createTelemetryStore, PAGE_US } from '../onscreen/telemetry-store.ts';
import { tellPainted } from '../onscreen/tell-painted.ts';
import type { SourceFailure } from './hls/hls-recovery.ts';
import { takeHls } from './hls/hls-source.ts';
import { createTimeMap } from './hls/time-map.ts';
import { useFetchPage, useFetchSet, useViewCount } from './useSensorCalls.ts';
import { useWaiting } from './useWaiting.ts';
import { createVideoDriver } from './video-driver.ts';

type Options = {
  sensor: Sensor;
  timeline: SensorTimeline | null;
  timelineFailed: boolean;
  video: RefObject<HTMLVideoElement | null>;
};

/** Joins one sensor's video and telemetry to the mission clock for as long as its player is there. */
export function useSensorPlayback({ sensor, timeline, timelineFailed, video }: Options) {
  const parts = useParts();
  const { clock, frames, stores, firstFrame } = parts;
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

  // Those who draw what belongs to a picture hear that none will come.
  const without = url === null || timelineFailed;
  useEffect(() => {
    if (!without) return;
    frames.publish(emptyFrame(sensor._id, clock.timeUs()));
    return () => frames.forget(sensor._id);
  }, [without, sensor._id, clock, frames]);

  // `attempt` is named below so that a failed source is attached again.
  useEffect(() => {
    const element = video.current;
    if (!element || !timeline || url === null) return;
    setFailure(null);
    // The player before may have had gaps elsewhere, if the recording was shifted.
    setCovered(true);
    const map = createTimeMap(timeline);
    const makeFrame = createFrameMaker(sensor._id);
    const store = createTelemetryStore({
      sensorId: sensor._id,
      startUs: timeline.startTime - PAGE_US,
      endUs: timeline.endTime + PAGE_US,
      fetchPage,
      fetchSet,
      onChange: () => {
        const shown = driver.frameUs();
        if (shown !== null) publish(shown);
      },
      now: () => performance.now(),
    });
    let isCovered = true;
    const publish = (timeUs: number) => {
      store.ensure(timeUs - delayUs);
      // The picture of a gap is from another moment, and so would its telemetry be.
      const record = isCovered ? store.recordAt(timeUs - delayUs) : null;
      const { videoWidth: width, videoHeight: height } = element;
      frames.publish(makeFrame({ timeUs, record, width, height }));
      if (!store.isLoading(timeUs - delayUs)) tellPainted(firstFrame);
    };
    const driver = createVideoDriver({
      id: sensor._id,
      video: element,
      map,
      onCovered(next) {
        isCovered = next;
        setCovered(next);
        const shown = driver.frameUs();
        if (shown !== null) publish(shown);
      },
      onFrame: publish,
    });
    const onFirst = () => {
      setStarted(true);
      countView();
    };
    // It may have come before anybody showed the element.
    if (element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) onFirst();
    else element.addEventListener('loadeddata', onFirst, { once: true });
    stores.set(sensor._id, store);
    store.ensure(clock.timeUs());
    const leave = clock.join(driver);
    let stopWaiting = () => {};
    /**
     * Only this place is damaged: at another requested moment, or where the recording begins after a gap, it is tried
     * again.
     */
    function waitForAnother() {
      let isThere = map.covers(clock.timeUs());
      setCovered(isThere);
      return clock.onTime((timeUs, by) => {
        const wasThere = isThere;
        isThere = map.covers(timeUs);
        if (isThere && (by === 'asked' || !wasThere)) setAttempt((before) => before + 1);
        else setCovered(isThere);
      });
    }
    const source = takeHls(url);
    map.setPictures(source.pictures);
    source.play({
      video: element,
      startPosition: map.mediaTimeOf(clock.timeUs()) ?? 0,
      onZero: driver.setZero,
      onSkip: (to) => {
        const timeUs = map.timeOf(to);
        // In a gap it is paused at some place under the notice, which is not the clock's moment.
        if (timeUs === null || !map.covers(clock.timeUs())) return;
        // If this one gives the time, the others follow, else it waits for them.
        if (clock.get().leader === sensor._id) clock.seek(timeUs);
        else driver.show(timeUs);
      },
      onFailure: (reason) => {
        // The others do not wait for what does not come.
        leave();
        if (reason === 'broken') stopWaiting = waitForAnother();
        element.pause();
        setFailure(reason);
        // The others go on: what it showed last is soon of another moment.
        isCovered = false;
        const shown = driver.frameUs();
        if (shown !== null) publish(shown);
        else {
          stores.delete(sensor._id);
          frames.publish(emptyFrame(sensor._id, clock.timeUs()));
        }
        firstFrame.set(true);
      },
    });
    return () => {
      leave();
      stopWaiting();
      driver.stop();
      store.stop();
      source.end();
      element.removeEventListener('loadeddata', onFirst);
      if (stores.get(sensor._id) === store) stores.delete(sensor._id);
      frames.forget(sensor._id);
    };
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
