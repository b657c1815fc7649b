import type { ClockMember } from '../clock/members.ts';
import { watchFrames } from './frameWatch.ts';
import type { TimeMap } from './timeMap.ts';

/** Behind a frame's own time by this, a seek cannot round to the frame before. Seconds. */
const INSIDE_FRAME_S = 0.001;

/** A step that shows no other frame within this after its seek has ended is at an end. */
const STEP_LIMIT_MS = 1500;

/** Until frames were seen and where the recording does not say. Seconds. */
const USUAL_FRAME_S = 1 / 30;

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
  /** hls.js has found how its media time lies to the PTS of a discontinuity. */
  setZero: (discontinuity: number, ticks: number) => void;
  /** UTC of the frame on screen. */
  frameUs: () => number | null;
  stop: () => void;
};

/** Lets one video element follow the mission clock, frame by frame. */
export function createVideoDriver({ id, video, map, onFrame, onCovered }: Deps): VideoDriver {
  /** The moment to stand at while the element has not got there yet. */
  let wantedUs: number | null = null;
  /** Sought by a guess of its place, to be corrected when the run's zero is known. */
  let guessed = false;
  let covered = true;
  let mediaTime: number | null = null;
  let frameS = map.timeline.frameRate ? 1 / map.timeline.frameRate : USUAL_FRAME_S;
  const frameListeners = new Set<() => void>();

  function onShown(shown: number) {
    if (mediaTime !== null && shown > mediaTime && map.timeline.frameRate === null) {
      frameS = Math.min(frameS, Math.max(shown - mediaTime, 1 / 240));
    }
    mediaTime = shown;
    const timeUs = map.timeOf(shown);
    if (timeUs !== null) onFrame(timeUs);
    for (const listener of [...frameListeners]) listener();
  }
  const stopWatch = watchFrames({ video, frameS: () => frameS, onShown: ({ mediaTime: shown }) => onShown(shown) });

  function goTo(timeUs: number) {
    const target = map.mediaTimeOf(timeUs);
    if (target === null) return;
    wantedUs = timeUs;
    guessed = !map.isKnown(timeUs);
    // One seek at a time: while one runs, the newest wish waits for it to end.
    if (!video.seeking && video.readyState > 0) apply(target);
  }

  function apply(target: number) {
    const at = target + INSIDE_FRAME_S;
    if (Math.abs(video.currentTime - at) < 1e-6 || (isShown(at) && isShown(video.currentTime))) wantedUs = null;
    else video.currentTime = at;
  }

  /** The frame on screen lasts over this place. Under load the screen lags behind what the element says it plays. */
  const isShown = (at: number) => mediaTime !== null && at >= mediaTime && at < mediaTime + frameS - INSIDE_FRAME_S;

  function onArrived() {
    if (wantedUs === null) return;
    const target = map.mediaTimeOf(wantedUs);
    if (target === null) return;
    if (Math.abs(video.currentTime - target - INSIDE_FRAME_S) > 1e-4) apply(target);
    else if (!guessed) wantedUs = null;
  }
  video.addEventListener('seeked', onArrived);
  video.addEventListener('loadedmetadata', onArrived);

  function setCovered(next: boolean) {
    if (next === covered) return;
    covered = next;
    onCovered(next);
  }

  /** Waits for a frame other than the one on screen. */
  function nextFrame(): Promise<boolean> {
    const before = mediaTime;
    return new Promise((resolve) => {
      const finish = (seen: boolean) => {
        clearTimeout(timer);
        frameListeners.delete(look);
        resolve(seen);
      };
      const look = () => {
        if (mediaTime !== before) finish(true);
      };
      // Under load a seek alone may take longer: it is not an end.
      const giveUp = () => {
        if (video.seeking) timer = setTimeout(giveUp, STEP_LIMIT_MS);
        else finish(false);
      };
      let timer = setTimeout(giveUp, STEP_LIMIT_MS);
      frameListeners.add(look);
    });
  }

  async function step(direction: 1 | -1): Promise<number | null> {
    if (mediaTime === null) return null;
    wantedUs = null;
    video.pause();
    const from = mediaTime;
    const target = from + (direction === 1 ? 1.5 : -0.5) * frameS;
    if (target < 0 || target > video.duration) return null;
    const arrived = nextFrame();
    video.currentTime = target;
    if (!(await arrived)) return null;
    return mediaTime === null ? null : map.timeOf(mediaTime);
  }

  return {
    id,
    covers: map.covers,
    nextCovered: map.nextCovered,
    nowUs: () => wantedUs ?? (video.readyState > 0 ? map.timeOf(video.currentTime) : null),
    frameUs: () => (mediaTime === null ? null : map.timeOf(mediaTime)),
    isReady: () =>
      !video.seeking && wantedUs === null && (video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA || video.ended),
    show(timeUs) {
      video.pause();
      setCovered(map.covers(timeUs));
      goTo(timeUs);
    },
    play(rate) {
      setCovered(true);
      if (video.playbackRate !== rate) video.playbackRate = rate;
      // A refusal (page hidden, element gone) leaves it paused; the clock asks again at its next look.
      if (video.paused && !video.ended) video.play().catch(() => video.pause());
    },
    pause() {
      if (!video.paused) video.pause();
    },
    step,
    setZero(discontinuity, ticks) {
      map.setZero(discontinuity, ticks);
      if (guessed && wantedUs !== null && map.isKnown(wantedUs)) {
        guessed = false;
        onArrived();
      }
    },
    stop() {
      stopWatch();
      video.removeEventListener('seeked', onArrived);
      video.removeEventListener('loadedmetadata', onArrived);
      frameListeners.clear();
    },
  };
}
