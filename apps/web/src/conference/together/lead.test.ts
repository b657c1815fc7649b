import type { SharedMission, SharedView } from '@osprey/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLiveClock } from '../../live/clock/live-clock.ts';
import { emptyFrame } from '../../onscreen/frames.ts';
import { viewServices } from '../../testing/view-services.ts';
import { startLeading } from './lead.ts';
import { openMap, openView } from './shared.ts';

const SECOND = 1_000_000;
const [MISSION, EO] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000a'];

let stop: () => void = () => undefined;
beforeEach(() =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
);
afterEach(() => {
  stop();
  openView.set(null);
  openMap.set(null);
  vi.useRealTimers();
});

function lead() {
  const { clock, frames } = viewServices();
  const reported: (SharedMission | null)[] = [];
  stop = startLeading((view) => reported.push(view as SharedMission | null));
  const open = () =>
    openView.set({ missionId: MISSION, sensorIds: [EO], clock, frames, shownIds: null, choose: () => undefined });
  return { clock, frames, reported, open };
}

it('sends its view at once, also an empty one, and the mission when it is opened', () => {
  const { reported, open, clock } = lead();
  expect(reported).toEqual([null]);
  vi.advanceTimersByTime(1000);

  open();
  expect(reported).toHaveLength(2);
  expect(reported[1]).toEqual({
    ...{ mission: MISSION, sensor: null, shown: null, timeUs: 0, playing: false, waiting: false, speed: 1, map: null },
  });
  vi.advanceTimersByTime(500);
  clock.lead(EO);
  expect(reported.at(-1)?.sensor).toBe(EO);
});

it('sends five times a second at most, the newest in the end, and once a second while nothing moves', () => {
  const { reported, open, clock } = lead();
  open();
  vi.advanceTimersByTime(900);
  const before = reported.length;
  for (let at = 1; at <= 50; at += 1) {
    clock.seek(at * SECOND);
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(200);

  expect(reported.length - before).toBeLessThanOrEqual(4);
  expect(reported.at(-1)?.timeUs).toBe(50 * SECOND);
  const moved = reported.length;
  vi.advanceTimersByTime(3000);
  expect(reported.length - moved).toBe(3);
});

it('names the picture on screen of a paused clock, and the clock if its moment is another', () => {
  const { reported, open, clock, frames } = lead();
  open();
  clock.lead(EO);
  clock.seek(10 * SECOND + 30_000);
  vi.advanceTimersByTime(300);
  expect(reported.at(-1)?.timeUs).toBe(10 * SECOND + 30_000);
  frames.publish(emptyFrame(EO, 10 * SECOND));
  vi.advanceTimersByTime(300);
  expect(reported.at(-1)?.timeUs).toBe(10 * SECOND);
  frames.publish(emptyFrame(EO, 10 * SECOND + 40_000));
  vi.advanceTimersByTime(300);
  expect(reported.at(-1)?.timeUs).toBe(10 * SECOND + 40_000);
  clock.seek(90 * SECOND);
  vi.advanceTimersByTime(300);
  expect(reported.at(-1)?.timeUs).toBe(90 * SECOND);
});

it('tells of the live page which sensors are on screen, and how far behind live they are', () => {
  const clock = createLiveClock();
  const reported: (SharedView | null)[] = [];
  stop = startLeading((view) => reported.push(view));
  let [timeUs, paused] = [59 * SECOND, false];
  clock.enter({
    ...{ id: EO, timeUs: () => timeUs, span: () => ({ startUs: 0, endUs: 60 * SECOND }), isPaused: () => paused },
    ...{ play: () => undefined, pause: () => undefined, skip: () => undefined, goLive: () => undefined },
  });
  openView.set({ live: [EO], clock });
  vi.advanceTimersByTime(300);
  expect(reported.at(-1)).toEqual({ live: [EO], sensor: EO, playing: true, behindS: 0, map: null });

  [timeUs, paused] = [20 * SECOND, true];
  clock.notify(EO);
  vi.advanceTimersByTime(1000);
  expect(reported.at(-1)).toEqual({ live: [EO], sensor: EO, playing: false, behindS: 40, map: null });
});
