import type { Info, Mission, Sensor, SensorTimeline, TelemetryPage } from '@osprey/contract';
import { timeOf } from '../../base/time-of.ts';
import { createFrameMaker } from '../../onscreen/frames.ts';
import { createTelemetryStore, type TelemetryStore } from '../../onscreen/telemetry-store.ts';
import { frameLengthS, INSIDE_FRAME_S } from '../frames/frame-steps.ts';
import { keepShown } from '../frames/shown-before.ts';
import { begunPicture, type HlsSource, prepareHls } from '../hls/hls-source.ts';
import { createTimeMap, type TimeMap } from '../hls/time-map.ts';
import { removeFirstPicture, showFirstPicture } from './first-picture.ts';
import { type Place, placeOf } from './first-place.ts';

/**
 * Time after which an early picture is removed once the page is there without using it, in milliseconds. A page that
 * shows no picture, for example because the right to it has just ended, must not remain covered by one.
 */
const LEAVE_MS = 3000;

/** Parameters of an address that change the view, so that its pictures are not at the remembered place. */
const OTHER_VIEWS = ['sensors', 'health'];

type Opened = {
  /** Sensors of the mission, as listed by the server. */
  sensors: readonly Sensor[];
  /** The page's leading sensor, which has pictures. */
  leader: Sensor;
  link: URLSearchParams;
  answers: [Promise<Mission>, Promise<SensorTimeline>, Promise<Info>];
  /** Sends a request that was not sent before to the server. */
  ask: <Answer>(path: string, query: Record<string, string>) => Promise<Answer>;
};

/**
 * Called by public/early.js to start loading a recording before any other code of the client is available; its player
 * takes over later. Resolves once the picture is on screen with its telemetry, or cannot be before the player is
 * loaded.
 */
export async function begin(opened: Opened): Promise<void> {
  const { leader, sensors, link, answers } = opened;
  const { url } = leader.hlsProps!;
  const source = prepareHls(url);
  const video = begunPicture(url);
  // The picture may arrive before its place is known, and is announced only once. Not every browser announces it.
  const first = video?.requestVideoFrameCallback ? nextPicture(video) : null;
  const requestedUs = timeOf(link.get('t'));
  // Without a requested time, the recording begins at its first picture.
  if (requestedUs === null) source.begin(0);
  const videos = sensors.filter(({ type }) => type === 'video');
  const place = placeOf(videos.length);
  const isUsual = place !== null && videos[0] === leader && !OTHER_VIEWS.some((name) => link.has(name));
  if (!isUsual && requestedUs === null) return;

  const map = createTimeMap(await answers[1]);
  const at = requestedUs === null ? 0 : map.mediaTimeOf(requestedUs);
  source.begin(at ?? 0);
  if (video && first && isUsual && at !== null)
    await showPicture(opened, { source, map, video, first, where: place, requestedUs });
}

type Coming = {
  source: HlsSource;
  map: TimeMap;
  video: HTMLVideoElement;
  first: Promise<number>;
  where: Place;
  requestedUs: number | null;
};

async function showPicture({ leader, ask, answers }: Opened, coming: Coming): Promise<void> {
  const { source, map, video, requestedUs } = coming;
  const [mission, , info] = await Promise.all(answers);
  const root = document.getElementById('root')!;
  // The page was rendered first.
  if (root.childElementCount > 0) return;
  const shownPicture = showFirstPicture({ place: coming.where, mission, sensor: leader, video });
  leaveBehind(root);
  const delayUs = (info.playbackDataDelay ?? 0) * 1000;
  const telemetry = telemetryAt((requestedUs ?? map.timeline.runs[0]!.startTime) - delayUs, {
    leader,
    timeline: map.timeline,
    ask,
  });

  let mediaTime = await coming.first;
  if (!shownPicture.isThere()) return;
  keepShown(video, mediaTime);
  for (const zero of source.zeros()) map.setZero(...zero);
  map.setPictures(source.pictures);
  // The seek position was an estimate until the recording's own start time was known.
  const place = requestedUs === null ? null : map.mediaTimeOf(requestedUs);
  if (place !== null && !lastsOver(mediaTime, place + INSIDE_FRAME_S, map)) {
    video.currentTime = place + INSIDE_FRAME_S;
    mediaTime = await nextPicture(video);
    if (!shownPicture.isThere()) return;
    keepShown(video, mediaTime);
  }
  const timeUs = map.timeOf(mediaTime);
  const store = await telemetry;
  if (timeUs === null || !shownPicture.isThere()) return;
  const { videoWidth: width, videoHeight: height } = video;
  shownPicture.draw(createFrameMaker(leader._id)({ timeUs, record: store.recordAt(timeUs - delayUs), width, height }));
}

/** Resolves with the media time of the next picture on screen. */
const nextPicture = (video: HTMLVideoElement): Promise<number> =>
  new Promise((done) => video.requestVideoFrameCallback((_now, { mediaTime }) => done(mediaTime)));

/**
 * Returns whether a picture is still on screen at this moment, going by the recording's frame rate. Both are media
 * times in seconds.
 */
const lastsOver = (picture: number, moment: number, { timeline }: TimeMap): boolean =>
  moment >= picture && moment < picture + frameLengthS(timeline.frameRate);

type TelemetryDeps = Pick<Opened, 'leader' | 'ask'> & { timeline: SensorTimeline };

/** Resolves with the telemetry of the seconds around a moment, or with none if it cannot be loaded. */
function telemetryAt(
  timeUs: number,
  { leader, timeline, ask }: TelemetryDeps,
): Promise<Pick<TelemetryStore, 'recordAt'>> {
  return new Promise((resolve) => {
    const store = createTelemetryStore({
      sensorId: leader._id,
      startUs: timeline.startTime,
      endUs: timeline.endTime,
      fetchPage: (from, to) =>
        ask<TelemetryPage>(`/sensors/telemetry/${leader.missionId}/${leader._id}`, {
          from: String(from),
          to: String(to - 1),
        }),
      fetchSet: () => Promise.reject(new Error('Nobody asks for sets before the player does')),
      onChange: () => resolve(store),
      now: () => performance.now(),
    });
    store.ensure(timeUs);
    if (!store.isLoading(timeUs)) resolve(store);
  });
}

function leaveBehind(root: HTMLElement): void {
  const watch = new MutationObserver(() => {
    watch.disconnect();
    setTimeout(removeFirstPicture, LEAVE_MS);
  });
  watch.observe(root, { childList: true });
}
