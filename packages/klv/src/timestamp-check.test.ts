import { describe, expect, it } from 'vitest';
import { createTimestampCheck } from './timestamp-check.ts';

const T0 = 1_700_000_000_000_000;
const NOW = T0 + 3_600_000_000;
const SECOND_US = 1_000_000;
const SECOND_TICKS = 90_000;

/** Feeds times, each with the PTS of its own second unless given. */
function check(times: readonly (number | null)[], ptsSeconds?: readonly number[]) {
  const timestamps = createTimestampCheck({ nowUs: () => NOW });
  for (const [index, timeUs] of times.entries()) timestamps.add(timeUs, (ptsSeconds?.[index] ?? index) * SECOND_TICKS);
  return timestamps.report();
}

const seconds = (...offsets: number[]): number[] => offsets.map((offset) => T0 + offset * SECOND_US);

describe('the timestamp check', () => {
  it('trusts a clock that rises with PTS', () => {
    expect(check(seconds(0, 1, 2, 3))).toMatchObject({
      records: 4,
      trustworthy: true,
      unit: 'microseconds',
      firstTimeUs: T0,
      lastTimeUs: T0 + 3 * SECOND_US,
      places: [],
    });
  });

  it('reports milliseconds by mistake, and leaves them as they are', () => {
    const report = check([0, 1, 2].map((index) => T0 / 1000 + index * 1000));

    expect(report).toMatchObject({ milliseconds: 3, unit: 'milliseconds', trustworthy: true, firstTimeUs: T0 / 1000 });
    expect(report.places[0]).toEqual({ kind: 'milliseconds', index: 0, timeUs: T0 / 1000, stepUs: null });
  });

  it('does not trust a clock that is milliseconds only at times', () => {
    expect(check([T0, T0 / 1000 + 1000, T0 + 2 * SECOND_US])).toMatchObject({ milliseconds: 1, trustworthy: false });
  });

  it('counts duplicates, which do not spoil a clock', () => {
    const report = check(seconds(0, 0, 1), [0, 0.5, 1]);

    expect(report).toMatchObject({ duplicates: 1, trustworthy: true });
    expect(report.places).toEqual([{ kind: 'duplicate', index: 1, timeUs: T0, stepUs: 0 }]);
  });

  it('counts steps backwards', () => {
    const report = check(seconds(0, 1, 2, 1, 0, 5), [0, 1, 2, 3, 4, 5]);

    expect(report).toMatchObject({ backwards: 2, trustworthy: false });
    expect(report.places.filter(({ kind }) => kind === 'backwards').map(({ index }) => index)).toEqual([3, 4]);
  });

  it('finds gaps of five seconds and more, in times of three usual steps', () => {
    expect(check(seconds(0, 1, 6, 7, 106), [0, 1, 6, 7, 106])).toMatchObject({
      gaps: 2,
      longestGapUs: 99 * SECOND_US,
      trustworthy: true,
    });
    expect(check(seconds(0, 1, 5.9), [0, 1, 5.9])).toMatchObject({ gaps: 0 });
    const everyMinute = [0, 60, 120, 180, 300, 360];
    expect(check(seconds(...everyMinute), everyMinute)).toMatchObject({ gaps: 0 });
    const withHole = [...everyMinute, 540, 600];
    expect(check(seconds(...withHole), withHole)).toMatchObject({ gaps: 1, longestGapUs: 180 * SECOND_US });
  });

  it('takes a clock that is set ahead while PTS goes on for no gap', () => {
    expect(check(seconds(0, 1, 602, 603), [0, 1, 2, 3])).toMatchObject({ gaps: 0, drifts: 1 });
  });

  it('lists gaps that come after a hundred other places', () => {
    const twice = Array.from({ length: 300 }, (_, index) => (index >> 1) / 10);

    const { places } = check(seconds(...twice, 60), [...twice, 60]);

    expect(places.filter(({ kind }) => kind === 'gap')).toEqual([
      { kind: 'gap', index: 300, timeUs: T0 + 60 * SECOND_US, stepUs: 45.1 * SECOND_US },
    ]);
  });

  it('does not trust a clock that leaves PTS by more than a second', () => {
    expect(check(seconds(0, 1, 3.5), [0, 1, 2])).toMatchObject({ drifts: 1, trustworthy: false });
    expect(check(seconds(0, 1, 2.9), [0, 1, 2])).toMatchObject({ drifts: 0, trustworthy: true });
  });

  it('allows a slow drift within each minute, and a new run of PTS', () => {
    const slow = Array.from({ length: 600 }, (_, index) => T0 + index * 1.01 * SECOND_US);
    const timestamps = createTimestampCheck({ nowUs: () => NOW });
    timestamps.add(T0, 0);
    timestamps.restart();
    timestamps.add(T0 + SECOND_US, 1e9);

    expect(check(slow)).toMatchObject({ drifts: 0, trustworthy: true });
    expect(timestamps.report()).toMatchObject({ drifts: 0, trustworthy: true });
  });

  it.each([
    ['all ones', 2 ** 64],
    ['zero', 0],
    ['1989', Date.UTC(1989, 11, 31) * 1000],
    ['the day after tomorrow', NOW + 2 * 86_400 * SECOND_US],
  ])('takes %s as no time', (_what, timeUs) => {
    expect(check([timeUs])).toMatchObject({ outOfRange: 1, firstTimeUs: null, trustworthy: false });
  });

  it('still trusts a clock after days of recording', () => {
    let nowUs = T0;
    const timestamps = createTimestampCheck({ nowUs: () => nowUs });
    for (let hour = 0; hour < 50; hour++) {
      nowUs = T0 + hour * 3_600 * SECOND_US;
      timestamps.add(nowUs, hour * 3_600 * SECOND_TICKS);
    }

    expect(timestamps.report()).toMatchObject({ outOfRange: 0, trustworthy: true });
  });

  it('forgives one stray time in a hundred', () => {
    const good = Array.from({ length: 150 }, (_, index) => T0 + index * SECOND_US);

    expect(check([...good.slice(0, 50), 0, ...good.slice(51)])).toMatchObject({ outOfRange: 1, trustworthy: true });
    expect(check([0, 0, 0, ...good.slice(3)])).toMatchObject({ outOfRange: 3, trustworthy: false });
  });

  it('counts records without a time and does not trust nothing', () => {
    expect(check([null, null])).toMatchObject({ records: 2, missing: 2, trustworthy: false });
    expect(check([])).toMatchObject({ records: 0, trustworthy: false });
  });

  it('lists the first hundred places and counts on', () => {
    const report = check(new Array<number>(500).fill(0));

    expect(report.places).toHaveLength(100);
    expect(report.outOfRange).toBe(500);
  });
});
