/** How often the distance to live is looked at, ms. */
const LOOK_MS = 250;

/** Later than its place by more than this it plays faster, in proportion. Seconds. */
const LAG_S = 0.1;
const RATE_MAX = 1.25;

/** Later than this it skips pictures: at the start the chosen place is some seconds old. */
const JUMP_S = 1;

/** Seconds to keep buffered after the picture on screen, so that the next part may come late. */
const AHEAD_S = 0.6;

/**
 * Delay, while nothing newer was loaded, from which loading restarts at live, seconds; and the least time between two
 * restarts.
 */
const LOST_S = 4;
const LOAD_AGAIN_MS = 10_000;

type Place = {
  /** Delay to the place that the list asks for; negative: earlier. Seconds. */
  lagS: number;
  /** Loaded ahead of the picture, seconds. */
  aheadS: number;
};

export type Step = { way: 'rate'; rate: number } | { way: 'leap' | 'load'; skipS: number };

/** Moves a picture back to its place: by a higher rate, or a jump within the buffer, or beyond it. */
export function stepToLive({ lagS, aheadS }: Place): Step {
  const loadedS = Math.min(lagS, aheadS - AHEAD_S);
  if (lagS > JUMP_S && loadedS > JUMP_S / 2) return { way: 'leap', skipS: loadedS };
  if (lagS > LOST_S) return { way: 'load', skipS: lagS };
  const isFaster = lagS > LAG_S && aheadS > AHEAD_S;
  return { way: 'rate', rate: isFaster ? Math.min(RATE_MAX, 1.05 + lagS * 0.2) : 1 };
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
export function stayAtLive({ video, live, isFollowing }: Options): () => void {
  let loadedAnewMs = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    const place = live();
    if (place === null || video.paused || video.seeking || video.readyState === 0) return;
    if (!isFollowing()) {
      video.playbackRate = 1;
      return;
    }
    const lagS = place - video.currentTime;
    const step = stepToLive({ lagS, aheadS: loadedAhead(video) });
    video.playbackRate = step.way === 'rate' ? step.rate : 1;
    if (step.way === 'leap') video.currentTime += step.skipS;
    if (step.way !== 'load' || performance.now() - loadedAnewMs < LOAD_AGAIN_MS) return;
    loadedAnewMs = performance.now();
    video.currentTime += step.skipS;
  }, LOOK_MS);
  return () => {
    clearInterval(timer);
    video.playbackRate = 1;
  };
}

/** To the end of all that is loaded: holes are leapt over. */
function loadedAhead({ buffered, currentTime }: HTMLVideoElement): number {
  return buffered.length > 0 ? buffered.end(buffered.length - 1) - currentTime : 0;
}
