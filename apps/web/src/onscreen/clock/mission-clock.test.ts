import { expect, it } from 'vitest';
import type { ClockMember } from './members.ts';
import { createMissionClock } from './mission-clock.ts';

const SECOND = 1_000_000;

type Range = [startS: number, endS: number];

/** A player that keeps perfect or drifting time, without a picture. */
function member(id: string, ranges: Range[], options: { ready?: boolean } = {}) {
  const state = { at: 0, playing: false, rate: 1, ready: options.ready ?? true, shown: [] as number[], missed: false };
  const covers = (timeUs: number) => ranges.some(([from, to]) => timeUs >= from * SECOND && timeUs <= to * SECOND);
  const part: ClockMember = {
    id,
    covers,
    nextCovered(timeUs) {
      if (covers(timeUs)) return timeUs;
      const starts = ranges.map(([from]) => from * SECOND).filter((from) => from >= timeUs);
      return starts.length > 0 ? Math.min(...starts) : null;
    },
    lastCovered(timeUs) {
      if (covers(timeUs)) return timeUs;
      const ends = ranges.map(([, to]) => to * SECOND).filter((to) => to <= timeUs);
      return ends.length > 0 ? Math.max(...ends) : null;
    },
    nowUs: () => state.at,
    isReady: () => state.ready,
    show(timeUs) {
      state.playing = false;
      state.missed = !covers(timeUs);
      state.at = timeUs;
      state.shown.push(timeUs);
    },
    play(rate) {
      state.playing = true;
      state.missed = false;
      state.rate = rate;
    },
    pause() {
      state.playing = false;
    },
    miss() {
      state.playing = false;
      state.missed = true;
    },
    async step(direction) {
      state.at += direction * 40_000;
      return state.at;
    },
  };
  return { part, state };
}

function clockOf(endS: number) {
  let now = 0;
  let tick: (() => void) | null = null;
  const clock = createMissionClock({
    startUs: 0,
    endUs: endS * SECOND,
    preferred: 'eo',
    now: () => now,
    onNextPaint(next) {
      tick = next;
      return () => {
        tick = null;
      };
    },
  });
  const players: ReturnType<typeof member>[] = [];
  const wait = (ms: number) => {
    now += ms;
    for (const { state } of players) if (state.playing) state.at += ms * 1000 * state.rate;
  };
  return {
    clock,
    /** Passes time without ticks of the clock. */
    wait,
    join(...joined: ReturnType<typeof member>[]) {
      for (const one of joined) clock.join(one.part);
      players.push(...joined);
    },
    /** Lets this number of looks pass, 20 ms each. */
    run(looks: number) {
      for (let count = 0; count < looks; count += 1) {
        wait(20);
        const next = tick;
        tick = null;
        next?.();
      }
    },
  };
}

/** A clock that plays two sensors that are together. */
function playingTwo() {
  const { clock, join, run, wait } = clockOf(60);
  const [eo, ir] = [member('eo', [[0, 60]]), member('ir', [[0, 60]])];
  join(eo, ir);
  clock.play();
  run(3);
  return { clock, run, wait, eo, ir };
}

it('takes its time from the leader, at its speed', () => {
  const { clock, join, run } = clockOf(60);
  const eo = member('eo', [[0, 60]]);
  join(eo);

  clock.setSpeed(2);
  clock.play();
  run(51);

  expect(clock.timeUs()).toBe(2 * SECOND);
  expect(eo.state.rate).toBe(2);
});

it('starts all pictures together once they are ready', () => {
  const { clock, join, run } = clockOf(60);
  const [eo, ir] = [member('eo', [[0, 60]]), member('ir', [[0, 60]], { ready: false })];
  join(eo, ir);

  clock.play();
  run(5);
  expect(eo.state.playing).toBe(false);
  ir.state.ready = true;
  run(2);

  expect([eo.state.playing, ir.state.playing]).toEqual([true, true]);
});

it('does not wait for ever for a follower that cannot play', () => {
  const { clock, join, run } = clockOf(60);
  join(member('eo', [[0, 60]]), member('ir', [[0, 60]], { ready: false }));

  clock.play();
  run(250);

  expect(clock.get().settling).toBe(false);
  expect(clock.timeUs()).toBeGreaterThan(0);
});

