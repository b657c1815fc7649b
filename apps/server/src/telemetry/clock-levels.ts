import { createAnchors } from './timebase.ts';

const TICKS_PER_US = 0.09;
const SECOND_US = 1_000_000;
const SECOND_TICKS = 90_000;

/**
 * Maximum number of levels tracked at the same time in one run. Beyond it, the level with the least weight is dropped.
 */
const LEVELS_MAX = 16;
/** Maximum number of levels kept for a run after its end. */
const CACHED_PER_RUN = 3;
/** Maximum number of places listed for dropped levels; the count of dropped records is not limited. */
const STRAYS_MAX = 2000;
/** Maximum number of ticks by which the time since the previous record increases a level's weight. */
const STEP_MAX_TICKS = 10 * SECOND_TICKS;
/** Maximum drift of a level from record to record, as a share of the elapsed time: one second per minute. */
const DRIFT = 1 / 60;
/**
 * Maximum drift assumed for a time without records, as a share of that time (UNSEEN_DRIFT) and in microseconds
 * (UNSEEN_MAX_US).
 */
const UNSEEN_DRIFT = 1 / 1000;
const UNSEEN_MAX_US = SECOND_US / 10;

/**
 * A level: records of one clock run whose times keep a constant offset from PTS. Times are in UTC microseconds, ticks
 * in 90 kHz.
 */
export type ClockLevel = {
  run: number;
  firstTicks: number;
  lastTicks: number;
  /** Time of the level's first record. */
  startUs: number;
  earliestUs: number;
  latestUs: number;
  sets: number;
  /** Duration of the level in ticks, plus one per record. */
  weight: number;
  anchors: ReturnType<typeof createAnchors>;
  /** Offset of the record times from PTS, at the level's latest record. */
  offsetUs: number;
};

/** Place of a level that was dropped, because it had too little weight. */
export type Stray = Pick<ClockLevel, 'run' | 'firstTicks' | 'lastTicks' | 'startUs' | 'sets'>;

/**
 * Groups records into levels by the offset of their time from PTS. If the clock is set, frozen or swapped, its records
 * leave the level and may return to it later; the level itself is unaffected. Uses memory for a few levels per run.
 */
export function createClockLevels() {
  /** Levels kept of runs that have ended, in order, by run. */
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
    /**
     * Begins a run of the stream's clock: later records belong to run `next`, which may be one that was begun before.
     */
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
