import type { SharedLive } from '@osprey/contract';
import { expect, it, vi } from 'vitest';
import { createLiveClock } from '../../live/clock/live-clock.ts';
import { followLive } from './follow-live.ts';

const SECOND = 1_000_000;
const EO = '00000000-0000-4000-8000-00000000000a';

/** A live player of which the last 60 s are kept. */
function open() {
  let [timeUs, paused, touched, nowMs] = [59 * SECOND, false, false, 0];
  const clock = createLiveClock();
  clock.enter({
    ...{ id: EO, timeUs: () => timeUs, span: () => ({ startUs: 0, endUs: 60 * SECOND }), isPaused: () => paused },
    play: () => {
      paused = false;
    },
    pause: () => {
      paused = true;
    },
    skip: (deltaUs) => {
      timeUs = Math.min(59 * SECOND, timeUs + deltaUs);
    },
    goLive: () => {
      timeUs = 59 * SECOND;
    },
  });
  const onOwnWay = vi.fn();
  const followed = followLive({ clock, now: () => nowMs, isTouched: () => touched, onOwnWay });
  const show = (change: Partial<SharedLive>) =>
    followed.show({ ...{ live: [EO], sensor: null, playing: true, behindS: 0, map: null }, ...change });
  return {
    ...{ clock, show, onOwnWay },
    touch: () => {
      touched = true;
    },
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

it('goes as far behind live as the leader, back to live with them, and pauses with them', () => {
  const { clock, show, onOwnWay } = open();

  show({ behindS: 0 });
  expect(clock.timeUs()).toBe(59 * SECOND);
  show({ behindS: 30 });
  expect(clock.timeUs()).toBe(29 * SECOND);
  show({ behindS: 31 });
  expect(clock.timeUs(), 'near enough').toBe(29 * SECOND);
  show({ playing: false, behindS: 45 });
  expect([clock.get().playing, clock.timeUs()], 'its own picture stands').toEqual([false, 29 * SECOND]);
  show({ behindS: 0 });

  expect([clock.get().playing, clock.timeUs()]).toEqual([true, 59 * SECOND]);
  expect(onOwnWay).not.toHaveBeenCalled();
});

it('goes its own way when somebody here pauses, or winds back', () => {
  const paused = open();
  paused.show({});
  paused.touch();
  paused.clock.pause();
  expect(paused.onOwnWay).toHaveBeenCalledOnce();

  const { clock, show, touch, pass, onOwnWay } = open();
  show({});
  pass(10_000);
  touch();
  clock.skip(-30 * SECOND);
  expect(onOwnWay).toHaveBeenCalledOnce();
});
