import type { ClockMember } from '../onscreen/clock/members.ts';
import { createFrameSteps, frameLengthS, INSIDE_FRAME_S, type Stretch } from './frames/frame-steps.ts';
import { type ShownPicture, watchFrames } from './frames/frame-watch.ts';
import { createPictureSeek } from './frames/picture-seek.ts';
import type { TimeMap } from './hls/time-map.ts';

/** Minimum duration of a picture in seconds: recordings have at most 240 pictures per second. */
const FRAME_MIN_S = 1 / 240;

type Deps = {
  id: string;
  video: HTMLVideoElement;
  map: TimeMap;
  /** In the animation frame in which the frame is shown. */
  onFrame: (timeUs: number) => void;
  /** Called when the requested moment has no recording, or has one again. */
  onCovered: (covered: boolean) => void;
};

type VideoDriver = ClockMember & {
  /** Sets the PTS of media time zero at a discontinuity, as determined by hls.js. */
  setZero: (discontinuity: number, ticks: number) => void;
  /** Returns the UTC time of the frame on screen. */
  frameUs: () => number | null;
  stop: () => void;
};

/** Creates a member of the mission clock for one video element, which reports each shown frame. */
export function createVideoDriver({ id, video, map, onFrame, onCovered }: Deps): VideoDriver {
  /** Moment at which to pause, until the element has reached it; null if there is none. */
  let requestedUs: number | null = null;
  /** The seek used an estimated position, which has to be corrected once the run's zero is known. */
  let guessed = false;
  let covered = true;
  let mediaTime: number | null = null;
  /**
   * Duration of a frame in seconds. The frame rate stated by a recording may be too low, so the duration is reduced
   * when pictures are observed closer together.
   */
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
    // A much shorter distance is the boundary between two files.
    if (apartS > frameS / 3) frameS = Math.min(frameS, Math.max(apartS, FRAME_MIN_S));
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
    // Only one seek runs at a time; the newest request waits for it to end.
    if (!video.seeking && video.readyState > 0) apply(target);
  }

  function apply(target: number) {
    const at = target + INSIDE_FRAME_S;
    const isThere = Math.abs(video.currentTime - at) < 1e-6;
    // An element that was loaded before shows a picture that was not announced; a seek causes the announcement.
    if ((isThere && mediaTime !== null) || (isShown(at) && isShown(video.currentTime))) requestedUs = null;
    else video.currentTime = at;
  }

  /**
   * Returns whether the frame on screen covers this position. Under load, the screen lags behind the element's playing
   * position.
   */
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
   * Moment just after the last run, at which another member with pictures takes the lead, or else the clock stops. The
   * media time may end one tick earlier.
   */
  const behindEndUs = () => (map.timeline.runs.at(-1)?.endTime ?? 0) + 1;
  const startS = () => map.mediaTimeOf(map.timeline.runs[0]?.startTime ?? 0) ?? 0;

  /** Returns the picture from which to step: the target of a seek in progress, else the one on screen. */
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
      // If the browser refuses (page hidden, element removed), the video remains paused, and the clock tries again at
      // its next look.
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
