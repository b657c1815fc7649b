import { createAnchors } from './timebase.ts';

const TICKS_PER_US = 0.09;
const SECOND_US = 1_000_000;
const SECOND_TICKS = 90_000;

/** Limit of levels tracked at once in one run; the one with the least weight is dropped. */
const LEVELS_MAX = 16;
/** Limit of levels kept of a run after its end. */
const CACHED_PER_RUN = 3;
/** Limit of places listed for levels that were dropped; all of them are counted. */
const STRAYS_MAX = 2000;
/** A pause without records adds no more than this to a level's weight. */
const STEP_MAX_TICKS = 10 * SECOND_TICKS;
/** Allowed drift of a level from record to record: one second in a minute. */
const DRIFT = 1 / 60;
/** Largest drift assumed over a time without records, as a share of that time, and its upper limit. */
const UNSEEN_DRIFT = 1 / 1000;
const UNSEEN_MAX_US = SECOND_US / 10;

/** Records of one run whose clock keeps a constant offset from PTS. Times are UTC microseconds, ticks 90 kHz. */
export type ClockLevel = {
  run: number;
  firstTicks: number;
  lastTicks: number;
  /** Time of the first record. */
  startUs: number;
  earliestUs: number;
  latestUs: number;
  sets: number;
  /** Duration in ticks, plus one for each record. */
  weight: number;
  anchors: ReturnType<typeof createAnchors>;
  /** Offset of the clock from PTS at its latest record. */
  offsetUs: number;
};

/** Place of a level that was too short to be kept. */
export type Stray = Pick<ClockLevel, 'run' | 'firstTicks' | 'lastTicks' | 'startUs' | 'sets'>;

/**
 * Groups records into levels by the offset of their clock from PTS. A clock that is set, frozen or swapped leaves its
 * level and may return to it; the level itself is unaffected. Memory: a few levels for each run.
 */
export function createClockLevels() {
  /** Levels kept of ended runs, by run, in order. */
  const cached = new Map<number, ClockLevel[]>();
  const strays: Stray[] = [];
  let straySets = 0;
  let levels: ClockLevel[] = [];
  let run = Number.NaN;
  let before = Number.NaN;

  function add(ticks: number, timeUs: number, toleranceUs: number): void {
    const offsetUs = timeUs - ticks / TICKS_PER_US;
    const level = nearest(ticks, offsetUs, toleranceUs) ?? begin(ticks, timeUs, offsetUs);
    const step = Math.min(STEP_MAX_TICKS, Math.max(0, ticks - before));
    level.weight += 1 + (Number.isNaN(step) ? 0 : step);
    level.sets += 1;
    const reachUs = DRIFT * sinceUs(level, ticks);
    level.offsetUs += Math.max(-reachUs, Math.min(reachUs, offsetUs - level.offsetUs));
    level.firstTicks = Math.min(level.firstTicks, ticks);
    level.lastTicks = Math.max(level.lastTicks, ticks);
    level.earliestUs = Math.min(level.earliestUs, timeUs);
    level.latestUs = Math.max(level.latestUs, timeUs);
    level.anchors.add(level.run, ticks, timeUs);
    before = ticks;
  }

  function nearest(ticks: number, offsetUs: number, toleranceUs: number): ClockLevel | null {
    let best: ClockLevel | null = null;
    let bestUs = Number.POSITIVE_INFINITY;
    for (const level of levels) {
      const apartUs = Math.abs(offsetUs - level.offsetUs);
      if (apartUs >= bestUs) continue;
      if (apartUs > toleranceUs + Math.min(UNSEEN_MAX_US, UNSEEN_DRIFT * sinceUs(level, ticks))) continue;
      best = level;
      bestUs = apartUs;
    }
    return best;
  }

  function begin(ticks: number, timeUs: number, offsetUs: number): ClockLevel {
    if (levels.length === LEVELS_MAX) drop(weakest());
    const level: ClockLevel = {
      run,
      firstTicks: ticks,
      lastTicks: ticks,
      startUs: timeUs,
      earliestUs: timeUs,
      latestUs: timeUs,
      sets: 0,
      weight: 0,
      anchors: createAnchors(),
      offsetUs,
    };
    levels.push(level);
    return level;
  }

  const weakest = (): ClockLevel =>
    levels.reduce((least, one) =>
      one.weight < least.weight || (one.weight === least.weight && one.lastTicks < least.lastTicks) ? one : least,
    );

  function drop(level: ClockLevel): void {
    levels = levels.filter((one) => one !== level);
    straySets += level.sets;
    const { firstTicks, lastTicks, startUs, sets } = level;
    if (strays.length < STRAYS_MAX) strays.push({ run: level.run, firstTicks, lastTicks, startUs, sets });
  }

  function closeRun(): void {
    levels.sort((one, other) => other.weight - one.weight);
    for (const level of levels.slice(CACHED_PER_RUN)) drop(level);
    if (levels.length > 0) cached.set(run, levels.slice(0, CACHED_PER_RUN));
  }

  return {
    /** Adds a record; `toleranceUs`: greatest deviation of a record from its level. */
    add,
    /** Later records belong to another run of the stream's clock, which may be an earlier one. */
    begin(next: number): void {
      closeRun();
      run = next;
      levels = [...(cached.get(next) ?? [])];
      before = Number.NaN;
    },
    finish(): { levels: ClockLevel[]; strays: Stray[]; straySets: number } {
      closeRun();
      return { levels: [...cached.values()].flat(), strays, straySets };
    },
  };
}

const sinceUs = ({ lastTicks }: ClockLevel, ticks: number): number => Math.abs(ticks - lastTicks) / TICKS_PER_US;
