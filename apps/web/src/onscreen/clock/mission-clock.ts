import type { ClockMember, ClockState } from './members.ts';
import { createSteering, SEEK_DRIFT_US, SETTLE_MS } from './steering.ts';

/** Playing speeds offered; 1 is real time. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;

/**
 * Maximum difference between the advance of the leading sensor and the time it can have played since the last look, in
 * microseconds. A greater one means that it jumped over a gap.
 */
const JUMP_US = 1_000_000;

type Deps = {
  startUs: number;
  endUs: number;
  timeUs?: number | null;
  /** Sensor that becomes the leading one as soon as it joins, even after others, until the user chooses. */
  preferred?: string | null;
  /** Returns the time of a monotonic clock in milliseconds. */
  now: () => number;
  /** Schedules one look before the next paint; returns a function that cancels it. */
  onNextPaint: (tick: () => void) => () => void;
};

/** Cause of a new time: a call asked for it, or playback reached it. */
type TimeCause = 'asked' | 'playing';

type TimeListener = (timeUs: number, by: TimeCause) => void;

export type MissionClock = ReturnType<typeof createMissionClock>;

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/**
 * The one UTC time that leads all panes of a page. A leading sensor plays and gives the time; followers are held to it.
 * Where the leading sensor has no recording another member leads, and where none has one the clock jumps to the next
 * recording. Its states:
 *
 * | Clock    | At each look                                                                   | Goes to            |
 * |----------|--------------------------------------------------------------------------------|--------------------|
 * | paused   | none: all members show the clock's moment                                      | settling by `play` |
 * | settling | waits, SETTLE_MS at most, until each member that recorded this moment is ready | playing            |
 * | playing  | takes its time from the leading sensor, and steers the others (`steering.ts`)  | settling by a seek |
 *
 * `pause`, the end of the mission, and a gap after which nothing is recorded lead to paused.
 */
