/// <reference lib="dom" />
import type { Mission } from '@osprey/contract';
import type { Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../test-support/browser/browser.ts';
import {
  drifts,
  isRight,
  type Records,
  sampleCount,
  sampleSteps,
  skipOn,
  startSampling,
  takeSamples,
} from '../../test-support/browser/frame-sync.ts';
import { logIn, openTelemetry } from '../../test-support/browser/screens.ts';
import { apiOf } from '../../test-support/data/api.ts';
import { makeRecordings } from '../../test-support/data/recordings.ts';
import { startServer } from '../../test-support/server.ts';
import { percentile } from '../../test-support/statistics.ts';
import { type BenchLine, belowGoal } from '../bench-line.ts';

const SECONDS = 40;
const STEPS = 100;
/** Minimum share of correct samples while playing; while stepping, all of them must be correct. */
const REQUIRED = { playing: 0.99, stepping: 1 };
const PLAYED = 600;
/**
 * Limits for two sensors of one mission: maximum distance while playing (two frames), and maximum time after a seek
 * until they are together again.
 */
const APART_MS = 80;
const TOGETHER_MS = 1000;
/** Number of seconds sampled from the start, and after each seek of 10 s; all of this fits into the recording. */
const LOOK_SECONDS = 4;
const SEEKS = 2;

const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;
const records: Records = { startUs: START_US, everyUs: 100_000, endUs: START_US + SECONDS * 1_000_000 };

/**
 * Measures the share of pictures for which the telemetry on screen is that of the picture itself, according to its time
 * code; and how well two sensors of a mission stay synchronised.
 */
export async function bench(): Promise<BenchLine[]> {
  const [server, browser, recordings] = await Promise.all([startServer(), launchBrowser(), makeRecordings()]);
  try {
    const api = apiOf(server.address);
    const { page } = await openPage(browser, server.address);
    await logIn(page);
    const lines: BenchLine[] = [];
    for (const bFrames of [2, 0]) {
      const name = bFrames > 0 ? 'with-B-frames' : 'without-B-frames';
      const path = await recordings.simulated(`${name}.ts`, { width: 640, height: 360, seconds: SECONDS, bFrames });
      const mission = await api.addRecorded({ name }, { 'EO/IR': path });
      lines.push(await measure(page, mission, 'stepping'), await measure(page, mission, 'playing'));
    }
    const sensor = (number: number) =>
      recordings.simulated(`sensor-${number}.ts`, { width: 640, height: 360, seconds: SECONDS, sensor: number });
    const [eo, ir] = [await sensor(1), await sensor(2)];
    const both = await api.addRecorded({ name: 'two-sensors' }, { EO: eo, IR: ir });
    return [...lines, ...(await measureTogether(page, both))];
  } finally {
    await browser.close();
    await server.stop();
    await recordings.remove();
  }
}

async function measure(page: Page, mission: Mission, way: 'playing' | 'stepping'): Promise<BenchLine> {
  await page.goto(`/missions?mission=${mission._id}`);
  const view = page.getByRole('region', { name: `Mission ${mission.name}` });
  await view.locator('[data-part="platform-marker"]').waitFor();
  await openTelemetry(view);
  await startSampling(page, mission.sensors[0]?._id ?? '');
  if (way === 'stepping') await sampleSteps(page, view, STEPS);
  else {
    await view.getByRole('button', { name: 'Play', exact: true }).click();
    await untilPlayed(page, view.locator('video'));
  }
  const { samples, unread } = await takeSamples(page);
  const right = samples.filter((sample) => isRight(sample, records)).length;
  const ours = samples.length === 0 ? 0 : right / samples.length;
  return {
    name: `frame-sync ${way} ${mission.name}`,
    unit: 'share of samples right',
    ours: round(ours),
    peer: REQUIRED[way],
    peerName: 'required',
    ratio: round(ours / REQUIRED[way]),
    failure: belowGoal(ours / REQUIRED[way], 1),
    note: `${samples.length} samples, ${samples.length - right} wrong, ${unread} pictures without a readable code`,
  };
}

/** Measures how far apart two sensors of a mission play, and how soon they are synchronised again after a seek. */
async function measureTogether(page: Page, mission: Mission): Promise<BenchLine[]> {
  await page.goto(`/missions?mission=${mission._id}`);
  const view = page.getByRole('region', { name: `Mission ${mission.name}` });
  await view.locator('[data-part="platform-marker"]').waitFor();
  const shown = (us: number) =>
    page.waitForFunction((behind) => {
      const players = [...document.querySelectorAll<HTMLElement>('section[data-sensor-id]')];
      return players.length === 2 && players.every((one) => Number(one.dataset.frameTimeUs) >= behind);
    }, us);
  await shown(START_US);
  await view.getByRole('button', { name: 'Play', exact: true }).click();
  await shown(START_US + 1_000_000);

  const apart = await drifts(page, LOOK_SECONDS);
  const together: number[] = [];
  for (let seek = 0; seek < SEEKS; seek += 1) {
    together.push(await skipOn(page, APART_MS * 1000));
    apart.push(...(await drifts(page, LOOK_SECONDS)));
  }
  const line = (name: string, ours: number, required: number, note: string): BenchLine => ({
    name: `frame-sync ${name} ${mission.name}`,
    unit: 'ms',
    ours: round(ours),
    peer: required,
    peerName: 'required',
    ratio: round(required / Math.max(ours, 1)),
    failure: belowGoal(required / Math.max(ours, 1), 1),
    note,
  });
  const apartMs = percentile(apart, 0.95) / 1000;
  return [
    line('apart p95', apartMs, APART_MS, `${apart.length} animation frames, ${percentile(apart, 1) / 1000} ms at most`),
    line('together after a seek', Math.max(...together), TOGETHER_MS, `the slowest of ${together.length} seeks`),
  ];
}

/**
 * Waits until enough pictures have been sampled or the recording has ended, since a slow machine shows fewer pictures.
 */
async function untilPlayed(page: Page, video: ReturnType<Page['locator']>): Promise<void> {
  const element = await video.elementHandle();
  for (;;) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    if ((await sampleCount(page)) >= PLAYED) return;
    const state = await element?.evaluate((one) => {
      const { currentTime, duration, error } = one as HTMLVideoElement;
      return { atEnd: currentTime > duration - 0.5, failed: error?.message ?? null };
    });
    if (state?.failed) throw new Error(`The video failed: ${state.failed}`);
    if (state?.atEnd) return;
  }
}

const round = (value: number) => Math.round(value * 10_000) / 10_000;
