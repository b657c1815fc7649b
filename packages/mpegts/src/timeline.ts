/** Ticks per second of PTS and DTS (ISO/IEC 13818-1, 2.4.3.7). */
export const TICKS_PER_SECOND = 90_000;

/** Number of values of a 33-bit time, which wraps every 26.5 hours. */
const WRAP = 2 ** 33;

/** Maximum step ahead in ticks; a larger one means that the clock has jumped. */
const JUMP_AHEAD = 10 * TICKS_PER_SECOND;
/** Step ahead in ticks that counts as a jump if discontinuity_indicator announced one. */
const ANNOUNCED_JUMP = TICKS_PER_SECOND;
/** Maximum step back in ticks, due to reordered pictures, in streams that have only PTS. */
const REORDERING = TICKS_PER_SECOND;
/**
 * Maximum step back in ticks in a stream that has had no reordered pictures for `STEADY_PICTURES`, in case its encoder
 * starts reordering late.
 */
const LATE_REORDERING = TICKS_PER_SECOND / 4;
const STEADY_PICTURES = 50;
/** Maximum number of payloads of a stream that wait for the video to confirm a jump. */
const PENDING_MAX = 32;

/** An item whose time waits until the clock is certain. It is released with null ticks if its time is not plausible. */
export type Pending = { stamp: number; release(ticks: number | null, run: number): void };

/** Position of one stream on its program's clock. */
export type StreamClock = {
  /** Whether this stream is the leading video, whose clock jumps define those of the program. */
  leads: boolean;
  run: number;
  /** Time last put on the timeline, in 90 kHz ticks, without the wraps of the 33-bit counter. */
  ticks: number;
  started: boolean;
  /** Number of consecutive times that did not go back. */
  forward: number;
  pending: Pending[];
};

export function createStreamClock(leads: boolean): StreamClock {
  return { leads, run: 0, ticks: 0, started: false, forward: 0, pending: [] };
}

/** The clock of one program. */
export type Timeline = {
  /**
   * Places a 33-bit time of a stream on the clock. Returns true if `clock.ticks` and `clock.run` have been set
   * accordingly. Returns false if the next times are needed to decide; the item must then be passed to `hold`, and is
   * released later with its time.
   *
   * `stepsBack`: the stream's times are in presentation order, so they may go back a little.
   */
  place(clock: StreamClock, stamp: number, stepsBack: boolean): boolean;
  hold(clock: StreamClock, pending: Pending): void;
  /** Notes that the stream has announced a jump of the program clock. */
  announceJump(): void;
  /** Notes that another video now leads: its first times begin a new run, even if the clock continues. */
  handOver(): void;
  /** Releases the items of a stream that still wait, since the stream ends. */
  settle(clock: StreamClock): void;
  run(): number;
  /** Returns the time of the last picture; null before the first time of any stream. */
  lastTicks(): number | null;
};

/** Returns the signed distance from `ticks` to the 33-bit time `stamp`, the shorter way round. */
export function distance(stamp: number, ticks: number): number {
  const step = stamp - ticks;
  // Fast path if no wrap is involved, since computing a remainder costs more than everything else here.
  if (step >= -WRAP / 2 && step < WRAP / 2) return step;
  const forward = ((step % WRAP) + WRAP) % WRAP;
  return forward >= WRAP / 2 ? forward - WRAP : forward;
}

/**
 * Creates the clock of a program, which unwraps times and separates runs.
 *
 * A run ends when the DTS of the video goes back, or ahead by more than 10 s (1 s if announced). A single odd time may
 * be damage, so a jump is accepted only when the next time of the stream agrees with it; the odd time waits until then.
 */
