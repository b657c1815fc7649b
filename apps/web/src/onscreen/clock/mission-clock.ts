import type { ClockMember, ClockState } from './members.ts';

/** Playing speeds offered; 1 is real time. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;

/** Drift below this is corrected by the playing rate, more by a seek. Microseconds. */
const SEEK_DRIFT_US = 120_000;

/**
 * Up to this delay the leading sensor waits until a follower has come: that is sooner than a seek, and shows them less
 * apart.
 */
const AWAIT_MOST_US = 500_000;

/** A follower this late at most has come. */
const THERE_US = 30_000;

/** A follower's rate differs at most by this share from the leading sensor's. */
const RATE_SHARE = 0.1;

/** Share of the rate for one second of drift: 50 ms use the whole of RATE_SHARE. */
const RATE_GAIN = 2;

/** How far ahead of the leading sensor a follower seeks, so that it waits there instead of being late. */
const SEEK_LEAD_US = 400_000;

/** A follower that is soon late again seeks further ahead: decoding from the last key frame takes it longer. */
const SEEK_LEAD_MOST_US = 3_200_000;
const SOON_MS = 5000;

/**
 * After this a playing clock no longer waits for followers that are not ready. A busy machine takes seconds to decode
 * from the last key frame of each: a follower left then is late for longer than the wait would have been.
 */
const SETTLE_MS = 4000;

/**
 * Difference between the advance of the leading sensor and the longest that it can have played between two looks; a
 * greater one means that it jumped over a gap.
 */
const JUMP_US = 1_000_000;

type Deps = {
  startUs: number;
  endUs: number;
  timeUs?: number | null;
  /** Leads as soon as it joins, even after others, until the user chooses. */
  preferred?: string | null;
  /** Milliseconds of a monotone clock. */
  now: () => number;
  /** Asks for one look before the next paint; answers how to cancel it. */
  onNextPaint: (look: () => void) => () => void;
};

/** Whether a call asked for the moment, or playback reached it. */
type TimeCause = 'asked' | 'playing';

type TimeListener = (timeUs: number, by: TimeCause) => void;

export type MissionClock = ReturnType<typeof createMissionClock>;

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/**
 * The one UTC time that leads all panes of a page. A leading sensor plays and gives the time; followers are held to it.
 * Where the leading sensor has no recording another member leads, and where none has one the clock jumps to the next
 * recording.
 */