it('corrects a small drift by at most a tenth of the rate', () => {
  const { run, eo, ir } = playingTwo();

  ir.state.at -= 100_000;
  run(1);
  expect(ir.state.rate).toBeCloseTo(1.1, 5);
  run(100);

  expect(Math.abs(ir.state.at - eo.state.at)).toBeLessThan(5000);
});

it('corrects a large drift by a seek and waits there for the leader', () => {
  const { run, eo, ir } = playingTwo();

  ir.state.at -= SECOND;
  run(2);
  expect(ir.state.playing).toBe(false);
  run(40);

  expect(ir.state.playing).toBe(true);
  expect(Math.abs(ir.state.at - eo.state.at)).toBeLessThan(40_000);
});

it('makes the leader wait until a follower that is a little late has come', () => {
  const { run, eo, ir } = playingTwo();
  const target = ir.state.shown.length;

  ir.state.at -= 300_000;
  run(2);
  expect([eo.state.playing, ir.state.playing]).toEqual([false, true]);
  run(20);

  expect([eo.state.playing, ir.state.playing]).toEqual([true, true]);
  expect(Math.abs(ir.state.at - eo.state.at)).toBeLessThan(40_000);
  expect(ir.state.shown).toHaveLength(target);
});

it('does not wait for ever for a follower that does not come', () => {
  const { clock, run, ir } = playingTwo();

  ir.state.at -= 300_000;
  run(2);
  ir.state.ready = false;
  run(400);

  expect(clock.timeUs()).toBeGreaterThan(3 * SECOND);
});

it('makes a follower that ran ahead wait for the leader where it is', () => {
  const { run, eo, ir } = playingTwo();
  const target = ir.state.shown.length;

  ir.state.at += 300_000;
  run(2);
  expect(ir.state.playing).toBe(false);
  run(30);

  expect(ir.state.playing).toBe(true);
  expect(Math.abs(ir.state.at - eo.state.at)).toBeLessThan(40_000);
  expect(ir.state.shown).toHaveLength(target);
});

it('seeks further ahead for a follower that is soon late again', () => {
  const { run, eo, ir } = playingTwo();
  const fallBehind = () => {
    ir.state.at -= SECOND;
    run(1);
    const ahead = ir.state.at - eo.state.at;
    run(60);
    return ahead;
  };

  const [first, second] = [fallBehind(), fallBehind()];

  expect(first).toBe(400_000);
  expect(second).toBe(800_000);
});

it('shows all sensors the same moment after a pause', () => {
  const { clock, join, run } = clockOf(60);
  const [eo, ir] = [member('eo', [[0, 60]]), member('ir', [[0, 60]])];
  join(eo, ir);
  clock.play();
  run(20);
  ir.state.at += 30_000;

  clock.pause();

  expect(ir.state.at).toBe(eo.state.at);
  expect(clock.timeUs()).toBe(eo.state.at);
});

it('pauses all where they were when a step finds no other frame', async () => {
  const eo = member('eo', [[0, 100]]);
  const ir = member('ir', [[0, 100]]);
  const { clock, join } = clockOf(100);
  join(eo, ir);
  clock.seek(10 * SECOND);
  eo.part.step = async () => {
    // The picture moved too late to be reported.
    eo.state.at += 40_000;
    return null;
  };

  await clock.step(1);

  expect([clock.timeUs(), eo.state.at, ir.state.at]).toEqual([10 * SECOND, 10 * SECOND, 10 * SECOND]);
});

it('steps the leader by one frame and brings the others to it', async () => {
  const { clock, join } = clockOf(60);
  const [eo, ir] = [member('eo', [[0, 60]]), member('ir', [[0, 60]])];
  join(eo, ir);
  clock.seek(10 * SECOND);

  await clock.step(1);

  expect([eo.state.at, ir.state.at, clock.timeUs()]).toEqual([10_040_000, 10_040_000, 10_040_000]);
});

it('jumps over time that was not recorded', () => {
  const { clock, join, run } = clockOf(60);
  join(
    member('eo', [
      [0, 1],
      [30, 60],
    ]),
  );

  clock.play();
  run(60);

  expect(clock.timeUs()).toBeGreaterThan(30 * SECOND);
  expect(clock.get().playing).toBe(true);
});