export function createTimeline(onJump: () => void): Timeline {
  let run = 0;
  /** Last time placed by the video of the current run (`current`), and end of the previous run (`previous`). */
  let current: number | null = null;
  let previous: number | null = null;
  let currentIsVideo = false;
  let announced = false;
  let handedOver = false;
  const waiting = new Set<StreamClock>();

  function place(clock: StreamClock, stamp: number, stepsBack: boolean): boolean {
    return clock.leads ? placeLeader(clock, stamp, stepsBack) : placeFollower(clock, stamp);
  }

  function hold(clock: StreamClock, pending: Pending) {
    clock.pending.push(pending);
    waiting.add(clock);
    if (clock.pending.length > PENDING_MAX) releaseFirst(clock);
  }

  function placeLeader(clock: StreamClock, stamp: number, stepsBack: boolean): boolean {
    if (current === null || (!currentIsVideo && !isNear(stamp, current))) return start(clock, stamp);
    if (handedOver) return placeSuccessor(clock, stamp, stepsBack);
    const behind = !clock.started || clock.run < run;
    if (behind && isNear(stamp, current) && !goesBack(stamp)) return join(clock, stamp);

    const step = clock.started ? distance(stamp, clock.ticks) : Number.POSITIVE_INFINITY;
    const limit = announced && clock.run === run ? ANNOUNCED_JUMP : JUMP_AHEAD;
    if (step >= (stepsBack ? -reordering(clock) : 0) && step <= limit) {
      clock.forward = step < 0 ? 0 : clock.forward + 1;
      if (clock.pending.length > 0) release(clock, (pending) => pending.release(null, clock.run));
      if (clock.run === run) announced = false;
      return set(clock, clock.ticks + step);
    }
    if (announced) return jump(clock, stamp);
    const pending = clock.pending[0];
    if (pending && isStep(distance(stamp, pending.stamp), stepsBack)) return jump(clock, stamp);
    release(clock, (odd) => odd.release(null, clock.run));
    return false;
  }

  /**
   * While a time that may be a jump back is waiting, the next ones do not count as reordering of the pictures before
   * it.
   */
  function reordering({ forward, pending }: StreamClock): number {
    if (forward < STEADY_PICTURES) return REORDERING;
    return pending.length > 0 ? 0 : LATE_REORDERING;
  }

  /**
   * The first times of a video whose reader is new may be earlier than those of KLV that came first, but not earlier
   * than those of the pictures before it.
   */
  function goesBack(stamp: number): boolean {
    return currentIsVideo && distance(stamp, current!) < -REORDERING;
  }

  /** Places times of a video that took over the lead; a run begins once two of its times agree. */
  function placeSuccessor(clock: StreamClock, stamp: number, stepsBack: boolean): boolean {
    const pending = clock.pending[0];
    if (pending && isStep(distance(stamp, pending.stamp), stepsBack)) return beginRun(clock, stamp);
    release(clock, (odd) => odd.release(null, clock.run));
    return false;
  }

  /**
   * Places a time of a stream other than the leading video. A time near the video's belongs to the video's run; a
   * stream with a clock of its own is left unchanged.
   */
  function placeFollower(clock: StreamClock, stamp: number): boolean {
    if (!currentIsVideo) return placeAlone(clock, stamp);
    // The run to which this time belongs is known only once the next video has begun.
    if (handedOver && isNear(stamp, current!)) return false;
    if (isNear(stamp, current!)) return join(clock, stamp);
    if (run > 0 && previous !== null && isNear(stamp, previous)) {
      clock.run = run - 1;
      clock.ticks = previous + distance(stamp, previous);
      return true;
    }
    const step = clock.started ? distance(stamp, clock.ticks) : Number.POSITIVE_INFINITY;
    if (!isStep(step, true) || clock.pending.length > 0) return false;
    clock.ticks += step;
    return true;
  }

  /** Places a time of KLV in a program that has had no pictures so far: KLV leads. */
  function placeAlone(clock: StreamClock, stamp: number): boolean {
    if (current === null) return start(clock, stamp);
    if ((!clock.started || clock.run < run) && isNear(stamp, current)) return join(clock, stamp);
    const step = clock.started ? distance(stamp, clock.ticks) : Number.POSITIVE_INFINITY;
    if (isStep(step, true)) {
      release(clock, (pending) => pending.release(null, clock.run));
      return set(clock, clock.ticks + step);
    }
    const pending = clock.pending[0];
    if (pending && isStep(distance(stamp, pending.stamp), true)) return jump(clock, stamp);
    release(clock, (odd) => odd.release(null, clock.run));
    return false;
  }

  function start(clock: StreamClock, ticks: number): boolean {
    clock.run = run;
    clock.started = true;
    return set(clock, ticks);
  }

  function join(clock: StreamClock, stamp: number): boolean {
    clock.run = run;
    clock.started = true;
    if (clock.pending.length > 0) releaseNear(clock);
    return set(clock, current! + distance(stamp, current!));
  }

  function set(clock: StreamClock, ticks: number): boolean {
    clock.ticks = ticks;
    if (clock.run === run && (clock.leads || !currentIsVideo)) {
      current = ticks;
      currentIsVideo = clock.leads;
    }
    return true;
  }

  function jump(clock: StreamClock, stamp: number): boolean {
    onJump();
    return beginRun(clock, stamp);
  }

  function beginRun(clock: StreamClock, stamp: number): boolean {
    const first = clock.pending[0];
    const start = first && Math.abs(distance(stamp, first.stamp)) <= JUMP_AHEAD ? first.stamp : stamp;
    run++;
    previous = current;
    announced = false;
    handedOver = false;
    current = current !== null && isNear(start, current) ? current + distance(start, current) : start;
    clock.run = run;
    clock.started = true;
    releaseNear(clock);
    for (const other of waiting) if (other !== clock) releaseNear(other);
    return set(clock, current + distance(stamp, current));
  }

  /**
   * Releases held times. Those near the current time join the current run; the others are released without a time, as
   * damaged.
   */
  function releaseNear(clock: StreamClock) {
    release(clock, (pending) => {
      if (!isNear(pending.stamp, current!)) return pending.release(null, clock.run);
      clock.run = run;
      clock.started = true;
      clock.ticks = current! + distance(pending.stamp, current!);
      pending.release(clock.ticks, run);
    });
  }

  function release(clock: StreamClock, how: (pending: Pending) => void) {
    if (clock.pending.length === 0) return;
    const pending = clock.pending;
    clock.pending = [];
    waiting.delete(clock);
    for (const each of pending) how(each);
  }

  /**
   * Releases the first held time after the video made no jump: if the next time agrees with it, this stream has a clock
   * of its own; otherwise the time is damaged.
   */
  function releaseFirst(clock: StreamClock) {
    const first = clock.pending[0]!;
    if (!isStep(distance(clock.pending[1]!.stamp, first.stamp), true)) {
      clock.pending.shift();
      first.release(null, clock.run);
      return;
    }
    clock.ticks = first.stamp;
    clock.run = run;
    clock.started = true;
    release(clock, (pending) => releaseInStep(clock, pending));
  }

  function releaseInStep(clock: StreamClock, pending: Pending) {
    const step = distance(pending.stamp, clock.ticks);
    if (!isStep(step, true)) return pending.release(null, clock.run);
    clock.ticks += step;
    pending.release(clock.ticks, clock.run);
  }

  function settle(clock: StreamClock) {
    while (clock.pending.length > 1) releaseFirst(clock);
    release(clock, (pending) => pending.release(null, clock.run));
  }

  return {
    place,
    hold,
    announceJump: () => {
      announced = current !== null;
    },
    handOver: () => {
      handedOver = currentIsVideo;
    },
    settle,
    run: () => run,
    lastTicks: () => current,
  };
}

function isNear(stamp: number, ticks: number): boolean {
  return Math.abs(distance(stamp, ticks)) <= JUMP_AHEAD;
}

function isStep(step: number, stepsBack: boolean): boolean {
  return step >= (stepsBack ? -REORDERING : 0) && step <= JUMP_AHEAD;
}