export function createMissionClock({ startUs, endUs, timeUs: first, preferred = null, now, onNextPaint }: Deps) {
  const members = new Map<string, ClockMember>();
  const listeners = new Set<() => void>();
  const timeListeners = new Set<TimeListener>();
  /** Followers that are paused ahead and wait for the leading sensor to come. */
  const waiting = new Set<string>();
  /** Followers that the leading sensor waits for, and since when. */
  const awaited = new Map<string, number>();
  const drifts = new Map<string, number>();
  const leads = new Map<string, { us: number; sinceMs: number }>();
  /** Leading sensors that ran over a gap of theirs, and the moment after it at which they are paused. */
  const parked = new Map<string, number>();
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

  /** The member that gives the time at this moment. */
  function actingAt(moment: number): ClockMember | null {
    const preferred = state.leader === null ? undefined : members.get(state.leader);
    if (preferred && has(preferred, moment)) return preferred;
    for (const member of members.values()) if (has(member, moment)) return member;
    return null;
  }

  /** True if a sensor has a picture of this moment, and is not paused ahead of it after a gap. */
  const has = (member: ClockMember, moment: number) =>
    member.covers(moment) && moment >= (parked.get(member.id) ?? Number.NEGATIVE_INFINITY);

  function nextRecording(moment: number): number | null {
    const starts = [...members.values()].map((member) => member.nextCovered(moment)).filter((start) => start !== null);
    return starts.length > 0 ? Math.min(...starts) : null;
  }

  function lastRecording(moment: number): number | null {
    const ends = [...members.values()].map((member) => member.lastCovered(moment)).filter((end) => end !== null);
    return ends.length > 0 ? Math.max(...ends) : null;
  }

  function settle() {
    waiting.clear();
    awaited.clear();
    parked.clear();
    settledSince = now();
    if (state.playing && !state.settling) change({ settling: true });
  }

  function showAll(except: ClockMember | null = null) {
    for (const member of members.values()) if (member !== except) member.show(timeUs);
  }

  function look() {
    cancelLook = null;
    if (!state.playing) return;
    const sinceUs = (now() - lookedMs) * 1000;
    lookedMs = now();
    if (state.settling) trySettled();
    else follow(sinceUs);
    schedule();
  }

  function schedule() {
    if (state.playing && cancelLook === null) cancelLook = onNextPaint(look);
  }

  function trySettled() {
    const acting = actingAt(timeUs);
    if (!acting) return leaveGap();
    const present = [...members.values()].filter((member) => member.covers(timeUs));
    const late = now() - settledSince > SETTLE_MS;
    if (!present.every((member) => member.isReady()) && !(late && acting.isReady())) return;
    for (const member of present) {
      if (member.isReady()) member.play(state.speed);
      else resync(member, timeUs);
    }
    change({ settling: false });
  }

  function leaveGap() {
    const next = nextRecording(timeUs);
    if (next === null) return pause();
    goTo(next, 'playing');
  }

  /** `sinceUs`: time since the last look. */
  function follow(sinceUs: number) {
    const acting = actingAt(timeUs);
    if (!acting) return leaveGap();
    // A sensor that leads in the place of another one is no follower, so it has no drift.
    drifts.delete(acting.id);
    const playedUs = acting.nowUs();
    if (playedUs === null) return;
    // Pictures play on while the page is suspended.
    if (playedUs - timeUs > (sinceUs + JUMP_US) * state.speed && hasOther(acting, timeUs))
      return handOver(acting, playedUs);
    if (playedUs !== timeUs) setTime(clamp(playedUs, state.startUs, state.endUs), 'playing');
    if (!acting.isReady()) return holdFollowers(acting);
    awaited.delete(acting.id);
    if (isAwaiting()) acting.pause();
    else acting.play(state.speed);
    for (const member of members.values()) if (member !== acting) steer(member);
    if (playedUs >= state.endUs) pause();
  }

  /** Not for ever: a follower may stop for good. */
  const isAwaiting = () => [...awaited.values()].some((sinceMs) => now() - sinceMs < SETTLE_MS);

  const hasOther = (acting: ClockMember, moment: number) =>
    [...members.values()].some((member) => member !== acting && has(member, moment + SEEK_DRIFT_US));

  /** Pauses the leading sensor after a gap of its own that others have pictures of, until the clock arrives there. */
  function handOver(acting: ClockMember, behindGap: number) {
    acting.show(behindGap);
    parked.set(acting.id, behindGap);
  }

  function holdFollowers(acting: ClockMember) {
    for (const member of members.values()) if (member !== acting) member.pause();
  }

  function steer(member: ClockMember) {
    if (!has(member, timeUs)) {
      drifts.delete(member.id);
      awaited.delete(member.id);
      return member.miss();
    }
    parked.delete(member.id);
    if (!member.isReady()) return;
    const playedUs = member.nowUs();
    if (playedUs === null) return;
    const driftUs = playedUs - timeUs;
    drifts.set(member.id, driftUs);
    if (waiting.has(member.id)) {
      if (driftUs > 0 && driftUs < SEEK_LEAD_MOST_US * 2 * state.speed) return;
      waiting.delete(member.id);
    }
    const mostUs = SEEK_DRIFT_US * Math.max(1, state.speed);
    if (driftUs > -THERE_US) awaited.delete(member.id);
    if (driftUs < -mostUs && !isNear(member, driftUs)) return resync(member, timeUs);
    if (driftUs > mostUs) return awaitLeader(member, driftUs);
    member.play(state.speed * (1 - clamp((driftUs / 1e6) * RATE_GAIN, -RATE_SHARE, RATE_SHARE)));
  }

  /** True if a follower is so little late that the leading sensor waits for it, and has not waited too long already. */
  function isNear(member: ClockMember, driftUs: number): boolean {
    if (driftUs < -AWAIT_MOST_US * Math.max(1, state.speed)) return false;
    if (!awaited.has(member.id)) awaited.set(member.id, now());
    return now() - awaited.get(member.id)! < SETTLE_MS;
  }

  /**
   * Pauses a follower that ran ahead until the clock arrives: that costs nothing, while a seek decodes from the last
   * key frame.
   */
  function awaitLeader(member: ClockMember, aheadUs: number) {
    if (aheadUs >= SEEK_LEAD_MOST_US * 2 * state.speed) return resync(member, timeUs);
    waiting.add(member.id);
    member.pause();
  }

  function resync(member: ClockMember, moment: number) {
    const last = leads.get(member.id);
    const again = last !== undefined && now() - last.sinceMs < SOON_MS;
    const us = again ? Math.min(last.us * 2, SEEK_LEAD_MOST_US) : SEEK_LEAD_US;
    leads.set(member.id, { us, sinceMs: now() });
    awaited.delete(member.id);
    const ahead = moment + us * state.speed;
    waiting.add(member.id);
    member.show(member.covers(ahead) ? ahead : moment);
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

  /** Stops all sensors at the moment that the leading sensor shows. */
  function pause() {
    if (!state.playing) return;
    cancelLook?.();
    cancelLook = null;
    waiting.clear();
    awaited.clear();
    parked.clear();
    change({ playing: false, settling: false });
    const acting = actingAt(timeUs);
    acting?.pause();
    const playedUs = acting?.nowUs();
    if (playedUs !== null && playedUs !== undefined) setTime(clamp(playedUs, state.startUs, state.endUs), 'playing');
    // Stops the leading sensor too: its picture on screen may be earlier than its playing position.
    showAll();
  }

  async function stepOnce(direction: 1 | -1) {
    const acting = actingAt(timeUs);
    if (!acting) return stepOutOfGap(direction);
    const shown = await acting.step(direction);
    // At an end, or not there in time: all show their earlier moment.
    if (shown === null) return showAll();
    setTime(shown, 'asked');
    showAll(acting);
  }

  /** The picture on screen there is from where the clock came from: a step from that would lead back to it. */
  function stepOutOfGap(direction: 1 | -1) {
    seek((direction === 1 ? nextRecording(timeUs) : lastRecording(timeUs)) ?? timeUs);
  }

  return {
    get: () => state,
    timeUs: () => timeUs,
    /**
     * Last known distance of a follower from the clock, microseconds; null for the leading sensor or without a
     * recording.
     */
    driftUs: (id: string) => drifts.get(id) ?? null,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Called with each new time, many times a second while playing. */
    onTime(listener: TimeListener) {
      timeListeners.add(listener);
      return () => void timeListeners.delete(listener);
    },
    /** Adds a member, which is shown the clock's moment at once; the preferred or else the first to come leads. Answers how to leave. */
    join(member: ClockMember) {
      members.set(member.id, member);
      if (state.leader === null || (!state.chosen && member.id === preferred)) change({ leader: member.id });
      member.show(timeUs);
      return () => {
        if (members.get(member.id) === member) members.delete(member.id);
        for (const kept of [waiting, awaited, drifts, parked, leads]) kept.delete(member.id);
        if (members.size === 0 && state.playing) pause();
      };
    },
    lead(id: string) {
      if (state.leader !== id || !state.chosen) change({ leader: id, chosen: true });
      drifts.delete(id);
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
     * Steps the leading sensor by one frame, and shows each other sensor's frame of that moment. Steps wait for each
     * other.
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