it.each([
  ['on', 1, 30],
  ['back', -1, 2],
] as const)('steps %s out of what nobody recorded to the nearest picture there', async (_where, direction, atS) => {
  const { clock, join } = clockOf(60);
  const eo = member('eo', [
    [0, 1],
    [40, 60],
  ]);
  const ir = member('ir', [
    [1, 2],
    [30, 60],
  ]);
  join(eo, ir);
  clock.seek(10 * SECOND);

  await clock.step(direction);

  expect(clock.timeUs()).toBe(atS * SECOND);
  expect([eo.state.missed, ir.state.missed]).toEqual([true, false]);
});

it('lets another sensor lead where the leader has a gap', () => {
  const { clock, join, run } = clockOf(60);
  const eo = member('eo', [
    [0, 1],
    [30, 60],
  ]);
  const ir = member('ir', [[0, 60]]);
  join(eo, ir);

  clock.play();
  run(10);
  expect(clock.driftUs('ir')).not.toBeNull();
  run(90);

  // The clock has no leading sensor any more.
  expect(clock.driftUs('ir')).toBeNull();
  expect(clock.timeUs()).toBeGreaterThan(1.5 * SECOND);
  expect(clock.timeUs()).toBeLessThan(3 * SECOND);
  expect([eo.state.playing, ir.state.playing]).toEqual([false, true]);
});

it('does not skip the gap when the leader itself runs over it', () => {
  const { clock, join, run } = clockOf(60);
  const eo = member('eo', [
    [0, 1],
    [30, 60],
  ]);
  const ir = member('ir', [[0, 60]]);
  join(eo, ir);
  clock.play();
  run(49);

  // The file of this sensor continues after the gap without a pause.
  eo.state.at = 30 * SECOND;
  run(10);

  expect(clock.timeUs()).toBeLessThan(2 * SECOND);
  expect(eo.state.playing).toBe(false);
  expect(ir.state.playing).toBe(true);
  // The picture on screen is from after the gap.
  expect([eo.state.missed, ir.state.missed]).toEqual([true, false]);
});

it('says of a follower that it has nothing of its gap, until it plays on after that', () => {
  const { clock, join, run } = clockOf(60);
  const eo = member('eo', [[0, 60]]);
  const ir = member('ir', [
    [0, 1],
    [3, 60],
  ]);
  join(eo, ir);
  clock.play();
  run(49);

  // The file of this sensor continues after the gap without a pause.
  ir.state.at = 3 * SECOND;
  run(10);
  expect([ir.state.playing, ir.state.missed]).toEqual([false, true]);
  run(110);

  expect([ir.state.playing, ir.state.missed]).toEqual([true, false]);
});

it('does not take a page that was suspended for a gap of the leader', () => {
  const { run, wait, eo, ir, clock } = playingTwo();
  const shown = [eo, ir].map(({ state }) => state.shown.length);

  // The pictures play on without the page.
  wait(1500);
  run(1);

  expect(clock.timeUs()).toBe(eo.state.at);
  expect([eo, ir].map(({ state }) => state.shown.length)).toEqual(shown);
  expect([eo.state.playing, ir.state.playing]).toEqual([true, true]);
});

it('stops at the end and starts again from the beginning', () => {
  const { clock, join, run } = clockOf(1);
  const eo = member('eo', [[0, 1]]);
  join(eo);

  clock.play();
  run(80);
  expect(clock.get().playing).toBe(false);
  clock.play();

  expect(clock.timeUs()).toBe(0);
});

it('keeps a seek inside the mission', () => {
  const { clock, join } = clockOf(60);
  const eo = member('eo', [[0, 60]]);
  join(eo);

  clock.skip(-10 * SECOND);
  expect(clock.timeUs()).toBe(0);
  clock.seek(99 * SECOND);

  expect(clock.timeUs()).toBe(60 * SECOND);
});

it('shows a member that joins late the present moment', () => {
  const { clock, join } = clockOf(60);
  join(member('eo', [[0, 60]]));
  clock.seek(7 * SECOND);

  const ir = member('ir', [[0, 60]]);
  join(ir);

  expect(ir.state.shown).toEqual([7 * SECOND]);
});

it('is led by the preferred sensor whichever is ready first, until the user chooses', () => {
  const { clock, join } = clockOf(60);
  join(member('ir', [[0, 60]]));
  expect(clock.get().leader).toBe('ir');
  join(member('eo', [[0, 60]]));
  expect(clock.get().leader).toBe('eo');

  clock.lead('ir');
  join(member('eo', [[0, 60]]));

  expect(clock.get().leader).toBe('ir');
});
