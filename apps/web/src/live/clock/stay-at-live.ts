/** How often the distance to live is looked at, ms. */
const LOOK_MS = 250;

/** Further behind its place than this it plays faster, the more the further. Seconds. */
const LAG_S = 0.1;
const RATE_MAX = 1.25;

/** Further behind than this it leaves pictures out: at the start the place that was chosen is some seconds old. */
const JUMP_S = 1;

/** What is kept ahead of the picture on screen, so that the next part may come late. Seconds. */
const AHEAD_S = 0.6;

/** So far behind although nothing newer was loaded: loading begins anew at live, but not again and again. */
const LOST_S = 4;
const LOAD_AGAIN_MS = 10_000;

type Place = {
  /** Behind the place that the list asks for; below zero: before it. Seconds. */
  lagS: number;
  /** Loaded ahead of the picture, seconds. */
  aheadS: number;
};

export type Step = { way: 'rate'; rate: number } | { way: 'leap' | 'load'; skipS: number };

/** What brings a picture back to its place: a higher rate, or a leap over what is loaded, or over what is not. */
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
 * and leaves a picture there that is more than some seconds behind.
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
