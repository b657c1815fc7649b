/** Interval in milliseconds at which the distance to live is checked. */
const CHECK_MS = 250;

/** Delay in seconds above which playback is faster, in proportion to the delay. */
const LATENCY_S = 0.1;
const RATE_MAX = 1.25;

/** Delay in seconds above which pictures are skipped: at the start, the position is some seconds late. */
const JUMP_S = 1;

/** Target for the seconds that are buffered ahead of the picture on screen, so that the next part may arrive late. */
const BUFFERED_AHEAD_S = 0.6;

/**
 * Delay in seconds above which loading restarts at live if nothing newer has been loaded. RELOAD_INTERVAL_MS: minimum time
 * between two restarts, in milliseconds.
 */
const LOST_S = 4;
const RELOAD_INTERVAL_MS = 10_000;

type Place = {
  /** Delay in seconds relative to the position that the playlist requests; negative if the picture is too early. */
  latencyS: number;
  /** Seconds buffered ahead of the picture. */
  bufferedAheadS: number;
};

export type Step = { way: 'rate'; rate: number } | { way: 'seek' | 'load'; skipS: number };

/**
 * Returns the step that moves the picture back to its position: a higher rate, or a jump within the buffer or beyond
 * it.
 */
export function stepToLive({ latencyS, bufferedAheadS }: Place): Step {
  const loadedS = Math.min(latencyS, bufferedAheadS - BUFFERED_AHEAD_S);
  if (latencyS > JUMP_S && loadedS > JUMP_S / 2) return { way: 'seek', skipS: loadedS };
  if (latencyS > LOST_S) return { way: 'load', skipS: latencyS };
  const isFaster = latencyS > LATENCY_S && bufferedAheadS > BUFFERED_AHEAD_S;
  return { way: 'rate', rate: isFaster ? Math.min(RATE_MAX, 1.05 + latencyS * 0.2) : 1 };
}

type Options = {
  video: HTMLVideoElement;
  /** Returns the position that counts as live, in media seconds; null while unknown. */
  live: () => number | null;
  isFollowing: () => boolean;
};

/**
 * Keeps the picture at the position that its playlist defines as live. The player library itself starts where live was
 * when the playlist was requested, and does not correct a picture that is more than some seconds late.
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
    if (step.way !== 'load' || performance.now() - loadedAnewMs < RELOAD_INTERVAL_MS) return;
    loadedAnewMs = performance.now();
    video.currentTime += step.skipS;
  }, CHECK_MS);
  return () => {
    clearInterval(timer);
    video.playbackRate = 1;
  };
}

/** Returns the seconds up to the end of all buffered ranges, since gaps between them are skipped. */
function bufferedAhead({ buffered, currentTime }: HTMLVideoElement): number {
  return buffered.length > 0 ? buffered.end(buffered.length - 1) - currentTime : 0;
}
