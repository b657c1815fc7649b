import type { SensorTimeline } from '@osprey/contract';
import { createFrameMaker, emptyFrame } from '../onscreen/frames.ts';
import { reportPainted } from '../onscreen/report-painted.ts';
import { createTelemetryStore, PAGE_US } from '../onscreen/telemetry-store.ts';
import type { ViewServices } from '../onscreen/view-services.ts';
import type { SourceFailure } from './hls/hls-recovery.ts';
import { takeHls } from './hls/hls-source.ts';
import { createTimeMap, type TimeMap } from './hls/time-map.ts';
import { createVideoDriver } from './video-driver.ts';

type Deps = Pick<Parameters<typeof createTelemetryStore>[0], 'fetchPage' | 'fetchSet'> & {
  sensorId: string;
  /** URL of the sensor's playlist. */
  url: string;
  timeline: SensorTimeline;
  element: HTMLVideoElement;
  /** Delay of the telemetry relative to its pictures, in microseconds. */
  delayUs: number;
  services: Pick<ViewServices, 'clock' | 'frames' | 'stores' | 'firstFrame'>;
  /** Called when the first picture is shown. */
  onStarted: () => void;
  /** Called with whether the sensor recorded the clock's moment. */
  onCovered: (covered: boolean) => void;
  onFailure: (reason: SourceFailure) => void;
  /** Called when the clock has left a broken position, so that the source can be attached again. */
  tryAgain: () => void;
};

/**
 * Plays a sensor's recording in step with the mission clock: pictures from the playlist, and with each picture its
 * telemetry for panel, overlay and map. Returns a function that ends it.
 */
export function playSensor(deps: Deps): () => void {
  const { sensorId, url, timeline, element, delayUs, services, onCovered, onFailure } = deps;
  const { clock, frames, stores, firstFrame } = services;
  const map = createTimeMap(timeline);
  const makeFrame = createFrameMaker(sensorId);
  let isCovered = true;
  let stopWaiting = () => {};

  const store = createTelemetryStore({
    sensorId,
    startUs: timeline.startTime - PAGE_US,
    endUs: timeline.endTime + PAGE_US,
    fetchPage: deps.fetchPage,
    fetchSet: deps.fetchSet,
    onChange: () => void publishShown(),
    now: () => performance.now(),
  });
  const driver = createVideoDriver({
    id: sensorId,
    video: element,
    map,
    onCovered(next) {
      isCovered = next;
      onCovered(next);
      publishShown();
    },
    onFrame: publish,
  });

  function publish(timeUs: number): void {
    store.ensure(timeUs - delayUs);
    // In a gap, the picture on screen is from another moment, so its telemetry is not shown.
    const record = isCovered ? store.recordAt(timeUs - delayUs) : null;
    const { videoWidth: width, videoHeight: height } = element;
    frames.publish(makeFrame({ timeUs, record, width, height }));
    if (!store.isLoading(timeUs - delayUs)) reportPainted(firstFrame);
  }

  /** Publishes the frame on screen; returns false if there is none. */
  function publishShown(): boolean {
    const shownUs = driver.frameUs();
    if (shownUs !== null) publish(shownUs);
    return shownUs !== null;
  }

  /** Skips pictures up to `to` that cannot be decoded, in seconds of the playlist. */
  function skip(to: number): void {
    const timeUs = map.timeOf(to);
    // In a gap, the video is paused at an arbitrary position under the notice, which is not the clock's moment.
    if (timeUs === null || !map.covers(clock.timeUs())) return;
    // If this sensor leads, the others follow it; otherwise it waits for them.
    if (clock.get().leader === sensorId) clock.seek(timeUs);
    else driver.show(timeUs);
  }

  function fail(reason: SourceFailure): void {
    // Leaves the clock, so that other members do not wait for pictures that never come.
    leaveClock();
    if (reason === 'broken') stopWaiting = waitForAnother({ clock, map, onCovered, tryAgain: deps.tryAgain });
    element.pause();
    onFailure(reason);
    // The other members continue, so this sensor's last picture will soon be from another moment.
    isCovered = false;
    if (!publishShown()) {
      stores.delete(sensorId);
      frames.publish(emptyFrame(sensorId, clock.timeUs()));
    }
    firstFrame.set(true);
  }

  // The first picture may have been loaded before the element was mounted.
  if (element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) deps.onStarted();
  else element.addEventListener('loadeddata', deps.onStarted, { once: true });
  stores.set(sensorId, store);
  store.ensure(clock.timeUs());
  const leaveClock = clock.join(driver);
  const source = takeHls(url);
  map.setPictures(source.pictures);
  source.play({
    video: element,
    startPosition: map.mediaTimeOf(clock.timeUs()) ?? 0,
    onZero: driver.setZero,
    onSkip: skip,
    onFailure: fail,
  });

  return () => {
    leaveClock();
    stopWaiting();
    driver.stop();
    store.stop();
    source.end();
    element.removeEventListener('loadeddata', deps.onStarted);
    if (stores.get(sensorId) === store) stores.delete(sensorId);
    frames.forget(sensorId);
  };
}

type Waiting = Pick<Deps, 'onCovered' | 'tryAgain'> & { clock: ViewServices['clock']; map: TimeMap };

/**
 * After damage at one position, tries again when another moment is requested, or where the recording starts again after
 * a gap.
 */
function waitForAnother({ clock, map, onCovered, tryAgain }: Waiting): () => void {
  let isThere = map.covers(clock.timeUs());
  onCovered(isThere);
  return clock.onTime((timeUs, by) => {
    const wasThere = isThere;
    isThere = map.covers(timeUs);
    if (isThere && (by === 'asked' || !wasThere)) tryAgain();
    else onCovered(isThere);
  });
}
