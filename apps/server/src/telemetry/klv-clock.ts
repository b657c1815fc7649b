import { type ClockLevel, createClockLevels, type Stray } from './clock-levels.ts';
import { createClockNoise } from './clock-noise.ts';
import { type Timebase, utcOfPts } from './timebase.ts';

const TICKS_PER_US = 0.09;
/** Number of records examined together, to measure how far their times scatter. */
const PIECE = 64;
/**
 * Maximum number of records held back at the start until the noise is measured, so that a fault at the start does not
 * count as normal.
 */
const WAITING_MAX = 32 * PIECE;
/** Minimum share of all records that must agree with the chosen clock; below it, no clock is accepted. */
const SHARE_MIN = 0.3;
/**
 * A level with at least this share of the weight of the longest one is considered equally good; the earlier of the two
 * is used.
 */
const RIVAL_SHARE = 0.8;
/**
 * Maximum overlap of the clock times of two consecutive runs; an overlap is normal, since metadata arrive before and
 * after their pictures.
 */
const OVERLAP_US = 2_000_000;
/**
 * If PTS jumps ahead by at most a day, the metadata clock must jump by the same amount, with GAP_DRIFT_US as the
 * maximum difference, since the jump is a real gap in which nothing was sent.
 */
const REAL_GAP_TICKS = 24 * 3600 * 90_000;
const GAP_DRIFT_US = 1_000_000;
/** Faults that are closer together than this are reported as one fault. */
const TOGETHER_TICKS = 90_000;
const PLACES_MAX = 100;

/** A part of the stream in which the clock of the metadata is wrong, so that its records are dated by PTS. */
export type ClockFault = {
  run: number;
  firstTicks: number;
  lastTicks: number;
  sets: number;
  /** Largest deviation from the clock that is used, in microseconds; null if the run has no correct record. */
  byUs: number | null;
};

/** Result of the analysis of a file's metadata clock, with the lines by which it dates the file. */
export type KlvClock = {
  /** Whether enough of the records agree with each other and with PTS to use the metadata clock. */
  isBelieved: boolean;
  /** Lines that map PTS to UTC, fitted to the correct records, by run. */
  runs: Timebase['runs'];
  /**
   * Maximum deviation of a record's time from the line, in microseconds; a record that deviates further is dated by
   * PTS.
   */
  toleranceUs: number;
  /** Earliest time of a correct record, and below the latest one. */
  firstTimeUs: number;
  lastTimeUs: number;
  /**
   * Number of records whose own time is not used; `wrong` holds the first 100 places of such records, in stream order.
   */
  wrongSets: number;
  wrong: ClockFault[];
  /**
   * Distance in microseconds between the clock that is used and a second, nearly equally good one; null if there is no
   * second one.
   */
  otherUs: number | null;
};

/**
 * Finds the longest series of time stamps with a constant offset from PTS. This series then dates the file. Swapped,
 * repeated, frozen and stepped times affect only the records that contain them.
 */
export function createKlvClock() {
  const levels = createClockLevels();
  const noise = createClockNoise();
  const ticksOf = new Float64Array(WAITING_MAX);
  const timesOf = new Float64Array(WAITING_MAX);
  let waiting = 0;
  /** Number of held-back records that have been examined for noise. */
  let seen = 0;
  let ownPts = 0;
  let run = Number.NaN;
  let isSettled = false;

  function measureNew(): void {
    if (seen === waiting) return;
    const offsets = new Float64Array(waiting - seen);
    for (let at = seen; at < waiting; at += 1) offsets[at - seen] = timesOf[at]! - ticksOf[at]! / TICKS_PER_US;
    noise.add(offsets, ownPts);
    seen = waiting;
    ownPts = 0;
  }

  function settle(): void {
    measureNew();
    const toleranceUs = noise.toleranceUs();
    for (let at = 0; at < waiting; at += 1) levels.add(ticksOf[at]!, timesOf[at]!, toleranceUs);
    waiting = 0;
    seen = 0;
  }

  return {
    /** Adds a record. `isOwn`: whether the ticks are the record's own PTS, and not that of a nearby picture. */
    add(place: { run: number; ticks: number; isOwn: boolean }, timeUs: number): void {
      if (place.run !== run) {
        settle();
        run = place.run;
        levels.begin(run);
      }
      ticksOf[waiting] = place.ticks;
      timesOf[waiting] = timeUs;
      if (place.isOwn) ownPts += 1;
      waiting += 1;
      if (waiting - seen === PIECE) measureNew();
      if (waiting < (isSettled ? PIECE : WAITING_MAX)) return;
      settle();
      isSettled = true;
    },

    /**
     * Returns the clock; null if no record has a place on the stream's clock. `records`: number of all records that
     * have a time, including impossible times.
     */
    finish(records: number): KlvClock | null {
      settle();
      const found = levels.finish();
      if (found.levels.length === 0) return null;
      return verdict(found, { records, toleranceUs: noise.toleranceUs() });
    },
  };
}

