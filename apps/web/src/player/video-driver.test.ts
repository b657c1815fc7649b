// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sensorRow, timelineOf } from '../testing/view-services.ts';
import { keepShown } from './frames/shown-before.ts';
import { createTimeMap } from './hls/time-map.ts';
import { createVideoDriver } from './video-driver.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => {
    callback();
    return 0;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** How long a seek takes here: decoding from the last key frame. ms */
const SEEK_MS = 40;

type Given = {
  /** Media times of the pictures that the recording has, seconds. */
  pictures: number[];
  length: number;
  /** A picture that is shown already is not announced again. */
  silent?: boolean;
  buffered?: [number, number][];
};

/** A media element that shows the last picture at or before its place, as browsers do. */
function fakeMedia({ pictures, length, silent = false, buffered = [[0, length]] }: Given) {
  let callback: VideoFrameRequestCallback | null = null;
  let shown: number | null = null;
  let place = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const events = new EventTarget();
  const seeks: number[] = [];

  function showPicture() {
    const picture = pictures.findLast((time) => time <= place + 1e-9);
    if (picture === undefined || (silent && picture === shown)) return;
    shown = picture;
    const notify = callback;
    callback = null;
    notify?.(0, { mediaTime: picture } as VideoFrameCallbackMetadata);
  }
  const media = {
    ended: false,
    seeking: false,
    readyState: 4,
    duration: length,
    paused: true,
    playbackRate: 1,
    buffered: {
      length: buffered.length,
      start: (at: number) => buffered[at]![0],
      end: (at: number) => buffered[at]![1],
    },
    get currentTime() {
      return place;
    },
    set currentTime(next: number) {
      place = next;
      seeks.push(next);
      media.seeking = true;
      clearTimeout(timer);
      // Pictures that are not in the buffer never come.
      if (!buffered.some(([from, to]) => next >= from && next <= to)) return;
      timer = setTimeout(() => {
        media.seeking = false;
        events.dispatchEvent(new Event('seeked'));
        showPicture();
      }, SEEK_MS);
    },
    pause: () => undefined,
    play: async () => undefined,
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    requestVideoFrameCallback(next: VideoFrameRequestCallback) {
      callback = next;
      return 0;
    },
    cancelVideoFrameCallback: () => undefined,
  };
  return { media, seeks };
}

/** Pictures at a steady rate, from zero. */
const steady = (rate: number, seconds: number) =>
  Array.from({ length: Math.round(rate * seconds) }, (_, index) => index / rate);

/** Drives an element through a recording of one piece. */
function driverOf(
  video: HTMLVideoElement,
  length: number,
  frameRate: number | null,
  onFrame = (_timeUs: number) => {},
) {
  const timeline = timelineOf(sensorRow());
  const run = { ...timeline.runs[0]!, lastPts: length * 90_000, endTime: length * 1e6 };
  const map = createTimeMap({ ...timeline, frameRate, runs: [run], gaps: [] });
  return createVideoDriver({ id: 'eo', video, map, onFrame, onCovered: () => undefined });
}

/** A paused driver at a place of a recording that states this rate. */
async function standingAt(place: number, frameRate: number | null, given: Given) {
  const { media, seeks } = fakeMedia(given);
  const driver = driverOf(media as unknown as HTMLVideoElement, given.length, frameRate);
  media.currentTime = place + 0.001;
  await vi.advanceTimersByTimeAsync(SEEK_MS);
  seeks.length = 0;

  /** Seconds of the picture then shown, and how long that took. */
  async function step(direction: 1 | -1) {
    const began = performance.now();
    const done = driver.step(direction);
    let tookMs = Number.NaN;
    done.then(() => {
      tookMs = performance.now() - began;
    });
    for (let waited = 0; waited < 3000 && Number.isNaN(tookMs); waited += 10) await vi.advanceTimersByTimeAsync(10);
    const timeUs = await done;
    return { shown: timeUs === null ? null : timeUs / 1e6, tookMs };
  }
  return { driver, media, step, seeks };
}

async function stepsFrom(place: number, count: number, direction: 1 | -1, frameRate: number | null, given: Given) {
  const { step } = await standingAt(place, frameRate, given);
  const shown: (number | null)[] = [];
  for (let at = 0; at < count; at += 1) shown.push((await step(direction)).shown);
  return shown;
}

it('knows a picture that was on screen before its player had come', () => {
  const video = fakeMedia({ pictures: steady(25, 10), length: 10 }).media as unknown as HTMLVideoElement;
  const shown: number[] = [];
  keepShown(video, 2.4);

  const driver = driverOf(video, 10, 25, (timeUs) => shown.push(timeUs));

  expect([driver.frameUs(), shown]).toEqual([2_400_000, [2_400_000]]);
});

