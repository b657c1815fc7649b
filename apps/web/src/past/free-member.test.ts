import { expect, it } from 'vitest';
import { createMissionClock } from '../onscreen/clock/mission-clock.ts';
import { freeMember } from './free-member.ts';

const DAY_US = 86_400_000_000;

function clockOf() {
  const time: { ms: number; look: () => void } = { ms: 0, look: () => undefined };
  const clock = createMissionClock({
    ...{ startUs: 0, endUs: DAY_US, timeUs: 3_600_000_000, now: () => time.ms },
    onNextPaint: (look) => {
      time.look = look;
      return () => undefined;
    },
  });
  clock.join(freeMember(() => time.ms));
  const pass = (ms: number, steps = 10) => {
    for (let step = 0; step < steps; step += 1) {
      time.ms += ms / steps;
      time.look();
    }
  };
  return { clock, pass };
}

it('goes on without pictures, at the given speed, and pauses where it is sent', () => {
  const { clock, pass } = clockOf();
  clock.play();
  pass(0, 1);
  pass(10_000);
  expect(clock.timeUs() / 1e6).toBeCloseTo(3610, 0);
  clock.setSpeed(600);
  pass(10, 1);
  const before = clock.timeUs();
  pass(10_000);
  expect((clock.timeUs() - before) / 1e6).toBeCloseTo(6000, -1);
  clock.pause();
  const stood = clock.timeUs();
  pass(5000);
  expect(clock.timeUs()).toBe(stood);
  clock.seek(7_200_000_000);
  expect(clock.timeUs()).toBe(7_200_000_000);
});

it('stops at the end of the day', () => {
  const { clock, pass } = clockOf();
  clock.seek(DAY_US - 1_000_000);
  clock.play();
  pass(0, 1);
  pass(5000);
  expect(clock.get().playing).toBe(false);
  expect(clock.timeUs()).toBe(DAY_US);
});
