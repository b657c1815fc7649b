import { expect, it } from 'vitest';
import { createCourse } from './course.ts';

const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;

/** Sets at 10 Hz whose clock runs `ahead` ms per second faster than the video. */
function fill(seconds: number, options: { ahead?: number; leaveOut?: (second: number) => boolean } = {}) {
  const { ahead = 0, leaveOut = () => false } = options;
  const course = createCourse({ startUs: START_US, endUs: START_US + seconds * 1e6 });
  for (let at = 0; at < seconds * 10; at += 1) {
    const timeUs = START_US + at * 100_000;
    if (leaveOut(Math.floor(at / 10))) continue;
    course.add({ timeUs, klvUs: timeUs + at * ahead * 100, ptsTicks: 900_000 + at * 9000, stretch: '0 0' });
  }
  return course.finish();
}

it('says the rate of an even stream as one number, also where buckets and sets do not fall together', () => {
  for (const seconds of [1, 40, 41.7, 599.5]) {
    const { time, ratePerSecond, clockOffsetMs } = fill(seconds);

    expect(new Set(ratePerSecond.map((rate) => Math.round(rate * 10) / 10))).toEqual(new Set([10]));
    expect(time[0]).toBe(START_US);
    expect(new Set(clockOffsetMs)).toEqual(new Set([0]));
  }
});

it('falls to nothing in a gap', () => {
  const { ratePerSecond } = fill(40, { leaveOut: (second) => second >= 10 && second < 14 });

  expect(ratePerSecond.slice(8, 16)).toEqual([10, 10, 0, 0, 0, 0, 10, 10]);
});

it('shows the drift between the clock of the metadata and that of the video', () => {
  const { clockOffsetMs } = fill(100, { ahead: 2 });

  expect(clockOffsetMs[0]).toBeCloseTo(1.8, 5);
  expect(clockOffsetMs.at(-1)).toBeCloseTo(199.8, 5);
});

it('holds at most 600 buckets, however long the recording', () => {
  const course = createCourse({ startUs: START_US, endUs: START_US + 36 * 3600 * 1e6 });
  for (let second = 0; second < 36 * 3600; second += 1) {
    const timeUs = START_US + second * 1e6;
    course.add({ timeUs, klvUs: timeUs, ptsTicks: second * 90_000, stretch: '0 0' });
  }

  const { time, ratePerSecond } = course.finish();

  expect(time.length).toBe(600);
  expect(ratePerSecond.slice(0, -1).every((rate) => rate === 1)).toBe(true);
});

it('restarts where the clock of the video jumps, and says nothing of sets without a clock', () => {
  const course = createCourse({ startUs: START_US, endUs: START_US + 4e6 });
  const at = (second: number) => START_US + second * 1e6;
  course.add({ timeUs: at(0), klvUs: at(0), ptsTicks: 0, stretch: '0 0' });
  course.add({ timeUs: at(1), klvUs: at(1), ptsTicks: 9_000_000, stretch: '0 1' });
  course.add({ timeUs: at(2), klvUs: Number.NaN, ptsTicks: 9_090_000, stretch: '0 1' });
  course.add({ timeUs: at(3), klvUs: at(3) + 5000, ptsTicks: 9_180_000, stretch: '0 1' });

  expect(course.finish().clockOffsetMs).toEqual([0, 0, null, 5]);
});
