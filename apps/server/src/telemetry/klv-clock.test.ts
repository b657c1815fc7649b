import { describe, expect, it } from 'vitest';
import { randomOf } from '../../../../tools/simulator/src/random.ts';
import { createKlvClock, type KlvClock } from './klv-clock.ts';
import { type Timebase, utcOfPts, utcOfRecord } from './timebase.ts';

const T0 = 1_700_000_000_000_000;
const SECOND_US = 1_000_000;
const TICKS_PER_US = 0.09;
const RATE = 25;

type Set = { ticks: number; trueUs: number; reportedUs: number | null; run?: number };

/** One set a picture; the clock is right, but for `jitterUs` to either side. */
function flight(seconds: number, random: () => number = () => 0.5, jitterUs = 0): Set[] {
  return Array.from({ length: seconds * RATE }, (_none, n) => {
    const us = (n * SECOND_US) / RATE;
    const trueUs = T0 + us + Math.round((2 * random() - 1) * jitterUs);
    return { ticks: 126_000 + Math.round(us * TICKS_PER_US), trueUs, reportedUs: trueUs };
  });
}

function judge(sets: readonly Set[], isOwn = true): KlvClock & { timebase: Timebase } {
  const clock = createKlvClock();
  for (const { ticks, reportedUs, run = 0 } of sets)
    if (reportedUs !== null) clock.add({ run, ticks, isOwn }, reportedUs);
  const judged = clock.finish(sets.length)!;
  const { runs, toleranceUs } = judged;
  return { ...judged, timebase: { clock: 'klv', klvUnitUs: 1, shiftUs: 0, runs, toleranceUs } };
}

const utcOf = (timebase: Timebase, { ticks, reportedUs, run = 0 }: Set): number =>
  utcOfRecord(timebase, { klv: reportedUs ?? Number.NaN, ptsTicks: ticks, run });

/** Damages the sets [from, to) of a flight. */
type Fault = (sets: Set[], from: number, to: number, random: () => number) => void;

const each =
  (reported: (set: Set, n: number, first: Set) => number | null): Fault =>
  (sets, from, to) => {
    const first = { ...sets[from]! };
    for (let n = from; n < to; n += 1) sets[n]!.reportedUs = reported(sets[n]!, n - from, first);
  };

const faults: Record<string, Fault> = {
  'swapped pairs': (sets, from, to) => {
    for (let n = from; n + 1 < to; n += 2) {
      const [one, other] = [sets[n]!, sets[n + 1]!];
      [one.reportedUs, other.reportedUs] = [other.reportedUs, one.reportedUs];
    }
  },
  'sets in any order within a second': (sets, from, to, random) => {
    for (let n = from; n + RATE <= to; n += RATE) {
      const times = sets.slice(n, n + RATE).map(({ reportedUs }) => ({ reportedUs, key: random() }));
      times.sort((one, other) => one.key - other.key);
      for (const [at, { reportedUs }] of times.entries()) sets[n + at]!.reportedUs = reportedUs;
    }
  },
  'a leap second': each(({ trueUs }) => trueUs + SECOND_US),
  'a leap second back': each(({ trueUs }) => trueUs - SECOND_US),
  'GPS time in the place of UTC': each(({ trueUs }) => trueUs + 18 * SECOND_US),
  'a step of 100 ms': each(({ trueUs }) => trueUs - 100_000),
  'a clock of another year': each(({ trueUs }) => trueUs - 20 * 365 * 86_400 * SECOND_US),
  'a clock that was not set': each(() => null),
  'a frozen clock': each((_set, _n, first) => first.reportedUs),
  'each time given twice': each((set, n) => set.reportedUs! - (n % 2) * (SECOND_US / RATE)),
  'each time given for a whole second': each((set, n) => set.reportedUs! - (n % RATE) * (SECOND_US / RATE)),
  'times of noise': (sets, from, to, random) => {
    for (let n = from; n < to; n += 1) sets[n]!.reportedUs = T0 + Math.round((random() - 0.5) * 7200 * SECOND_US);
  },
  'a clock that runs twice as fast': each(({ trueUs }, n) => trueUs + (n * SECOND_US) / RATE),
};

describe('a fault in less than 40 % of the duration', () => {
  const random = randomOf(32);
  const cases = Object.keys(faults).flatMap((name) => Array.from({ length: 6 }, (_none, n) => ({ name, n })));

  it.each(cases)('costs no other record its time: $name, flight $n', ({ name, n }) => {
    const jitterUs = n % 3 === 0 ? 0 : Math.floor(random() * 4000);
    const sets = flight(20 + Math.floor(random() * 60), random, jitterUs);
    const share = 0.02 + 0.37 * random();
    const length = Math.floor(share * sets.length);
    const from = n % 4 === 3 ? 0 : Math.floor(random() * (sets.length - length));
    faults[name]!(sets, from, from + length, random);

    const { isBelieved, otherUs, timebase, firstTimeUs, lastTimeUs } = judge(sets);

    expect(isBelieved).toBe(true);
    expect(otherUs).toBeNull();
    const apart = sets.map((set) => Math.abs(utcOf(timebase, set) - set.trueUs));
    const isTouched = (at: number) => at >= from && at < from + length;
    expect(Math.max(...apart.filter((_us, at) => !isTouched(at)))).toBeLessThanOrEqual(1000);
    // A changed record is dated by its picture, or is within the scatter of records.
    const scatterUs = 2 * timebase.toleranceUs! + 2 * jitterUs;
    expect(Math.max(...apart.filter((_us, at) => isTouched(at)))).toBeLessThanOrEqual(scatterUs);
    expect(firstTimeUs).toBeGreaterThanOrEqual(T0 - timebase.toleranceUs!);
    expect(lastTimeUs).toBeLessThanOrEqual(sets.at(-1)!.trueUs + timebase.toleranceUs!);
  });
});

