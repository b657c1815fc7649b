import type { SensorTimeline } from '@osprey/contract';
import { expect, it } from 'vitest';
import { createPictureTimes } from './picture-times.ts';
import { createTimeMap } from './time-map.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const T0 = 1_780_304_400_000_000;

type Run = SensorTimeline['runs'][number];

function run(fields: Partial<Run>): Run {
  return {
    discontinuity: 0,
    fileId: ID,
    playlistStart: 0,
    durationSeconds: 10,
    firstPts: 126_000,
    lastPts: 126_000 + 10 * 90_000 - 3600,
    startTime: T0,
    endTime: T0 + 10_000_000,
    anchors: [[126_000, T0]],
    ...fields,
  };
}

function mapOf(...runs: Run[]) {
  return createTimeMap({
    sensor: ID,
    startTime: T0,
    endTime: Math.max(...runs.map(({ endTime }) => endTime)),
    timeSource: 'klv',
    runs,
    gaps: [],
    targets: { binSeconds: 1, counts: [] },
    frameRate: 25,
  });
}

it('counts media time from the first DTS where the player found it, not from the first PTS', () => {
  const map = mapOf(run({}));

  // Two frames of B-frame delay: the player's zero is 7200 ticks before the first PTS.
  map.setZero(0, 118_800);

  expect(map.timeOf(0.08)).toBe(T0);
  expect(map.timeOf(0.12)).toBe(T0 + 40_000);
  expect(map.mediaTimeOf(T0 + 40_000)).toBeCloseTo(0.12, 9);
});

it('goes by the playlist until the player has reported its zero', () => {
  const map = mapOf(run({}));

  expect(map.isKnown(T0)).toBe(false);
  expect(map.mediaTimeOf(T0 + 2_000_000)).toBeCloseTo(2, 9);
});

it('unwraps a PTS of 33 bits to that of the run', () => {
  const firstPts = 2 ** 33 + 90_000;
  const map = mapOf(run({ firstPts, lastPts: firstPts + 900_000, anchors: [[firstPts, T0]] }));

  map.setZero(0, 90_000);

  expect(map.timeOf(1)).toBe(T0 + 1_000_000);
});

it('distinguishes runs whose clocks start alike', () => {
  const second = run({
    discontinuity: 1,
    playlistStart: 10,
    startTime: T0 + 60_000_000,
    endTime: T0 + 70_000_000,
    anchors: [[126_000, T0 + 60_000_000]],
  });
  const map = mapOf(run({}), second);
  map.setZero(0, 126_000);
  map.setZero(1, 126_000 - 900_000);

  expect(map.timeOf(9)).toBe(T0 + 9_000_000);
  expect(map.timeOf(11)).toBe(T0 + 61_000_000);
  expect(map.mediaTimeOf(T0 + 61_000_000)).toBeCloseTo(11, 9);
  expect(map.mediaTimeOf(T0 + 30_000_000)).toBeNull();
  expect(map.nextCovered(T0 + 30_000_000)).toBe(T0 + 60_000_000);
  expect(map.nextCovered(T0 + 90_000_000)).toBeNull();
  expect(map.lastCovered(T0 - 1)).toBeNull();
});

it('follows the anchors between PTS and the KLV clock', () => {
  // The KLV clock runs 1 % fast for five seconds, then true.
  const map = mapOf(
    run({
      anchors: [
        [126_000, T0],
        [126_000 + 450_000, T0 + 5_050_000],
        [126_000 + 900_000, T0 + 10_050_000],
      ],
      endTime: T0 + 10_050_000,
    }),
  );
  map.setZero(0, 126_000);

  expect(map.timeOf(2.5)).toBe(T0 + 2_525_000);
  expect(map.timeOf(7.5)).toBe(T0 + 7_550_000);
  expect(map.mediaTimeOf(T0 + 7_550_000)).toBeCloseTo(7.5, 9);
});

it('shows the last frame for the very end, where no other follows', () => {
  const map = mapOf(run({}));
  map.setZero(0, 126_000);

  expect(map.mediaTimeOf(T0 + 10_000_000)).toBeCloseTo(9.96, 9);
});

it('goes by the picture itself where the player shows it at another place than its PTS says', () => {
  // 33 bits, at another turn than the run is counted in.
  const firstPts = 2 ** 33 + 126_000;
  const map = mapOf(run({ firstPts, lastPts: firstPts + 900_000, anchors: [[firstPts, T0]] }));
  map.setZero(0, 126_000);
  const pictures = createPictureTimes();
  // Frame 3 is lost, and those after it are shown one frame late.
  pictures.put([0, 1, 2, 4].map((frame) => ({ mediaTime: frame * 0.04, ticks: 126_000 + frame * 3600 })));
  pictures.put([5, 6].map((frame) => ({ mediaTime: (frame + 1) * 0.04, ticks: 126_000 + frame * 3600 })));

  map.setPictures(pictures);

  expect(map.timeOf(0.16)).toBe(T0 + 160_000);
  expect(map.timeOf(0.24)).toBe(T0 + 200_000);
  expect(map.mediaTimeOf(T0 + 200_000)).toBeCloseTo(0.24, 9);
  expect(map.mediaTimeOf(T0 + 40_000)).toBeCloseTo(0.04, 9);
  // While a picture is shown longer than it should, the time does not run into that of the next.
  expect(map.timeOf(0.23)).toBe(T0 + 200_000);
  // Where the buffer has no picture, by the zero alone.
  expect(map.mediaTimeOf(T0 + 5_000_000)).toBeCloseTo(5, 9);
});
