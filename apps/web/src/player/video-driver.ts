import type { ClockMember } from '../onscreen/clock/members.ts';
import { createFrameSteps, frameLengthS, INSIDE_FRAME_S, type Stretch } from './frames/frame-steps.ts';
import { type ShownPicture, watchFrames } from './frames/frame-watch.ts';
import { createPictureSeek } from './frames/picture-seek.ts';
import type { TimeMap } from './hls/time-map.ts';

/** Minimum duration of a picture: recordings have at most 240 pictures a second. */
const LEAST_FRAME_S = 1 / 240;

type Deps = {
  id: string;
  video: HTMLVideoElement;
  map: TimeMap;
  /** In the animation frame in which the frame is shown. */
  onFrame: (timeUs: number) => void;
  /** The moment asked for has no recording, or has one again. */
  onCovered: (covered: boolean) => void;
};

type VideoDriver = ClockMember & {
  /** hls.js has found the distance of its media time to the PTS of a discontinuity. */
  setZero: (discontinuity: number, ticks: number) => void;
  /** UTC of the frame on screen. */
  frameUs: () => number | null;
  stop: () => void;
};

/** Lets one video element follow the mission clock, frame by frame. */
export function createVideoDriver({ id, video, map, onFrame, onCovered }: Deps): VideoDriver {
  /** The moment to pause at while the element has not got there yet. */
  let requestedUs: number | null = null;
  /** Sought by a guess of its place, to be corrected when the run's zero is known. */
  let guessed = false;
  let covered = true;
  let mediaTime: number | null = null;
  /** The rate that a recording states may be too low: pictures that were seen closer together say so. */
  let frameS = frameLengthS(map.timeline.frameRate);
  let announcedBefore: number | null = null;
  const seek = createPictureSeek({ video, shown: () => mediaTime, frameS: () => frameS });
  let stepping = false;
  const steps = createFrameSteps({
    pictureAt: async (place) => (stepping ? seek.pictureAt(place) : null),
    buffered: () => stretchesOf(video.buffered),
    frameS: () => frameS,
    now: () => performance.now(),
  });

  function onShown({ mediaTime: shown }: ShownPicture, announced: number) {
    const apartS = Math.abs(announced - (announcedBefore ?? announced));
    // Much less is the seam of two files.
    if (apartS > frameS / 3) frameS = Math.min(frameS, Math.max(apartS, LEAST_FRAME_S));
    announcedBefore = announced;
    mediaTime = shown;
    const timeUs = map.timeOf(shown);
    if (timeUs !== null) onFrame(timeUs);
    seek.notify();
  }
  const stopWatch = watchFrames({ video, frameS: () => frameS, onShown });

  function goTo(timeUs: number) {
    const target = map.mediaTimeOf(timeUs);
    if (target === null) return;
    endStep();
    requestedUs = timeUs;
    guessed = !map.isKnown(timeUs);
    // One seek at a time: while one runs, the newest wish waits for it to end.
    if (!video.seeking && video.readyState > 0) apply(target);
  }

  function apply(target: number) {
    const at = target + INSIDE_FRAME_S;
    const isThere = Math.abs(video.currentTime - at) < 1e-6;
    // An element that loaded before shows a picture that was not announced: a seek announces it.
    if ((isThere && mediaTime !== null) || (isShown(at) && isShown(video.currentTime))) requestedUs = null;
    else video.currentTime = at;
  }

  /** The frame on screen lasts over this place. Under load the screen lags the element's playing position. */
  const isShown = (at: number) => mediaTime !== null && at >= mediaTime && at < mediaTime + frameS - INSIDE_FRAME_S;

  function onArrived() {
    if (requestedUs === null) return;
    const target = map.mediaTimeOf(requestedUs);
    if (target === null) return;
    if (Math.abs(video.currentTime - target - INSIDE_FRAME_S) > 1e-4) apply(target);
    else if (!guessed) requestedUs = null;
  }
  video.addEventListener('seeked', onArrived);
  video.addEventListener('loadedmetadata', onArrived);

  function setCovered(next: boolean) {
    if (next === covered) return;
    covered = next;
    onCovered(next);
  }

  async function step(direction: 1 | -1): Promise<number | null> {
    if (mediaTime === null) return null;
    video.pause();
    stepping = true;
    const from = await standing();
    if (from === null) return null;
    const found = direction === 1 ? await steps.on(from, lengthS()) : await steps.back(from, startS());
    return found === null ? null : map.timeOf(found);
  }

  /** Ends stepping by frame, because a seek or playback was requested. */
  function endStep() {
    stepping = false;
    seek.leave();
  }

  const lengthS = () => (Number.isFinite(video.duration) ? video.duration : Number.POSITIVE_INFINITY);
  /**
   * Just after the last run: another member with pictures leads, else the clock stops. Its media time may end a tick
   * before.
   */
  const behindEndUs = () => (map.timeline.runs.at(-1)?.endTime ?? 0) + 1;
  const startS = () => map.mediaTimeOf(map.timeline.runs[0]?.startTime ?? 0) ?? 0;

  /** The picture that is stepped from: that of a seek which is still under way, else the one on screen. */
  async function standing(): Promise<number | null> {
    const seekTarget = requestedUs === null ? null : map.mediaTimeOf(requestedUs);
    requestedUs = null;
    if (seekTarget === null || isShown(seekTarget + INSIDE_FRAME_S)) return mediaTime;
    return seek.pictureAt(seekTarget + INSIDE_FRAME_S);
  }

  return {
    id,
    covers: map.covers,
    nextCovered: map.nextCovered,
    lastCovered: map.lastCovered,
    nowUs() {
      if (requestedUs !== null) return requestedUs;
      if (video.ended) return behindEndUs();
      return video.readyState > 0 ? map.timeOf(video.currentTime) : null;
    },
    frameUs: () => (mediaTime === null ? null : map.timeOf(mediaTime)),
    isReady: () =>
      !video.seeking && requestedUs === null && (video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA || video.ended),
    show(timeUs) {
      video.pause();
      setCovered(map.covers(timeUs));
      goTo(timeUs);
    },
    play(rate) {
      setCovered(true);
      endStep();
      if (video.playbackRate !== rate) video.playbackRate = rate;
      // A refusal (page hidden, element gone) leaves it paused; the clock asks again at its next look.
      if (video.paused && !video.ended) video.play().catch(() => video.pause());
    },
    pause() {
      if (!video.paused) video.pause();
    },
    miss() {
      if (!video.paused) video.pause();
      setCovered(false);
    },
    step,
    setZero(discontinuity, ticks) {
      map.setZero(discontinuity, ticks);
      if (guessed && requestedUs !== null && map.isKnown(requestedUs)) {
        guessed = false;
        onArrived();
      }
    },
    stop() {
      stopWatch();
      video.removeEventListener('seeked', onArrived);
      video.removeEventListener('loadedmetadata', onArrived);
      endStep();
    },
  };
}

const stretchesOf = (ranges: TimeRanges): Stretch[] =>
  Array.from({ length: ranges.length }, (_, index) => ({ from: ranges.start(index), to: ranges.end(index) }));
