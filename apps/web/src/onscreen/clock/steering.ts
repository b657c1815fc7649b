import type { ClockMember } from './members.ts';

/** Maximum drift that is corrected by the playback rate, in microseconds; a greater one is corrected by a seek. */
export const SEEK_DRIFT_US = 120_000;

/**
 * Maximum delay of a follower for which the leading sensor waits, in microseconds. Up to this delay, waiting takes less
 * time than a seek and keeps the pictures closer together.
 */
const AWAIT_MAX_US = 500_000;

/** Maximum delay at which a follower counts as having caught up, in microseconds. */
const THERE_US = 30_000;

/** Maximum relative difference between a follower's rate and the leading sensor's. */
const RATE_SHARE = 0.1;

/** Relative change of the rate per second of drift: at 50 ms the whole RATE_SHARE is used. */
const RATE_GAIN = 2;

/**
 * How far ahead of the leading sensor a follower seeks, in microseconds, so that it waits there instead of being late.
 */
const SEEK_LEAD_US = 400_000;

/**
 * Maximum of that lead, in microseconds. A follower that is late again soon seeks further ahead, since it needs longer
 * to decode from the last key frame.
 */
const SEEK_LEAD_MAX_US = 3_200_000;
const REPEATED_SEEK_MS = 5000;

/**
 * Maximum time that a playing clock waits for followers that are not ready, in milliseconds. A busy machine needs
 * seconds to decode from the last key frame of each; a follower that is given up earlier would be late for longer than
 * the wait.
 */
export const SETTLE_MS = 4000;

/** Moment and speed of the mission clock. */
type Course = { timeUs: number; speed: number };

type Following = {
  /** The follower is paused ahead of the clock until the clock arrives. */
  isAhead: boolean;
  /** Time since which the leading sensor waits for this follower, in milliseconds; null if it does not. */
  awaitedMs: number | null;
  /** The follower led, ran over a gap in its own recording, and is paused until the clock arrives at this moment. */
  parkedUs: number | null;
  /**
   * Distance from the clock at the last look, in microseconds; null for the leading sensor, and without a recording.
   */
  driftUs: number | null;
  /** The last seek ahead of the clock. */
  target: { leadUs: number; atMs: number } | null;
};

/**
 * Keeps followers in step with the mission clock. The states of a follower:
 *
 * | Follower   | Begins when                                            | Ends when                                |
 * |------------|--------------------------------------------------------|------------------------------------------|
 * | plays      | it is ready and near the clock                         | its drift passes SEEK_DRIFT_US           |
 * | is ahead   | it ran ahead, or was sought ahead: it pauses           | the clock arrives                        |
 * | is awaited | it is late by AWAIT_MAX_US at most: the leader pauses | it has come, or after SETTLE_MS it seeks |
 * | seeks      | it is later than that: it shows a moment ahead         | immediately: it is ahead                 |
 * | is parked  | it led, and ran over a gap that others recorded        | the clock has passed the gap             |
 * | misses     | it recorded nothing at the clock's moment              | the clock reaches a recording of it      |
 *
 * The drift that is allowed before a seek or a wait grows with the speed, as the distance between two looks does.
 */
export function createSteering({ now }: { now: () => number }) {
  const followings = new Map<string, Following>();

  function of({ id }: ClockMember): Following {
    let following = followings.get(id);
    if (following === undefined) {
      following = { isAhead: false, awaitedMs: null, parkedUs: null, driftUs: null, target: null };
      followings.set(id, following);
    }
    return following;
  }

  /** Returns true if a sensor has a picture of this moment and is not parked at a later one after a gap. */
  const has = (member: ClockMember, moment: number) =>
    member.covers(moment) && moment >= (of(member).parkedUs ?? Number.NEGATIVE_INFINITY);

  function steer(member: ClockMember, { timeUs, speed }: Course) {
    const following = of(member);
    if (!has(member, timeUs)) {
      following.driftUs = null;
      following.awaitedMs = null;
      return member.miss();
    }
    following.parkedUs = null;
    if (!member.isReady()) return;
    const playedUs = member.nowUs();
    if (playedUs === null) return;
    const driftUs = playedUs - timeUs;
    following.driftUs = driftUs;
    if (following.isAhead) {
      if (driftUs > 0 && driftUs < SEEK_LEAD_MAX_US * 2 * speed) return;
      following.isAhead = false;
    }
    const mostUs = SEEK_DRIFT_US * Math.max(1, speed);
    if (driftUs > -THERE_US) following.awaitedMs = null;
    if (driftUs < -mostUs && !isNear(following, driftUs, speed)) return seekAhead(member, { timeUs, speed });
    if (driftUs > mostUs) return awaitClock(member, driftUs, { timeUs, speed });
    const share = Math.max(-RATE_SHARE, Math.min(RATE_SHARE, (driftUs / 1e6) * RATE_GAIN));
    member.play(speed * (1 - share));
  }

  /**
   * Returns true if a follower's delay is small enough for the leading sensor to wait for it, and it has not waited too
   * long already.
   */
  function isNear(following: Following, driftUs: number, speed: number): boolean {
    if (driftUs < -AWAIT_MAX_US * Math.max(1, speed)) return false;
    following.awaitedMs ??= now();
    return now() - following.awaitedMs < SETTLE_MS;
  }

  /**
   * Pauses a follower that ran ahead until the clock arrives. That is cheap, while a seek has to decode from the last
   * key frame.
   */
  function awaitClock(member: ClockMember, aheadUs: number, course: Course) {
    if (aheadUs >= SEEK_LEAD_MAX_US * 2 * course.speed) return seekAhead(member, course);
    of(member).isAhead = true;
    member.pause();
  }

  function seekAhead(member: ClockMember, { timeUs, speed }: Course) {
    const following = of(member);
    const { target } = following;
    const again = target !== null && now() - target.atMs < REPEATED_SEEK_MS;
    const leadUs = again ? Math.min(target.leadUs * 2, SEEK_LEAD_MAX_US) : SEEK_LEAD_US;
    following.target = { leadUs, atMs: now() };
    following.awaitedMs = null;
    following.isAhead = true;
    const ahead = timeUs + leadUs * speed;
    member.show(member.covers(ahead) ? ahead : timeUs);
  }

  return {
    has,
    steer,
    seekAhead,

    /**
     * Returns whether the leading sensor waits for a follower. The wait is limited, since a follower may have stopped
     * permanently.
     */
    isAwaiting: () =>
      [...followings.values()].some(({ awaitedMs }) => awaitedMs !== null && now() - awaitedMs < SETTLE_MS),

    /** Marks the sensor as the one that determines the time, so it has no drift. */
    leads(id: string): void {
      const following = followings.get(id);
      if (following) following.driftUs = null;
    },

    /** Ends the wait for a member, which now leads. */
    hasCome(member: ClockMember): void {
      of(member).awaitedMs = null;
    },

    /**
     * Pauses a leading sensor after a gap in its own recording, of which others have pictures, until the clock arrives
     * there.
     */
    park(member: ClockMember, afterGapUs: number): void {
      member.show(afterGapUs);
      of(member).parkedUs = afterGapUs;
    },

    /** Ends all waits after a seek or a pause, when all members show the clock's moment. */
    release(): void {
      for (const following of followings.values()) {
        following.isAhead = false;
        following.awaitedMs = null;
        following.parkedUs = null;
      }
    },

    forget: (id: string) => void followings.delete(id),
    /**
     * Returns the lead over the clock at the last look, in microseconds; null for the leading sensor, and without a
     * recording.
     */
    driftUs: (id: string) => followings.get(id)?.driftUs ?? null,
  };
}
