import type { SharedMission } from '@osprey/contract';
import { expect, it, vi } from 'vitest';
import { createMissionClock } from '../../onscreen/clock/mission-clock.ts';
import { followClock } from './follow.ts';
import { addressOf } from './view.ts';

const SECOND = 1_000_000;
const [EO, IR] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];

const viewOf = (change: Partial<SharedMission>): SharedMission => ({
  ...{ mission: EO, sensor: null, shown: null, timeUs: 0, playing: false, waiting: false, speed: 1, map: null },
  ...change,
});

/** An hour of a mission with two sensors, whose pictures come `slowMs` after they were asked for. */
function open({ slowMs = 0 } = {}) {
  let nowMs = 0;
  let look: (() => void) | null = null;
  let touched = false;
  const onOwnWay = vi.fn();
  const clock = createMissionClock({
    ...{ startUs: 0, endUs: 3600 * SECOND, now: () => nowMs },
    onNextPaint: (next) => {
      look = next;
      return () => {
        look = null;
      };
    },
  });
  for (const id of [EO, IR]) {
    let [atUs, sinceMs, rate] = [0, 0, 0];
    const nowUs = () => atUs + rate * (nowMs - Math.max(sinceMs, 0)) * 1000;
    let askedMs = Number.NEGATIVE_INFINITY;
    const set = (us: number, speed: number) => {
      [atUs, sinceMs, rate] = [us, nowMs, speed];
    };
    clock.join({
      id,
      covers: () => true,
      nextCovered: (timeUs) => timeUs,
      lastCovered: (timeUs) => timeUs,
      nowUs,
      isReady: () => nowMs - askedMs >= slowMs,
      show: (timeUs) => {
        askedMs = nowMs;
        set(timeUs, 0);
      },
      play: (speed) => set(nowUs(), speed),
      pause: () => set(nowUs(), 0),
      miss: () => set(nowUs(), 0),
      step: async () => null,
    });
  }
  const followed = followClock({
    ...{ clock, sensorIds: [EO, IR], now: () => nowMs, onOwnWay },
    isTouched: () => touched,
  });
  return {
    clock,
    onOwnWay,
    show: followed.show,
    stop: followed.stop,
    touch(act: () => void) {
      touched = true;
      act();
      touched = false;
    },
    /** Looks before each paint, 50 times a second. */
    pass(ms: number) {
      for (let left = ms; left > 0; left -= 20) {
        nowMs += 20;
        const due = look;
        look = null;
        due?.();
      }
    },
  };
}

it('is paused where the leader is, with the sensor that leads there', () => {
  const { clock, show, onOwnWay } = open();

  show(viewOf({ timeUs: 90 * SECOND, sensor: IR }));

  expect(clock.timeUs()).toBe(90 * SECOND);
  expect(clock.get()).toMatchObject({ playing: false, leader: IR, chosen: true });
  expect(onOwnWay).not.toHaveBeenCalled();
});

it('plays with the leader at their speed, and stops with them at the same picture', () => {
  const { clock, show, pass } = open();

  show(viewOf({ timeUs: 10 * SECOND, playing: true, speed: 2 }));
  pass(3000);
  expect(clock.get()).toMatchObject({ playing: true, speed: 2 });
  expect(Math.abs(clock.timeUs() - 16 * SECOND)).toBeLessThan(0.6 * SECOND);
  show(viewOf({ timeUs: 16.04 * SECOND, speed: 2 }));

  expect(clock.get().playing).toBe(false);
  expect(clock.timeUs()).toBe(16.04 * SECOND);
});

it('learns how long its pictures take, and is with a leader who plays on after two corrections', () => {
  const { clock, show, pass } = open({ slowMs: 1200 });
  for (let second = 0; second <= 12; second += 1) {
    show(viewOf({ timeUs: (100 + second) * SECOND, playing: true }));
    pass(1000);
  }

  expect(Math.abs(clock.timeUs() - 113 * SECOND)).toBeLessThan(0.35 * SECOND);
});

it('goes at once where the leader goes while they play, however lately it went elsewhere', () => {
  const { clock, show, pass } = open();
  show(viewOf({ timeUs: 10 * SECOND, playing: true }));
  pass(400);
  show(viewOf({ timeUs: 900 * SECOND, playing: true, waiting: true }));

  expect(clock.timeUs()).toBe(900 * SECOND);
  expect(clock.get().playing).toBe(true);
});

it.each<[string, (clock: ReturnType<typeof open>['clock']) => void]>([
  ['pauses', (clock) => clock.pause()],
  ['goes elsewhere', (clock) => clock.seek(500 * SECOND)],
  ['lets another sensor lead', (clock) => clock.lead(IR)],
  ['plays at another speed', (clock) => clock.setSpeed(4)],
])('says that somebody goes their own way who %s', (_, act) => {
  const { clock, show, pass, touch, onOwnWay } = open();
  show(viewOf({ timeUs: 10 * SECOND, playing: true, sensor: EO }));
  pass(2000);
  expect(onOwnWay).not.toHaveBeenCalled();

  touch(() => act(clock));

  expect(onOwnWay).toHaveBeenCalled();
});

it("does not take the clock's own actions for the user's, also while the user types", () => {
  const { show, pass, touch, onOwnWay } = open({ slowMs: 300 });

  touch(() => {
    show(viewOf({ timeUs: 3598 * SECOND, playing: true, sensor: EO }));
    pass(1000);
    show(viewOf({ timeUs: 3599 * SECOND, playing: true, sensor: EO }));
  });

  expect(onOwnWay).not.toHaveBeenCalled();
});

it('has an address that opens what the leader shows', () => {
  const view = viewOf({ sensor: IR, shown: [EO, IR], timeUs: 1_780_304_403_000_000 });

  expect(addressOf(view)).toBe(
    `/missions?mission=${EO}&sensor=${IR}&sensors=${EO}%2C${IR}&t=2026-06-01T09%3A00%3A03.000Z`,
  );
});
