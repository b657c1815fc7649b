/// <reference lib="dom" />
import type { Usergroup, VideoMode } from '@osprey/contract';
import type { Response } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sampleCount, startSampling, takeSamples } from '../tools/test-support/browser/frame-sync.ts';
import { logIn, openTelemetry, pictureOf } from '../tools/test-support/browser/screens.ts';
import { uploadPlatforms } from '../tools/test-support/data/platforms.ts';
import { percentile } from '../tools/test-support/statistics.ts';
import { BUSY, configOf, latencyMs, liveSceneOn, measured, PICTURE_US, PICTURES } from './support/live.ts';
import { stageFor } from './support/stage.ts';

// Measurements while a stream plays; actions on it are in live-player.spec.ts.
const stage = stageFor({}, { isMeasured: true });
const live = liveSceneOn(stage);
const { view, player, openLive, watchBy, isPlaying, shownUs, shownLatencyMs, expectTogether } = live;

const panelUs = async () =>
  Number(await view().locator('[data-part="telemetry-panel"]').getAttribute('data-record-time-us'));

type Way = readonly [VideoMode, name: string, goalMs: number];

/** Ways to watch, and the promised delay of each, ms, p95. */
const WAYS: readonly Way[] = [
  ['webRtc', 'WebRTC', 500],
  ['lowLatency', 'Low latency', 1000],
];
/** Ways to watch that share one player; most of the tests below use it. */
const BY_HLS: readonly Way[] = [
  ['highQuality', 'LL-HLS', 3000],
  ['highQualityDvr', 'HLS', 6000],
];

/** The longest hole that a busy machine leaves between two pictures that are seen. Microseconds. */
const HOLE_US = 500_000;

const hasPicture = (element: Element) => {
  const { seeking, readyState, HAVE_CURRENT_DATA } = element as HTMLVideoElement;
  return !seeking && readyState >= HAVE_CURRENT_DATA;
};

const isSegment = (response: Response) => response.ok() && /\.ts(?:\?|$)/.test(response.url());

