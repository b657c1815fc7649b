/** Clock of PTS and DTS (ISO/IEC 13818-1, 2.4.3.7). */
export const TICKS_PER_SECOND = 90_000;

/** Times have 33 bits: they start again every 26.5 hours. */
const WRAP = 2 ** 33;

/** Ticks ahead beyond which the clock has jumped. */
const JUMP_AHEAD = 10 * TICKS_PER_SECOND;
/** Ticks ahead that count as a jump where discontinuity_indicator has announced one. */
const ANNOUNCED_JUMP = TICKS_PER_SECOND;
/** Ticks by which times may go back in streams that write only PTS, since pictures are reordered. */
const REORDERING = TICKS_PER_SECOND;
/** As far back as pictures are reordered in a stream that has shown none for this many: its encoder begins late to do so. */
const LATE_REORDERING = TICKS_PER_SECOND / 4;
const STEADY_PICTURES = 50;
/** Number of payloads of a stream that wait for the video to confirm a jump. */
const PENDING_MAX = 32;

/** Something with a time that waits until the clock is certain; null ticks: the time is not plausible. */
export type Pending = { stamp: number; release(ticks: number | null, run: number): void };

/** Position of one stream on the clock of its program. */
export type StreamClock = {
  /** Whether this stream is the leading video, whose jumps are the jumps of the program. */
  leads: boolean;
  run: number;
  /** Unwrapped time placed last. */
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
   * Places a 33-bit time of a stream: true when `clock.ticks` and `clock.run` hold it now; false when it must
   * wait for the next ones: then give it to `hold`, and it is released later with the time found.
   *
   * `stepsBack`: the stream writes times in the order of showing, so they may go back a little.
   */
  place(clock: StreamClock, stamp: number, stepsBack: boolean): boolean;
  hold(clock: StreamClock, pending: Pending): void;
  /** Notes that the stream announced a jump of the program clock. */
  announceJump(): void;
  /** Notes that another video leads: its first times begin a run, even where the clock goes on. */
  handOver(): void;
  /** Releases what still waits on a stream that ends. */
  settle(clock: StreamClock): void;
  run(): number;
  /** Time of the last picture, null before the first time of any stream. */
  lastTicks(): number | null;
};

/** Signed distance from `ticks` to the 33-bit `stamp`, the shorter way round. */
export function distance(stamp: number, ticks: number): number {
  const step = stamp - ticks;
  // Before the first wrap, and where the 33 bits are not yet unwrapped further: a remainder costs more than all else here.
  if (step >= -WRAP / 2 && step < WRAP / 2) return step;
  const forward = ((step % WRAP) + WRAP) % WRAP;
  return forward >= WRAP / 2 ? forward - WRAP : forward;
}

/**
 * Makes the clock of a program: it unwraps times and separates its runs.
 *
 * A run ends where the video's DTS goes back, or ahead by more than 10 s (1 s when announced). One odd time may be
 * damage, so a jump counts once the next time of the stream agrees with it; the odd one waits till then.
 */
export function createTimeline(onJump: () => void): Timeline {
  let run = 0;
  /** Time placed last by the video of the current run, and where the run before it ended. */
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

  /** While a time waits that may be a jump back, the next ones are no reordering of the pictures before it. */
  function reordering({ forward, pending }: StreamClock): number {
    if (forward < STEADY_PICTURES) return REORDERING;
    return pending.length > 0 ? 0 : LATE_REORDERING;
  }

  /** A video whose reader is new may be earlier than KLV that came first, but not than the pictures before it. */
  function goesBack(stamp: number): boolean {
    return currentIsVideo && distance(stamp, current!) < -REORDERING;
  }

  /** The video that took over, until two of its times agree. */
  function placeSuccessor(clock: StreamClock, stamp: number, stepsBack: boolean): boolean {
    const pending = clock.pending[0];
    if (pending && isStep(distance(stamp, pending.stamp), stepsBack)) return beginRun(clock, stamp);
    release(clock, (odd) => odd.release(null, clock.run));
    return false;
  }

  /**
   * Places a stamp of a stream other than the leading video: near the video it takes the video's run; a clock of its
   * own is left alone.
   */
  function placeFollower(clock: StreamClock, stamp: number): boolean {
    if (!currentIsVideo) return placeAlone(clock, stamp);
    // Which run it belongs to is known once the next video has begun.
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

  /** A program without pictures so far: KLV leads. */
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

  /** Held times near the current one join the current run; the others are discarded as damage. */
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

  /** No jump of the video came: when the next ones agree this stream has a clock of its own, else the time is damaged. */
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