describe('the clock of the metadata', () => {
  it('is on one line if nothing is wrong', () => {
    const sets = flight(60);
    expect(judge(sets)).toMatchObject({ isBelieved: true, wrongSets: 0, wrong: [], otherUs: null, firstTimeUs: T0 });
  });

  it('names moment and size of each fault', () => {
    const sets = flight(60);
    faults['a leap second']!(sets, 250, 500, Math.random);
    faults['swapped pairs']!(sets, 1000, 1002, Math.random);

    const { wrong, wrongSets } = judge(sets);

    expect(wrongSets).toBe(252);
    expect(wrong).toEqual([
      { run: 0, firstTicks: sets[250]!.ticks, lastTicks: sets[499]!.ticks, sets: 250, byUs: SECOND_US },
      { run: 0, firstTicks: sets[1000]!.ticks, lastTicks: sets[1001]!.ticks, sets: 2, byUs: 40_000 },
    ]);
  });

  it('takes the earlier of two stretches that are equally long, and gives the other reading', () => {
    const sets = flight(60);
    faults['a leap second back']!(sets, 700, sets.length, Math.random);

    const { isBelieved, otherUs, timebase } = judge(sets);

    expect({ isBelieved, otherUs }).toEqual({ isBelieved: true, otherUs: -SECOND_US });
    expect(sets.map((set) => utcOf(timebase, set))).toEqual(sets.map(({ trueUs }) => trueUs));
  });

  it('takes the longer of two stretches that differ by more than a fifth', () => {
    const sets = flight(60);
    faults['a clock of another year']!(sets, 0, 600, Math.random);

    const { otherUs, timebase } = judge(sets);

    expect(otherUs).toBeNull();
    expect(sets.map((set) => utcOf(timebase, set))).toEqual(sets.map(({ trueUs }) => trueUs));
  });

  it('is not believed where no stretch is long', () => {
    const random = randomOf(1);
    const sets = flight(60);
    faults['times of noise']!(sets, 0, sets.length, random);

    expect(judge(sets).isBelieved).toBe(false);
  });

  it('goes on over a run of PTS that restarts, and leaves out one whose times go back', () => {
    const sets = [
      ...flight(40),
      ...flight(20).map((set) => ({ ...set, run: 1, reportedUs: set.trueUs + 50 * SECOND_US })),
      ...flight(10).map((set) => ({ ...set, run: 2, reportedUs: set.trueUs - 999 * SECOND_US })),
    ];

    const { runs, wrong, timebase } = judge(sets);

    expect(runs.map(({ run }) => run)).toEqual([0, 1]);
    expect(utcOfPts(timebase, 1, 126_000)).toBe(T0 + 50 * SECOND_US);
    expect(wrong).toMatchObject([{ run: 2, sets: 250, byUs: null }]);
  });

  it('takes a jump of PTS ahead for a time without a recording, which the clock has to confirm', () => {
    const later = flight(30).map((set) => ({ ...set, run: 1, ticks: set.ticks + 200 * 90_000 }));
    const goesAlong = later.map((set) => ({ ...set, reportedUs: set.trueUs + 200 * SECOND_US }));
    const stays = later.map((set) => ({ ...set, reportedUs: set.trueUs + 40 * SECOND_US }));

    expect(judge([...flight(40), ...goesAlong])).toMatchObject({ wrongSets: 0 });
    expect(judge([...flight(40), ...stays])).toMatchObject({ wrongSets: 750, wrong: [{ run: 1 }] });
  });

  it('reads a clock of whole seconds, and sets that have no PTS of their own', () => {
    const whole = flight(60).map((set) => ({ ...set, reportedUs: Math.floor(set.trueUs / SECOND_US) * SECOND_US }));
    const bunched = flight(60).map((set, n) => ({ ...set, ticks: 126_000 + 90_000 * Math.floor(n / RATE) }));

    expect(judge(whole)).toMatchObject({ isBelieved: true, wrongSets: 0 });
    expect(judge(bunched, false)).toMatchObject({ isBelieved: true, wrongSets: 0 });
  });

  it('follows a clock that drifts', () => {
    const sets = flight(1200).map((set) => ({ ...set, reportedUs: Math.round(T0 + (set.trueUs - T0) * 1.005) }));

    expect(judge(sets)).toMatchObject({ isBelieved: true, wrongSets: 0 });
  });

  it('keeps to a few thousand anchors and levels, however odd the times are', () => {
    const random = randomOf(2);
    const clock = createKlvClock();
    for (let n = 0; n < 100_000; n += 1) {
      const run = Math.floor(n / 50_000);
      clock.add({ run, ticks: n * 3600, isOwn: true }, T0 + n * 40_000 + Math.round(random() * 60 * SECOND_US));
    }
    const { wrong, runs } = clock.finish(100_000)!;

    expect(wrong.length).toBeLessThanOrEqual(100);
    expect(runs.reduce((sum, { anchors }) => sum + anchors.length, 0)).toBeLessThan(4100);
  });
});