type Found = ReturnType<ReturnType<typeof createClockLevels>['finish']>;

function verdict(found: Found, { records, toleranceUs }: { records: number; toleranceUs: number }): KlvClock {
  const { seed, rival } = choose(found.levels);
  const chain = chainOf(found.levels, seed);
  const used = new Set(chain);
  const lines = chain.flatMap(({ anchors }) => anchors.finish());
  const timebase: Timebase = { clock: 'klv', klvUnitUs: 1, runs: lines, shiftUs: 0 };
  const left = found.levels.filter((level) => !used.has(level));
  const right = chain.reduce((sum, { sets }) => sum + sets, 0);
  const fitUs = Math.max(...chain.map(({ anchors }) => anchors.toleranceUs()));
  return {
    isBelieved: right >= SHARE_MIN * records,
    runs: lines,
    toleranceUs: toleranceUs + fitUs,
    firstTimeUs: Math.min(...chain.map(({ earliestUs }) => earliestUs)),
    lastTimeUs: Math.max(...chain.map(({ latestUs }) => latestUs)),
    wrongSets: found.straySets + left.reduce((sum, { sets }) => sum + sets, 0),
    wrong: faultsOf([...left, ...found.strays], timebase).slice(0, PLACES_MAX),
    otherUs: rival && distanceOf(rival, timebase),
  };
}

/** Chooses the level with the largest weight or, if a second one is nearly equal, the earlier of the two. */
function choose(levels: readonly ClockLevel[]): { seed: ClockLevel; rival: ClockLevel | null } {
  const longest = levels.reduce((most, one) => (one.weight > most.weight ? one : most));
  const chain = new Set(chainOf(levels, longest));
  const rivals = levels.filter((one) => !chain.has(one) && one.weight >= RIVAL_SHARE * longest.weight);
  const [strongest] = rivals.sort((one, other) => other.weight - one.weight);
  if (strongest === undefined) return { seed: longest, rival: null };
  const isFirst =
    strongest.run < longest.run || (strongest.run === longest.run && strongest.firstTicks < longest.firstTicks);
  return isFirst ? { seed: strongest, rival: longest } : { seed: longest, rival: strongest };
}

/** Chooses at most one level per run, such that times increase from run to run. */
function chainOf(levels: readonly ClockLevel[], seed: ClockLevel): ClockLevel[] {
  const byRun = new Map<number, ClockLevel[]>();
  for (const level of levels) byRun.set(level.run, [...(byRun.get(level.run) ?? []), level]);
  const runs = [...byRun.values()];
  const at = runs.findIndex((one) => one[0]!.run === seed.run);
  const after: ClockLevel[] = [];
  for (const run of runs.slice(at + 1)) {
    const next = strongOf(run).find((level) => goesOn(after.at(-1) ?? seed, level));
    if (next !== undefined) after.push(next);
  }
  const before: ClockLevel[] = [];
  for (const run of runs.slice(0, at).reverse()) {
    const next = strongOf(run).find((level) => goesOn(level, before[0] ?? seed));
    if (next !== undefined) before.unshift(next);
  }
  return [...before, seed, ...after];
}

/** Whether a level may follow another. If PTS has restarted in between, the times only have to increase. */
function goesOn(level: ClockLevel, next: ClockLevel): boolean {
  const jump = next.firstTicks - level.lastTicks;
  if (jump < 0 || jump > REAL_GAP_TICKS) return next.earliestUs >= level.latestUs - OVERLAP_US;
  return Math.abs(next.offsetUs - level.offsetUs) <= GAP_DRIFT_US;
}

/** Returns the levels that may represent a run, in order of decreasing weight. */
const strongOf = (run: readonly ClockLevel[]): readonly ClockLevel[] =>
  run.filter(({ weight }) => weight >= RIVAL_SHARE * run[0]!.weight);

/** Returns the deviation of a level's clock from the line of its run, in microseconds; null if the run has no line. */
function distanceOf({ run, firstTicks, startUs }: Stray, timebase: Timebase): number | null {
  const lineUs = utcOfPts(timebase, run, firstTicks);
  return Number.isNaN(lineUs) ? null : Math.round(startUs - lineUs);
}

function faultsOf(levels: readonly Stray[], timebase: Timebase): ClockFault[] {
  const inOrder = [...levels].sort((one, other) => one.run - other.run || one.firstTicks - other.firstTicks);
  const faults: ClockFault[] = [];
  for (const level of inOrder) {
    const { run, firstTicks, lastTicks, sets } = level;
    const byUs = distanceOf(level, timebase);
    const last = faults.at(-1);
    if (last === undefined || last.run !== run || firstTicks - last.lastTicks > TOGETHER_TICKS) {
      faults.push({ run, firstTicks, lastTicks, sets, byUs });
      continue;
    }
    last.lastTicks = Math.max(last.lastTicks, lastTicks);
    last.sets += sets;
    if (byUs !== null && Math.abs(byUs) > Math.abs(last.byUs ?? 0)) last.byUs = byUs;
  }
  return faults;
}
