import { type ClockLevel, createClockLevels, type Stray } from './clock-levels.ts';
import { createClockNoise } from './clock-noise.ts';
import { type Timebase, utcOfPts } from './timebase.ts';

const TICKS_PER_US = 0.09;
/** Number of records examined together, to measure how far their times scatter. */
const PIECE = 64;
/** Limit of records held back at the start until the noise is known, so that a fault there is not taken for normal. */
const WAITING_MAX = 32 * PIECE;
/** If the longest level has less than this share of the records, no clock is accepted. */
const LEAST_SHARE = 0.3;
/** A level with at least this share of the records of the longest one is as good: the earlier of both is used. */
const RIVAL_SHARE = 0.8;
/** Allowed overlap of the clock between two runs: metadata arrive before and after their pictures. */
const OVERLAP_US = 2_000_000;
/**
 * If PTS jumps ahead by no more than a day, the clock must jump too, with this difference at most, because nothing was
 * sent meanwhile.
 */
const REAL_GAP_TICKS = 24 * 3600 * 90_000;
const GAP_DRIFT_US = 1_000_000;
/** Faults closer together than this are reported as one. */
const TOGETHER_TICKS = 90_000;
const PLACES_MAX = 100;

/** A stretch where the clock of the metadata is wrong: its records are dated by PTS. */
export type ClockFault = {
  run: number;
  firstTicks: number;
  lastTicks: number;
  sets: number;
  /** Largest deviation from the clock that is used; null if the run has no correct record. */
  byUs: number | null;
};

/** The clock of a file's metadata, and how it dates the file. */
export type KlvClock = {
  /** Whether enough of the records agree with each other and with PTS. */
  isBelieved: boolean;
  /** The lines through PTS and UTC of the correct records, by run. */
  runs: Timebase['runs'];
  /** A record that deviates further than this from its line is dated by PTS. */
  toleranceUs: number;
  /** Times of the first and last correct record. */
  firstTimeUs: number;
  lastTimeUs: number;
  /** Number of records whose own time is not used, and the first 100 of their places in stream order. */
  wrongSets: number;
  wrong: ClockFault[];
  /** Distance in microseconds of a second, nearly equally good clock from the one used; null: there is none. */
  otherUs: number | null;
};

/**
 * Finds the longest series of time stamps with a constant offset from PTS, which then dates the file. Swapped,
 * repeated, frozen and stepped times affect only their own records.
 */
export function createKlvClock() {
  const levels = createClockLevels();
  const noise = createClockNoise();
  const ticksOf = new Float64Array(WAITING_MAX);
  const timesOf = new Float64Array(WAITING_MAX);
  let waiting = 0;
  /** Number of held-back records that were examined. */
  let seen = 0;
  let ownPts = 0;
  let run = Number.NaN;
  let isSettled = false;

  function look(): void {
    if (seen === waiting) return;
    const offsets = new Float64Array(waiting - seen);
    for (let at = seen; at < waiting; at += 1) offsets[at - seen] = timesOf[at]! - ticksOf[at]! / TICKS_PER_US;
    noise.add(offsets, ownPts);
    seen = waiting;
    ownPts = 0;
  }

  function settle(): void {
    look();
    const toleranceUs = noise.toleranceUs();
    for (let at = 0; at < waiting; at += 1) levels.add(ticksOf[at]!, timesOf[at]!, toleranceUs);
    waiting = 0;
    seen = 0;
  }

  return {
    /** Adds a record. `isOwn`: the ticks are the record's own PTS, otherwise that of a picture near it. */
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
      if (waiting - seen === PIECE) look();
      if (waiting < (isSettled ? PIECE : WAITING_MAX)) return;
      settle();
      isSettled = true;
    },

    /**
     * Returns the clock; null if no record has a place on the stream's clock. `records`: number of all records with a
     * time, including impossible times.
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
    isBelieved: right >= LEAST_SHARE * records,
    runs: lines,
    toleranceUs: toleranceUs + fitUs,
    firstTimeUs: Math.min(...chain.map(({ earliestUs }) => earliestUs)),
    lastTimeUs: Math.max(...chain.map(({ latestUs }) => latestUs)),
    wrongSets: found.straySets + left.reduce((sum, { sets }) => sum + sets, 0),
    wrong: faultsOf([...left, ...found.strays], timebase).slice(0, PLACES_MAX),
    otherUs: rival && distanceOf(rival, timebase),
  };
}

/** Chooses the longest level, or of two nearly equal ones the earlier. */
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

/** Chooses at most one level of each run, so that time rises from run to run. */
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

/** Whether a level may follow another. After PTS restarted, times only have to rise. */
function goesOn(level: ClockLevel, next: ClockLevel): boolean {
  const jump = next.firstTicks - level.lastTicks;
  if (jump < 0 || jump > REAL_GAP_TICKS) return next.earliestUs >= level.latestUs - OVERLAP_US;
  return Math.abs(next.offsetUs - level.offsetUs) <= GAP_DRIFT_US;
}

/** Levels that may represent a run, longest first. */
const strongOf = (run: readonly ClockLevel[]): readonly ClockLevel[] =>
  run.filter(({ weight }) => weight >= RIVAL_SHARE * run[0]!.weight);

/** Deviation of a level's clock from the line; null if its run has none. */
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
