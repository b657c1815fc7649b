import { expect } from 'vitest';
import { itWithData } from '../../../../../tools/test-support/test-data.ts';
import { fieldRecorder } from '../../../test/field.ts';

const recorded = await fieldRecorder();

const START_US = Date.UTC(2023, 10, 14, 22, 13, 20) * 1000;

/** One set each 40 ms from the beginning. */
const everyPicture = (count: number) => Array.from({ length: count }, (_none, n) => START_US + n * 40_000);

itWithData('one-swapped-pair.ts is dated by its KLV; the pair is dated by its pictures', async () => {
  const { health, texts, timeline, telemetry } = await recorded('one-swapped-pair.ts');

  expect(timeline).toMatchObject({ startTime: START_US, timeSource: 'klv' });
  expect(telemetry.time).toEqual(everyPicture(75));
  expect(health.clock).toMatchObject({ trustworthy: true, backwards: 1, gaps: [], readings: [] });
  expect(health.clock.wrong).toEqual([
    { time: START_US + 1_600_000, seconds: expect.closeTo(0.04, 3), sets: 2, bySeconds: expect.closeTo(0.04, 3) },
  ]);
  expect(texts).toContain('the time stamps go back once, by 0.040 s.');
  expect(texts).toContain('the telemetry clock is 0.040 s fast from 1.6 s to 1.6 s; the video dates these 2 sets.');
});

itWithData('clock-back-one-second.ts keeps the year and the earlier stretch, and gives the other reading', async () => {
  const { health, texts, timeline, telemetry } = await recorded('clock-back-one-second.ts');

  expect(timeline).toMatchObject({ startTime: START_US, timeSource: 'klv', timeAssumed: true });
  expect(telemetry.time).toEqual(everyPicture(75));
  expect(health.clock.readings).toMatchObject([{ name: 'clock-back-one-second.ts', otherSeconds: -1 }]);
  expect(texts).toContain('the time stamps go back once, by 0.960 s.');
  expect(texts).toMatch(/the telemetry clock is 1.0 s slow from 1.5 s to 3.0 s; the video dates these 37 sets/);
  expect(texts).toContain('The earlier stretch is used (assumed); by the other, all of it is 1.0 s earlier.');
});

itWithData('klv-muxed-7s-early.ts is in step, however far apart sets and pictures lie in the multiplex', async () => {
  const { health, timeline } = await recorded('klv-muxed-7s-early.ts');

  expect(timeline).toMatchObject({ startTime: START_US, timeSource: 'klv' });
  expect(health.clock).toMatchObject({ trustworthy: true, wrong: [] });
  expect(health.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

itWithData('async-no-pts.ts shows set n on picture n, and lasts as long as its pictures', async () => {
  const { health, timeline, telemetry } = await recorded('async-no-pts.ts');

  expect(timeline).toMatchObject({ startTime: START_US, endTime: START_US + 3_000_000, timeSource: 'klv' });
  expect(timeline.runs[0]).toMatchObject({ startTime: START_US, firstPts: 126_000 });
  expect(telemetry.time).toEqual(everyPicture(75));
  expect(health.clock.wrong).toEqual([]);
});
