import type { ClockMember } from './members.ts';

/** Drift below this is corrected by the playing rate, more by a seek. Microseconds. */
export const SEEK_DRIFT_US = 120_000;

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
export const SETTLE_MS = 4000;

/** Moment and speed of the mission clock. */
type Course = { timeUs: number; speed: number };

type Following = {
  /** Paused ahead of the clock, until the clock arrives. */
  isAhead: boolean;
  /** Since when the leading sensor waits for it, in milliseconds; null if it does not. */
  awaitedMs: number | null;
  /** Paused after a gap of its own that it ran over while it led, until the clock arrives at this moment. */
  parkedUs: number | null;
  /** Distance from the clock at the last look; null for the leading sensor or without a recording. */
  driftUs: number | null;
  /** The last seek ahead of the clock. */
  target: { leadUs: number; atMs: number } | null;
};

/**
 * Holds followers to the mission clock. The states of a follower:
 *
 * | Follower   | Begins when                                            | Ends when                                |
 * |------------|--------------------------------------------------------|------------------------------------------|
 * | plays      | it is ready and near the clock                         | its drift passes SEEK_DRIFT_US           |
 * | is ahead   | it ran ahead, or was sought ahead: it pauses           | the clock arrives                        |
 * | is awaited | it is late by AWAIT_MOST_US at most: the leader pauses | it has come, or after SETTLE_MS it seeks |
 * | seeks      | it is later than that: it shows a moment ahead         | at once: it is ahead                     |
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

  /** True if a sensor has a picture of this moment, and is not paused ahead of it after a gap. */
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
      if (driftUs > 0 && driftUs < SEEK_LEAD_MOST_US * 2 * speed) return;
      following.isAhead = false;
    }
    const mostUs = SEEK_DRIFT_US * Math.max(1, speed);
    if (driftUs > -THERE_US) following.awaitedMs = null;
    if (driftUs < -mostUs && !isNear(following, driftUs, speed)) return seekAhead(member, { timeUs, speed });
    if (driftUs > mostUs) return awaitClock(member, driftUs, { timeUs, speed });
    const share = Math.max(-RATE_SHARE, Math.min(RATE_SHARE, (driftUs / 1e6) * RATE_GAIN));
    member.play(speed * (1 - share));
  }

  /** True if a follower is so little late that the leading sensor waits for it, and has not waited too long already. */
  function isNear(following: Following, driftUs: number, speed: number): boolean {
    if (driftUs < -AWAIT_MOST_US * Math.max(1, speed)) return false;
    following.awaitedMs ??= now();
    return now() - following.awaitedMs < SETTLE_MS;
  }

  /**
   * Pauses a follower that ran ahead until the clock arrives: that costs nothing, while a seek decodes from the last
   * key frame.
   */
  function awaitClock(member: ClockMember, aheadUs: number, course: Course) {
    if (aheadUs >= SEEK_LEAD_MOST_US * 2 * course.speed) return seekAhead(member, course);
    of(member).isAhead = true;
    member.pause();
  }

  function seekAhead(member: ClockMember, { timeUs, speed }: Course) {
    const following = of(member);
    const { target } = following;
    const again = target !== null && now() - target.atMs < SOON_MS;
    const leadUs = again ? Math.min(target.leadUs * 2, SEEK_LEAD_MOST_US) : SEEK_LEAD_US;
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

    /** Whether the leading sensor waits for a follower: not for ever, since one may stop for good. */
    isAwaiting: () =>
      [...followings.values()].some(({ awaitedMs }) => awaitedMs !== null && now() - awaitedMs < SETTLE_MS),

    /** The sensor gives the time now, so it has no drift. */
    leads(id: string): void {
      const following = followings.get(id);
      if (following) following.driftUs = null;
    },

    /** Nothing waits any more for the member to come: it leads. */
    hasCome(member: ClockMember): void {
      of(member).awaitedMs = null;
    },

    /** Pauses the leading sensor after a gap of its own that others have pictures of, until the clock arrives there. */
    park(member: ClockMember, afterGapUs: number): void {
      member.show(afterGapUs);
      of(member).parkedUs = afterGapUs;
    },

    /** After a seek or a pause all members show the clock's moment, and nothing waits for another. */
    release(): void {
      for (const following of followings.values()) {
        following.isAhead = false;
        following.awaitedMs = null;
        following.parkedUs = null;
      }
    },

    forget: (id: string) => void followings.delete(id),
    /** Microseconds ahead of the clock at the last look; null for the leading sensor or without a recording. */
    driftUs: (id: string) => followings.get(id)?.driftUs ?? null,
  };
}
