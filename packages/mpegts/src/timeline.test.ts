import { describe, expect, it } from 'vitest';
import { createStreamClock, createTimeline, type StreamClock, TICKS_PER_SECOND } from './timeline.ts';

const S = TICKS_PER_SECOND;
const WRAP = 2 ** 33;

/** A program with a video and a KLV stream; `placed` shows what became of each time, in the order of release. */
function program() {
  const placed: string[] = [];
  let jumps = 0;
  const timeline = createTimeline(() => jumps++);
  const video = createStreamClock(true);
  const klv = createStreamClock(false);

  function give(name: string, clock: StreamClock, stamp: number, stepsBack: boolean) {
    const show = (ticks: number | null, run: number) =>
      placed.push(`${name}${run}:${ticks === null ? '-' : ticks / S}`);
    const wrapped = ((stamp % WRAP) + WRAP) % WRAP;
    if (timeline.place(clock, wrapped, stepsBack)) show(clock.ticks, clock.run);
    else timeline.hold(clock, { stamp: wrapped, release: show });
  }

  return {
    video(...seconds: number[]) {
      for (const second of seconds) give('v', video, second * S, false);
    },
    videoPtsOnly(...seconds: number[]) {
      for (const second of seconds) give('v', video, second * S, true);
    },
    klv(...seconds: number[]) {
      for (const second of seconds) give('k', klv, second * S, true);
    },
    timeline,
    end() {
      timeline.settle(video);
      timeline.settle(klv);
    },
    placed,
    jumps: () => jumps,
  };
}

describe('createTimeline', () => {
  it('runs on through the wrap of 33 bits', () => {
    const { video, placed } = program();
    const wrapSeconds = WRAP / S;

    video(wrapSeconds - 1, wrapSeconds, wrapSeconds + 1);

    expect(placed).toEqual([`v0:${wrapSeconds - 1}`, `v0:${wrapSeconds}`, `v0:${wrapSeconds + 1}`]);
  });

  it('begins a run when the clock goes back, once the next time agrees', () => {
    const { video, placed, jumps } = program();

    video(100, 101);
    video(40);
    expect(placed).toEqual(['v0:100', 'v0:101']);
    video(41, 42);

    expect(placed).toEqual(['v0:100', 'v0:101', 'v1:40', 'v1:41', 'v1:42']);
    expect(jumps()).toBe(1);
  });

  it('begins a run more than 10 s ahead, and none at 10 s', () => {
    const { video, placed } = program();

    video(1, 11, 22, 23);

    expect(placed).toEqual(['v0:1', 'v0:11', 'v1:22', 'v1:23']);
  });

  it('does not believe one odd time', () => {
    const { video, placed, jumps } = program();

    video(1, 2, 5000, 3, 4);

    expect(placed).toEqual(['v0:1', 'v0:2', 'v0:-', 'v0:3', 'v0:4']);
    expect(jumps()).toBe(0);
  });

  it('gives an odd last time up at the end', () => {
    const { video, placed, end } = program();

    video(1, 5000);
    end();

    expect(placed).toEqual(['v0:1', 'v0:-']);
  });

  it('believes a jump at once that the stream announced, from 1 s on', () => {
    const { video, placed, timeline } = program();

    video(1);
    timeline.announceJump();
    video(4, 5);

    expect(placed).toEqual(['v0:1', 'v1:4', 'v1:5']);
  });

  it('lets pictures without DTS step back by their reordering', () => {
    const { videoPtsOnly, placed } = program();

    videoPtsOnly(1, 1.5, 1.25, 2);

    expect(placed).toEqual(['v0:1', 'v0:1.5', 'v0:1.25', 'v0:2']);
  });

  it('takes a step back for a jump where pictures without DTS were in order so far', () => {
    const steady = Array.from({ length: 60 }, (_, n) => n / 25);
    const [reset, late] = [program(), program()];

    reset.videoPtsOnly(...steady, 2.08, 2.12, 2.16);
    late.videoPtsOnly(...steady, 2.48, 2.4, 2.44, 2.6);

    expect(reset.placed.slice(59)).toEqual(['v0:2.36', 'v1:2.08', 'v1:2.12', 'v1:2.16']);
    expect(reset.jumps()).toBe(1);
    expect(late.placed.slice(59)).toEqual(['v0:2.36', 'v0:2.48', 'v0:2.4', 'v0:2.44', 'v0:2.6']);
  });

  it('keeps KLV that comes late in the run it belongs to', () => {
    const { video, klv, placed } = program();

    video(100);
    klv(100);
    video(50, 51);
    klv(100.5, 51);

    expect(placed).toEqual(['v0:100', 'k0:100', 'v1:50', 'v1:51', 'k0:100.5', 'k1:51']);
  });

  it('lets KLV that comes early wait for the jump of the video', () => {
    const { video, klv, placed } = program();

    video(100);
    klv(100, 50, 50.5);
    video(101, 50, 51);

    expect(placed).toEqual(['v0:100', 'k0:100', 'v0:101', 'v1:50', 'k1:50', 'k1:50.5', 'v1:51']);
  });

  it('leaves KLV with a clock of its own alone', () => {
    const { video, klv, placed, end, jumps } = program();

    video(100);
    for (let second = 1000; second < 1040; second++) klv(second);
    end();

    expect(placed.slice(1)).toEqual(Array.from({ length: 40 }, (_, i) => `k0:${1000 + i}`));
    expect(jumps()).toBe(0);
  });

  it('takes KLV for the clock where there is no video', () => {
    const { klv, placed } = program();

    klv(10, 11, 3000, 3001);

    expect(placed).toEqual(['k0:10', 'k0:11', 'k1:3000', 'k1:3001']);
  });

  it('lets the first picture take the clock over from KLV before it', () => {
    const { video, klv, placed, jumps } = program();

    klv(10);
    video(5000, 5001);
    klv(5001);

    expect(placed).toEqual(['k0:10', 'v0:5000', 'v0:5001', 'k0:5001']);
    expect(jumps()).toBe(0);
  });

  it('lets KLV pause for minutes while the video goes on', () => {
    const { video, klv, placed } = program();

    klv(1);
    video(1, 11, 21, 31);
    klv(31);

    expect(placed.at(-1)).toBe('k0:31');
  });
});
