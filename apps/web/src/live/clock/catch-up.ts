/** How often the distance to live is looked at, ms. */
const CHECK_MS = 100;

/** Seconds to keep buffered after the picture on screen, so that a late packet does not stop it. */
const TARGET_S = 0.2;
/** Above this it plays faster until only what is wanted is ahead; above the second it jumps. Seconds. */
const QUICKER_FROM_S = 0.3;
const JUMP_FROM_S = 1;
/** Minimum rate while catching up, so that the last step ends. */
const RATE_MIN = 1.1;
const RATE_MAX = 1.5;

type Place = {
  /** Loaded ahead of the picture, seconds. */
  bufferedAheadS: number;
  /** True while the picture plays faster, to come closer to live. */
  isCatchingUp: boolean;
};

export type CatchUpStep = { way: 'rate'; rate: number } | { way: 'jump' };

/** Moves a picture close to the end of its buffer: by a higher rate, and if that takes too long by a jump. */
export function stepToEnd({ bufferedAheadS, isCatchingUp }: Place): CatchUpStep {
  if (bufferedAheadS > JUMP_FROM_S) return { way: 'jump' };
  const isFar = bufferedAheadS > (isCatchingUp ? TARGET_S : QUICKER_FROM_S);
  return { way: 'rate', rate: isFar ? Math.min(RATE_MAX, RATE_MIN + bufferedAheadS - TARGET_S) : 1 };
}

/** Holds a picture close to the end of a short buffer. */
export function catchUp(video: HTMLVideoElement, bufferedEnd: () => number | null): () => void {
  const timer = setInterval(() => {
    const end = bufferedEnd();
    if (end === null) return;
    const start = video.buffered.length > 0 ? video.buffered.start(0) : end;
    const step = stepToEnd({ bufferedAheadS: end - video.currentTime, isCatchingUp: video.playbackRate > 1 });
    video.playbackRate = step.way === 'rate' ? step.rate : 1;
    // Very late after the page was asleep, or earlier than the first kept picture: a stream that begins later.
    if (step.way === 'jump' || video.currentTime < start) video.currentTime = Math.max(start, end - TARGET_S);
    // A refusal (page hidden) leaves it paused; it is asked again at the next look.
    if (video.paused) video.play().catch(() => video.pause());
  }, CHECK_MS);
  return () => clearInterval(timer);
}
