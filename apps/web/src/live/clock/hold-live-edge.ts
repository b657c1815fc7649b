/** How often the distance to live is looked at, ms. */
const CHECK_MS = 250;

/** Later than its place by more than this it plays faster, in proportion. Seconds. */
const LATENCY_S = 0.1;
const RATE_MAX = 1.25;

/** Later than this it skips pictures: at the start the chosen place is some seconds old. */
const JUMP_S = 1;

/** Seconds to keep buffered after the picture on screen, so that the next part may come late. */
const BUFFERED_AHEAD_S = 0.6;

/**
 * Delay, while nothing newer was loaded, from which loading restarts at live, seconds; and the least time between two
 * restarts.
 */
const LOST_S = 4;
const LOAD_AGAIN_MS = 10_000;

type Place = {
  /** Delay to the place that the list asks for; negative: earlier. Seconds. */
  latencyS: number;
  /** Loaded ahead of the picture, seconds. */
  bufferedAheadS: number;
};

export type Step = { way: 'rate'; rate: number } | { way: 'seek' | 'load'; skipS: number };

/** Moves a picture back to its place: by a higher rate, or a jump within the buffer, or beyond it. */
export function stepToLive({ latencyS, bufferedAheadS }: Place): Step {
  const loadedS = Math.min(latencyS, bufferedAheadS - BUFFERED_AHEAD_S);
  if (latencyS > JUMP_S && loadedS > JUMP_S / 2) return { way: 'seek', skipS: loadedS };
  if (latencyS > LOST_S) return { way: 'load', skipS: latencyS };
  const isFaster = latencyS > LATENCY_S && bufferedAheadS > BUFFERED_AHEAD_S;
  return { way: 'rate', rate: isFaster ? Math.min(RATE_MAX, 1.05 + latencyS * 0.2) : 1 };
}

type Options = {
  video: HTMLVideoElement;
  /** Where live is played, media seconds; null while not known. */
  live: () => number | null;
  isFollowing: () => boolean;
};

/**
 * Keeps a picture where its list says that live is played. The player's own way begins where live was when it asked,
 * and leaves a picture there that is more than some seconds late.
 */
export function holdLiveEdge({ video, live, isFollowing }: Options): () => void {
  let loadedAnewMs = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    const place = live();
    if (place === null || video.paused || video.seeking || video.readyState === 0) return;
    if (!isFollowing()) {
      video.playbackRate = 1;
      return;
    }
    const latencyS = place - video.currentTime;
    const step = stepToLive({ latencyS, bufferedAheadS: bufferedAhead(video) });
    video.playbackRate = step.way === 'rate' ? step.rate : 1;
    if (step.way === 'seek') video.currentTime += step.skipS;
    if (step.way !== 'load' || performance.now() - loadedAnewMs < LOAD_AGAIN_MS) return;
    loadedAnewMs = performance.now();
    video.currentTime += step.skipS;
  }, CHECK_MS);
  return () => {
    clearInterval(timer);
    video.playbackRate = 1;
  };
}

/** To the end of all that is loaded: holes are leapt over. */
function bufferedAhead({ buffered, currentTime }: HTMLVideoElement): number {
  return buffered.length > 0 ? buffered.end(buffered.length - 1) - currentTime : 0;
}