it('asks again for a picture that came to its very place before anybody listened', async () => {
  const { media } = fakeMedia({ pictures: steady(25, 10), length: 10 });
  media.currentTime = 2.001;
  await vi.advanceTimersByTimeAsync(SEEK_MS);

  const driver = driverOf(media as unknown as HTMLVideoElement, 10, 25);
  driver.show(2_000_000);
  await vi.advanceTimersByTimeAsync(SEEK_MS);

  expect(driver.frameUs()).toBe(2_000_000);
});

it('steps one picture at a time by one seek each where the stated rate is true', async () => {
  const { step, seeks } = await standingAt(1, 25, { pictures: steady(25, 10), length: 10 });

  expect([(await step(1)).shown, (await step(1)).shown, (await step(-1)).shown]).toEqual([1.04, 1.08, 1.04]);
  expect(seeks).toHaveLength(3);
});

it.each([
  [60, 30],
  [50, 25],
  [120, 30],
  [15, 30],
  [10, 30],
  [12, 60],
  [24, 25],
  [null, 10],
])('steps one picture at a time where %s pictures a second are stated and there are %i', async (stated, real) => {
  const given = { pictures: steady(real, 10), length: 10 };
  const expected = [1, 2, 3].map((count) => 2 + count / real);

  const on = await stepsFrom(2, 3, 1, stated, given);
  const back = await stepsFrom(2, 3, -1, stated, given);

  on.forEach((shown, at) => void expect(shown).toBeCloseTo(expected[at]!, 5));
  back.forEach((shown, at) => void expect(shown).toBeCloseTo(4 - expected[at]!, 5));
});

it('needs one seek a step once it has seen that the stated rate is wrong', async () => {
  for (const [stated, real] of [
    [60, 30],
    [15, 30],
  ] as const) {
    const { step, seeks } = await standingAt(2, stated, { pictures: steady(real, 10), length: 10 });
    await step(1);
    seeks.length = 0;

    await step(1);

    expect(seeks, `${stated} for ${real}`).toHaveLength(1);
  }
});

it('leaves out no picture of a recording without a steady rate', async () => {
  const pictures = [0, 0.033, 0.1, 0.133, 0.2, 0.7, 0.71, 0.8, 1.4, 1.433, 1.5];
  const given = { pictures, length: 1.6 };

  expect(await stepsFrom(0, 10, 1, 30, given)).toEqual(pictures.slice(1));
  expect(await stepsFrom(1.5, 10, -1, 30, given)).toEqual(pictures.slice(0, -1).toReversed());
});

it.each([
  ['tells again of the picture that it shows', false, 1000],
  ['tells nothing of it', true, 3000],
])('steps over pictures that a lossy recording lacks, where the browser %s', async (_how, silent, withinMs) => {
  const pictures = steady(25, 10).filter((time) => time <= 2 || time >= 2.9);
  const { step } = await standingAt(2, 25, { pictures, length: 10, silent });

  const on = await step(1);
  const back = await step(-1);

  expect(on.shown).toBe(2.92);
  expect(back.shown).toBe(2);
  expect(Math.max(on.tookMs, back.tookMs)).toBeLessThan(withinMs);
});

it('steps over a hole in what is loaded without waiting in it', async () => {
  const pictures = steady(25, 10).filter((time) => time < 2 || time >= 2.8);
  const { step } = await standingAt(1.96, 25, {
    pictures,
    length: 10,
    buffered: [
      [0, 2],
      [2.8, 10],
    ],
  });

  expect(await step(1)).toEqual({ shown: 2.8, tookMs: SEEK_MS });
  expect(await step(-1)).toEqual({ shown: 1.96, tookMs: SEEK_MS });
});

it('says that there is no other picture at either end, also where the last ones are missing', async () => {
  const pictures = steady(25, 10).slice(2, -3);
  const given = { pictures, length: 10, buffered: [[0.08, 9.88]] as [number, number][] };
  const first = await standingAt(0.08, 25, given);
  const last = await standingAt(pictures.at(-1)!, 25, given);

  const [before, after] = [await first.step(-1), await last.step(1)];

  expect([before.shown, after.shown]).toEqual([null, null]);
  expect(Math.max(before.tookMs, after.tookMs)).toBeLessThan(1000);
});

it('gives a step up for a seek or for playing', async () => {
  const { driver } = await standingAt(1, 25, { pictures: steady(25, 10), length: 10 });

  const target = driver.step(1);
  driver.show(5_000_000);
  await vi.advanceTimersByTimeAsync(SEEK_MS * 3);
  expect(await target).toBeNull();
  expect(driver.frameUs()).toBe(5_000_000);

  const played = driver.step(1);
  driver.play(1);
  expect(await played).toBeNull();
});

it('is past its recording once that has ended, also where the media time ends a tick early', async () => {
  const { driver, media } = await standingAt(9.959, 25, { pictures: steady(25, 10), length: 9.999999 });
  driver.play(1);
  const before = driver.nowUs()!;

  media.ended = true;

  expect(before).toBeLessThan(9_999_999);
  expect(driver.covers(driver.nowUs()!)).toBe(false);
});