describe('a live sensor', () => {
  const playsBy = async (_mode: VideoMode, name: string, goalMs: number) => {
    await openLive();
    await watchBy(name);
    await isPlaying();
    await openTelemetry(view());
    await view().locator('[data-part="platform-marker"]').waitFor();

    await startSampling(live.page, live.sensorId);
    await measured(async () => {
      await expect.poll(() => sampleCount(live.page), { timeout: 30_000 }).toBeGreaterThan(PICTURES);
      const { samples } = await takeSamples(live.page);
      expectTogether(samples);
      const offUs = samples.map(({ frame, codeUs }) => Math.abs(frame - codeUs)).sort((one, other) => one - other);
      expect(offUs[offUs.length >> 1]).toBeLessThanOrEqual(PICTURE_US);
      expect(percentile(samples.map(latencyMs), 0.95)).toBeLessThanOrEqual(BUSY * goalMs);
    });
  };

  it.each(WAYS)('plays by %s, with the telemetry of each picture', playsBy);
  it.each(BY_HLS)('plays by %s, with the telemetry of each picture', { tags: 'long' }, playsBy);

  it('shows its delay to live, and agrees with the code in the picture', async () => {
    await openLive();
    await watchBy('HLS');
    await isPlaying();
    await startSampling(live.page, live.sensorId);
    await expect.poll(() => sampleCount(live.page)).toBeGreaterThan(30);

    const shown = await shownLatencyMs();
    const { samples } = await takeSamples(live.page);

    expect(Math.abs(shown - latencyMs(samples.at(-1)!))).toBeLessThan(1500);
  });

  it('shows the paused picture while live goes on, and goes on from that very picture', async () => {
    await openLive();
    await watchBy('HLS');
    await isPlaying();
    await live.page.keyboard.press(' ');
    await view().getByRole('button', { name: 'Play', exact: true }).waitFor();
    const video = player().locator('video');
    // A leap to live that had begun when it was paused ends first: until then there is no picture to read.
    await expect.poll(() => video.evaluate(hasPicture)).toBe(true);
    await live.page.waitForResponse(isSegment);
    const [picture, pausedUs] = [await pictureOf(video), await shownUs()];

    // Live goes on meanwhile: more of it is loaded.
    for (let segments = 0; segments < 3; segments += 1) await live.page.waitForResponse(isSegment);

    expect(await pictureOf(video)).toEqual(picture);
    expect(await shownUs()).toBe(pausedUs);
    await startSampling(live.page, live.sensorId);
    await view().getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => sampleCount(live.page)).toBeGreaterThan(0);
    const { samples } = await takeSamples(live.page);
    expect(samples[0]!.codeUs).toBeGreaterThanOrEqual(pausedUs - PICTURE_US);
    expect(samples[0]!.codeUs - pausedUs).toBeLessThan(HOLE_US);
  });

  it('has the telemetry of pictures from before the page was opened', { tags: 'long' }, async () => {
    await openLive();
    await watchBy('HLS');
    await isPlaying();
    await openTelemetry(view());
    await view().locator('[data-part="platform-marker"]').waitFor();
    const way = view().getByRole('slider', { name: 'Place in the recording' });
    // Enough is kept that thirty seconds are well within it.
    await expect.poll(async () => -Number(await way.getAttribute('min')), { timeout: 90_000 }).toBeGreaterThan(45);

    await view().getByRole('button', { name: 'Back 30 s' }).click();
    await expect.poll(async () => -Number(await way.inputValue())).toBeGreaterThan(20);
    // The picture plays on meanwhile, so both are read again each time.
    await expect.poll(async () => (await shownUs()) - (await panelUs())).toBeGreaterThanOrEqual(0);
    await startSampling(live.page, live.sensorId);
    await expect.poll(() => sampleCount(live.page)).toBeGreaterThan(PICTURES);

    const { samples } = await takeSamples(live.page);
    expect(samples.filter((sample) => latencyMs(sample) < 20_000)).toEqual([]);
    expectTogether(samples);
  });
});

describe('the live page', () => {
  const coast = { name: 'Coast', securityClassification: 'UNCLASSIFIED', liveModes: ['Preview', 'WebRtc'] };
  let group: string | null = null;
  it.each([
    ['WebRTC', 'ana'],
    ['Low latency', 'ben'],
  ])('T-032 shows nothing by %s a second after its viewer left the group', async (name, who) => {
    const rest = await stage.api.demoGroup();
    group ??= (await stage.api.send<Usergroup>('POST', 'usergroups', coast))._id;
    const account = await stage.api.addUser(who, { groups: [group] });
    await uploadPlatforms(stage.server.address, configOf(live.port, 'usergroups: [Coast]'));
    const other = await stage.open();
    await logIn(other.page, account);
    await measured(async () => {
      await stage.api.send('PUT', `users/${account.id}?usergroups=${group}`);
      await other.page.goto('/live');
      await watchBy(name, other.page);
      await player(other.page).getByText('LIVE', { exact: true }).waitFor();
      const pictures = await other.page.evaluateHandle(() => {
        const seen = { count: 0, lastMs: 0 };
        const shown = document.querySelector('[data-frame-time-us]')!;
        new MutationObserver(() => {
          seen.count += 1;
          seen.lastMs = Date.now();
        }).observe(shown, { attributes: true, attributeFilter: ['data-frame-time-us'] });
        return seen;
      });
      await expect.poll(() => pictures.evaluate(({ count }) => count)).toBeGreaterThan(20);

      await stage.api.send('PUT', `users/${account.id}?usergroups=${rest}`);
      const leftMs = Date.now();
      await player(other.page).waitFor({ state: 'detached' });

      const lastMs = await pictures.evaluate((seen) => seen.lastMs);
      await other.page.getByText('No platforms yet').first().waitFor();
      expect(lastMs - leftMs).toBeLessThan(1000);
    });
    await other.close();
  });
});

it('met no fault of its own', () => live.expectNoFault());
