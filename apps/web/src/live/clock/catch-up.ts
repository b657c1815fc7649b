/** Interval in milliseconds at which the distance to live is checked. */
const CHECK_MS = 100;

/**
 * Target for the seconds that are buffered ahead of the picture on screen, so that a late packet does not stop
 * playback.
 */
const TARGET_S = 0.2;
/**
 * If more seconds than this are buffered ahead, playback is faster until only TARGET_S remain; above JUMP_FROM_S, it
 * jumps.
 */
const QUICKER_FROM_S = 0.3;
const JUMP_FROM_S = 1;
/** Minimum playback rate while catching up, so that catching up ends. */
const RATE_MIN = 1.1;
const RATE_MAX = 1.5;

type Place = {
  /** Seconds buffered ahead of the picture. */
  bufferedAheadS: number;
  /** True while playback is faster, to come closer to live. */
  isCatchingUp: boolean;
};

export type CatchUpStep = { way: 'rate'; rate: number } | { way: 'jump' };

/**
 * Returns the step that moves the picture close to the end of its buffer: a higher rate, or a jump if a higher rate
 * would take too long.
 */
export function stepToEnd({ bufferedAheadS, isCatchingUp }: Place): CatchUpStep {
  if (bufferedAheadS > JUMP_FROM_S) return { way: 'jump' };
  const isFar = bufferedAheadS > (isCatchingUp ? TARGET_S : QUICKER_FROM_S);
  return { way: 'rate', rate: isFar ? Math.min(RATE_MAX, RATE_MIN + bufferedAheadS - TARGET_S) : 1 };
}

/** Keeps the picture close to the end of a short buffer. Returns a function that stops this. */
export function catchUp(video: HTMLVideoElement, bufferedEnd: () => number | null): () => void {
  const timer = setInterval(() => {
    const end = bufferedEnd();
    if (end === null) return;
    const start = video.buffered.length > 0 ? video.buffered.start(0) : end;
    const step = stepToEnd({ bufferedAheadS: end - video.currentTime, isCatchingUp: video.playbackRate > 1 });
    video.playbackRate = step.way === 'rate' ? step.rate : 1;
    // Jump if the picture is very late, for example after the page was suspended, or if it is before the first buffered
    // picture, because the stream begins later.
    if (step.way === 'jump' || video.currentTime < start) video.currentTime = Math.max(start, end - TARGET_S);
    // If playing is refused because the page is hidden, the video stays paused; the next check tries again.
    if (video.paused) video.play().catch(() => video.pause());
  }, CHECK_MS);
  return () => clearInterval(timer);
}
