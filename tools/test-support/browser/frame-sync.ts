/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import type { Locator, Page } from 'playwright-core';

/** Time code of one picture, and the state of the page around it at the end of the same animation frame. */
export type Sample = {
  codeUs: number;
  /** Time at which the picture was seen, by the clock of the machine, in UTC microseconds. */
  seenUs: number;
  frame: number;
  overlay: number;
  panel: number;
  marker: number;
  footprint: number;
};

type Sampler = { samples: Sample[]; unread: number; stop: boolean };
type TimeCode = { timeUs: number; frame: number } | null;
type SamplingWindow = Window & {
  ospreySampler?: Sampler;
  ospreyReadTimeCode?: (pixels: Uint8ClampedArray, width: number, height: number) => TimeCode;
};

const TIME_CODE = new URL('../../simulator/src/time-code.ts', import.meta.url);

/**
 * Starts sampling each picture that a sensor shows. In a frame callback the picture is drawn to a canvas and its time
 * code read; after the callbacks of that animation frame, the records shown by the parts of the page are read.
 */
export async function startSampling(page: Page, sensorId: string): Promise<void> {
  const source = stripTypeScriptTypes(await readFile(TIME_CODE, 'utf8')).replaceAll(/^export /gm, '');
  await page.evaluate(`{ ${source}; window.ospreyReadTimeCode = readTimeCode; }`);
  await page.evaluate((id) => {
    const target = window as SamplingWindow;
    const player = document.querySelector<HTMLElement>(`section[data-sensor-id="${id}"]`);
    const video = player?.querySelector('video');
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const read = target.ospreyReadTimeCode;
    if (!player || !video || !context || !read) throw new Error('There is no player to sample');
    const sampler: Sampler = { samples: [], unread: 0, stop: false };
    target.ospreySampler = sampler;
    const recordOf = (element: Element | null | undefined) =>
      Number(element?.getAttribute('data-record-time-us') || Number.NaN);

    const look = () => {
      if (sampler.stop) return;
      video.requestVideoFrameCallback(look);
      canvas.width = video.videoWidth;
      canvas.height = video.videoHeight;
      const seenUs = Date.now() * 1000;
      context.drawImage(video, 0, 0);
      const code = read(context.getImageData(0, 0, canvas.width, canvas.height).data, canvas.width, canvas.height);
      if (code === null) {
        sampler.unread += 1;
        return;
      }
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        // Runs as the first task after this animation frame, when all of its callbacks have run and none of the next.
        port1.onmessage = () => {
          sampler.samples.push({
            codeUs: code.timeUs,
            seenUs,
            frame: Number(player.getAttribute('data-frame-time-us')),
            overlay: recordOf(player.querySelector('canvas')),
            panel: recordOf(document.querySelector('[data-part="telemetry-panel"]')),
            marker: recordOf(document.querySelector('[data-part="platform-marker"]')),
            footprint: recordOf(document.querySelector(`g[data-sensor-id="${id}"]`)),
          });
        };
        port2.postMessage(null);
      });
    };
    video.requestVideoFrameCallback(look);
  }, sensorId);
}

/** Returns the number of samples so far. */
export const sampleCount = (page: Page): Promise<number> =>
  page.evaluate(() => (window as SamplingWindow).ospreySampler?.samples.length ?? 0);

/** Removes and returns the samples so far; `unread` is the number of pictures without a readable code. */
export const takeSamples = (page: Page): Promise<{ samples: Sample[]; unread: number }> =>
  page.evaluate(() => {
    const sampler = (window as SamplingWindow).ospreySampler;
    if (!sampler) return { samples: [], unread: 0 };
    const { samples, unread } = sampler;
    sampler.samples = [];
    sampler.unread = 0;
    return { samples, unread };
  });

/** Times of the simulator's records, which begin at `startUs` and repeat every `everyUs`. */
export type Records = { startUs: number; everyUs: number; endUs: number };

/** Panel, overlay, marker and footprint all show the last record at or before the picture. */
export function isRight(sample: Sample, { startUs, everyUs, endUs }: Records): boolean {
  const at = Math.min(sample.codeUs, endUs - 1);
  const expected = startUs + Math.floor((at - startUs) / everyUs) * everyUs;
  return [sample.overlay, sample.panel, sample.marker, sample.footprint].every((shown) => shown === expected);
}

/** Steps on frame by frame until this many pictures were sampled. */
export async function sampleSteps(page: Page, view: Locator, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    const before = await sampleCount(page);
    await view.getByRole('button', { name: 'One frame forward' }).click();
    await page.waitForFunction(
      (known) => ((window as SamplingWindow).ospreySampler?.samples.length ?? 0) > known,
      before,
    );
  }
}

/** Maximum wait for two sensors, in milliseconds. */
const MOST_MS = 20_000;

/**
 * Returns the distance between the two sensors on screen in each animation frame, in microseconds, while the first one
 * plays for that many seconds.
 */
export const drifts = (page: Page, seconds: number): Promise<number[]> =>
  page.evaluate(
    async ([spanUs, most]) => {
      const players = [...document.querySelectorAll<HTMLElement>('section[data-sensor-id]')];
      const shown = () => players.map((one) => Number(one.dataset.frameTimeUs));
      const [untilUs, until] = [shown()[0]! + spanUs, performance.now() + most];
      const found: number[] = [];
      while (shown()[0]! < untilUs && performance.now() < until) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        found.push(Math.max(...shown()) - Math.min(...shown()));
      }
      return found;
    },
    [seconds * 1e6, MOST_MS] as const,
  );

/**
 * Skips 10 s forward by keyboard, and returns the milliseconds until both sensors play again with at most the given
 * distance; 20,000 if they do not.
 */
export const skipOn = (page: Page, apartUs: number): Promise<number> =>
  page.evaluate(
    async ([apart, most]) => {
      const players = [...document.querySelectorAll<HTMLElement>('section[data-sensor-id]')];
      const shown = () => players.map((one) => Number(one.dataset.frameTimeUs));
      const behindUs = Math.max(...shown()) + 9_000_000;
      const targetAt = performance.now();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
      const landed = new Map<number, number>();
      while (performance.now() - targetAt < most) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const times = shown();
        for (const [index, time] of times.entries()) {
          if (time > behindUs && !landed.has(index)) landed.set(index, time);
        }
        const playOn = times.every((time, index) => time > (landed.get(index) ?? Number.POSITIVE_INFINITY));
        if (playOn && Math.max(...times) - Math.min(...times) <= apart) break;
      }
      return performance.now() - targetAt;
    },
    [apartUs, MOST_MS] as const,
  );