export function createMissionClock({ startUs, endUs, timeUs: first, preferred = null, now, onNextPaint }: Deps) {
  const members = new Map<string, ClockMember>();
  const listeners = new Set<() => void>();
  const timeListeners = new Set<TimeListener>();
  const steering = createSteering({ now });
  const { has } = steering;
  let state: ClockState = { playing: false, settling: false, speed: 1, leader: null, startUs, endUs };
  let timeUs = clamp(first ?? startUs, startUs, endUs);
  let settledSince = 0;
  let lookedMs = 0;
  let cancelLook: (() => void) | null = null;
  let stepping: Promise<void> | null = null;

  function change(fields: Partial<ClockState>) {
    state = { ...state, ...fields };
    for (const listener of listeners) listener();
  }

  function setTime(next: number, by: TimeCause) {
    timeUs = next;
    for (const listener of timeListeners) listener(next, by);
  }

  /** Returns the member that determines the time at this moment. */
  function actingAt(moment: number): ClockMember | null {
    const preferred = state.leader === null ? undefined : members.get(state.leader);
    if (preferred && has(preferred, moment)) return preferred;
    for (const member of members.values()) if (has(member, moment)) return member;
    return null;
  }

  function nextRecording(moment: number): number | null {
    const starts = [...members.values()].map((member) => member.nextCovered(moment)).filter((start) => start !== null);
    return starts.length > 0 ? Math.min(...starts) : null;
  }

  function lastRecording(moment: number): number | null {
    const ends = [...members.values()].map((member) => member.lastCovered(moment)).filter((end) => end !== null);
    return ends.length > 0 ? Math.max(...ends) : null;
  }

  function settle() {
    steering.release();
    settledSince = now();
    if (state.playing && !state.settling) change({ settling: true });
  }

  function showAll(except: ClockMember | null = null) {
    for (const member of members.values()) if (member !== except) member.show(timeUs);
  }

  function tick() {
    cancelLook = null;
    if (!state.playing) return;
    const sinceUs = (now() - lookedMs) * 1000;
    lookedMs = now();
    if (state.settling) trySettled();
    else follow(sinceUs);
    schedule();
  }

  function schedule() {
    if (state.playing && cancelLook === null) cancelLook = onNextPaint(tick);
  }

  function trySettled() {
    const acting = actingAt(timeUs);
    if (!acting) return leaveGap();
    const present = [...members.values()].filter((member) => member.covers(timeUs));
    const late = now() - settledSince > SETTLE_MS;
    if (!present.every((member) => member.isReady()) && !(late && acting.isReady())) return;
    for (const member of present) {
      if (member.isReady()) member.play(state.speed);
      else steering.seekAhead(member, course());
    }
    change({ settling: false });
  }

  function leaveGap() {
    const next = nextRecording(timeUs);
    if (next === null) return pause();
    goTo(next, 'playing');
  }

  const course = () => ({ timeUs, speed: state.speed });

  /** `sinceUs`: time since the last look. */
  function follow(sinceUs: number) {
    const acting = actingAt(timeUs);
    if (!acting) return leaveGap();
    // A sensor that leads in place of another one is no follower, so it has no drift.
    steering.leads(acting.id);
    const playedUs = acting.nowUs();
    if (playedUs === null) return;
    // While the page is suspended, pictures continue to play, so `sinceUs` is taken into account.
    if (playedUs - timeUs > (sinceUs + JUMP_US) * state.speed && hasOther(acting, timeUs))
      return steering.park(acting, playedUs);
    if (playedUs !== timeUs) setTime(clamp(playedUs, state.startUs, state.endUs), 'playing');
    if (!acting.isReady()) return holdFollowers(acting);
    steering.hasCome(acting);
    if (steering.isAwaiting()) acting.pause();
    else acting.play(state.speed);
    const at = course();
    for (const member of members.values()) if (member !== acting) steering.steer(member, at);
    if (playedUs >= state.endUs) pause();
  }

  const hasOther = (acting: ClockMember, moment: number) =>
    [...members.values()].some((member) => member !== acting && has(member, moment + SEEK_DRIFT_US));

  function holdFollowers(acting: ClockMember) {
    for (const member of members.values()) if (member !== acting) member.pause();
  }

  const seek = (moment: number) => goTo(moment, 'asked');

  function goTo(moment: number, by: TimeCause) {
    setTime(clamp(Math.round(moment), state.startUs, state.endUs), by);
    settle();
    showAll();
  }

  function play() {
    if (state.playing || members.size === 0) return;
    if (timeUs >= state.endUs || (!actingAt(timeUs) && nextRecording(timeUs) === null)) seek(state.startUs);
    change({ playing: true, settling: true });
    settle();
    schedule();
  }

  /** Pauses all sensors at the moment shown by the leading sensor. */
  function pause() {
    if (!state.playing) return;
    cancelLook?.();
    cancelLook = null;
    steering.release();
    change({ playing: false, settling: false });
    const acting = actingAt(timeUs);
    acting?.pause();
    const playedUs = acting?.nowUs();
    if (playedUs !== null && playedUs !== undefined) setTime(clamp(playedUs, state.startUs, state.endUs), 'playing');
    // Pauses the leading sensor at this moment too, since its picture on screen may be earlier than its playing
    // position.
    showAll();
  }

  async function stepOnce(direction: 1 | -1) {
    const acting = actingAt(timeUs);
    if (!acting) return stepOutOfGap(direction);
    const shown = await acting.step(direction);
    // At an end of the recording, or if the frame did not arrive in time, all members show their earlier moment.
    if (shown === null) return showAll();
    setTime(shown, 'asked');
    showAll(acting);
  }

  /**
   * Moves the clock to the nearest recording. Stepping from the picture on screen would lead back, since that picture
   * is from before the clock moved into the gap.
   */
  function stepOutOfGap(direction: 1 | -1) {
    seek((direction === 1 ? nextRecording(timeUs) : lastRecording(timeUs)) ?? timeUs);
  }

  return {
    get: () => state,
    timeUs: () => timeUs,
    driftUs: steering.driftUs,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Registers a listener that is called with each new time, many times a second while playing. */
    onTime(listener: TimeListener) {
      timeListeners.add(listener);
      return () => void timeListeners.delete(listener);
    },
    /**
     * Adds a member and immediately shows the clock's moment in it. The preferred member leads, or else the first one
     * that joined. Returns a function that removes it.
     */
    join(member: ClockMember) {
      members.set(member.id, member);
      if (state.leader === null || (!state.chosen && member.id === preferred)) change({ leader: member.id });
      member.show(timeUs);
      return () => {
        if (members.get(member.id) === member) members.delete(member.id);
        steering.forget(member.id);
        if (members.size === 0 && state.playing) pause();
      };
    },
    lead(id: string) {
      if (state.leader !== id || !state.chosen) change({ leader: id, chosen: true });
      steering.leads(id);
    },
    setRange(range: { startUs: number; endUs: number }) {
      if (range.startUs === state.startUs && range.endUs === state.endUs) return;
      change(range);
      if (timeUs < range.startUs || timeUs > range.endUs) seek(timeUs);
    },
    setSpeed(speed: number) {
      if (speed === state.speed) return;
      change({ speed });
    },
    play,
    pause,
    toggle: () => (state.playing ? pause() : play()),
    seek,
    skip: (deltaUs: number) => seek(timeUs + deltaUs),
    /**
     * Steps the leading sensor by one frame, and shows each other sensor's frame of that moment. A call during a step
     * returns that step's promise.
     */
    step(direction: 1 | -1): Promise<void> {
      pause();
      if (stepping) return stepping;
      stepping = stepOnce(direction).finally(() => {
        stepping = null;
      });
      return stepping;
    },
    stop() {
      cancelLook?.();
      cancelLook = null;
      change({ playing: false, settling: false });
    },
  };
}
