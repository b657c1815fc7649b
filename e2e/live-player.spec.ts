/// <reference lib="dom" />
import { AppError } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { type Sample, sampleCount, startSampling, takeSamples } from '../tools/test-support/browser/frame-sync.ts';
import { shoot } from '../tools/test-support/browser/screens.ts';
import { startFlight } from '../tools/test-support/data/flight.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolations } from './support/axe.ts';
import { liveSceneOn } from './support/live.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();
const live = liveSceneOn(stage);
const { view, player, openLive, leaveLive, watchBy, isPlaying, shownUs, shownLatencyMs } = live;

describe('a live sensor', () => {
  it('is paused with its telemetry, wound back, and brought to live again', async () => {
    await openLive();
    await watchBy('HLS');
    await isPlaying();
    // At its very beginning there is nothing to wind back to.
    const way = view().getByRole('slider', { name: 'Place in the recording' });
    await expect.poll(async () => -Number(await way.getAttribute('min'))).toBeGreaterThan(4);
    await live.page.keyboard.press(' ');
    await view().getByRole('button', { name: 'Play', exact: true }).waitFor();
    await player().getByRole('button', { name: 'Go live' }).waitFor();
    const pausedUs = await shownUs();
    await view().getByRole('button', { name: 'Back 30 s' }).click();
    await expect.poll(shownUs).toBeLessThan(pausedUs);
    await way.waitFor();
    await player().getByRole('button', { name: 'Go live' }).click();

    await isPlaying();
    await expect.poll(shownUs).toBeGreaterThan(pausedUs);
  });

  it('says how much later than live it is when it is wound back by some seconds, and is live again', {
    tags: 'long',
  }, async () => {
    await openLive();
    await watchBy('HLS');
    await isPlaying();
    const way = view().getByRole('slider', { name: 'Place in the recording' });
    await expect.poll(async () => -Number(await way.getAttribute('min'))).toBeGreaterThan(16);

    // A page of the slider are ten seconds: less than a badge of LIVE once forgave.
    await way.press('PageDown');

    await player()
      .getByText(/^−\d+ s$/)
      .waitFor();
    expect(await player().getByText('LIVE', { exact: true }).count()).toBe(0);
    expect(await shownLatencyMs()).toBeLessThan(18_000);
    await player().getByRole('button', { name: 'Go live' }).click();
    await isPlaying();
    await expect.poll(shownLatencyMs).toBeLessThan(8000);
  });

  it('is wound back from every way, and comes back to it', async () => {
    await openLive();
    await watchBy('Low latency');
    await isPlaying();

    await view().getByRole('button', { name: 'Back 30 s' }).click();
    await player().getByRole('button', { name: 'Playback: HLS' }).waitFor();
    await player().getByRole('button', { name: 'Go live' }).click();

    await player().getByRole('button', { name: 'Playback: Low latency' }).waitFor();
    await isPlaying();
  });

  it('is wound back to the start of a recording by who watched before it, and stays on when it has ended', {
    tags: 'long',
  }, async () => {
    await openLive();
    await watchBy('HLS');
    await isPlaying();
    const address = () => player().locator('video').getAttribute('src');
    const opened = await address();
    const control = (command: string) =>
      stage.api.send('POST', `platforms/control?command=${command}`, { platformName: 'OSP-21', record: true });

    const before = live.refused.length;
    await control('start');
    const startedUs = Date.now() * 1000;
    await expect.poll(shownUs).toBeGreaterThan(startedUs + 10_000_000);
    // Until its rows are written the recording cannot be seen: requests in that moment are repeated.
    expect(live.refused.splice(before).filter((text) => !/^503 GET /.test(text))).toEqual([]);
    await view().getByRole('slider', { name: 'Place in the recording' }).press('Home');
    await expect.poll(shownUs).toBeLessThan(startedUs + 4_000_000);
    await startSampling(live.page, live.sensorId);
    await expect.poll(() => sampleCount(live.page)).toBeGreaterThan(15);
    const [{ codeUs }] = (await takeSamples(live.page)).samples as [Sample];
    expect(Math.abs(codeUs - startedUs)).toBeLessThan(5_000_000);
    await view().getByRole('toolbar').getByRole('button', { name: 'Go live' }).click();
    await expect.poll(shownLatencyMs).toBeLessThan(6000);

    await control('stop');
    const stoppedUs = Date.now() * 1000;
    await expect.poll(shownUs).toBeGreaterThan(stoppedUs + 5_000_000);
    // The same player all the while: a new one has another address.
    expect(await address()).toBe(opened);
  });

  it('is recorded at once by Shift+R, and no viewer is cut', { tags: 'long' }, async () => {
    await openLive();
    await watchBy('Low latency');
    await isPlaying();
    const opened = await player().locator('video').getAttribute('src');
    const before = live.refused.length;

    await view().getByRole('button', { name: 'Record now: the leading platform (Shift+R)' }).waitFor();
    await live.page.keyboard.press('Shift+R');

    await live.page.getByText(/^Recording OSP-21: mission OSP-21-\d{8}-\d{6}\.$/).waitFor();
    await shoot(live.page, 'live-now');
    const begunUs = Date.now() * 1000;
    await expect.poll(shownUs).toBeGreaterThan(begunUs + 3_000_000);
    expect(await player().locator('video').getAttribute('src')).toBe(opened);
    expect(live.refused.slice(before)).toEqual([]);
    await live.page.keyboard.press('Shift+R');
    await live.page.getByText('OSP-21 EO is being recorded already.').waitFor();
    await stage.api.send('POST', 'platforms/control?command=stop', { platformName: 'OSP-21', stopMission: true });
  });

  it('says that a recording is just beginning, and plays by itself as soon as it has begun', async () => {
    await openLive();
    const lists = /index\.m3u8\?mode=dvr/;
    let asked = 0;
    // As the server answers until the rows of a recording are written.
    await live.page.route(lists, (route) => {
      asked += 1;
      return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: new AppError('liveStarting') });
    });
    await watchBy('HLS');

    await player().getByText('The stream is starting').waitFor();
    const before = asked;
    await expect.poll(() => asked).toBeGreaterThan(before);
    await live.page.unroute(lists);

    await isPlaying();
  });

  it('says since when the signal is lost, and goes on by itself', { tags: 'long' }, async () => {
    await openLive();
    await isPlaying();

    await live.flight.stop();
    await player()
      .getByText(/^Signal lost since \d\d:\d\d:\d\d Z$/)
      .waitFor();
    live.flight = await startFlight(live.port);

    await isPlaying();
  });
});

describe('the live page', () => {
  it('draws the platform on the map with its way, and a press on it chooses it', async () => {
    await openLive();
    const marker = view().getByRole('button', { name: 'Show OSP-21' });
    await marker.waitFor();

    await marker.press('Enter');

    await live.page.waitForURL(/platforms=/);
    await expect.poll(() => view().locator('[data-part="trail"] path[d^="M"]').count()).toBeGreaterThan(0);
    await shoot(live.page, 'live-dark');
  });

  it('has nothing that axe calls serious, in both schemes', { tags: 'long' }, async () => {
    await openLive();
    await isPlaying();
    expect(await seriousViolations(live.page)).toEqual([]);

    await leaveLive();
    const light = await stage.signedIn({ scheme: 'light' }, ADMIN, '/live');
    await player(light.page).getByText('LIVE', { exact: true }).waitFor();
    expect(await seriousViolations(light.page)).toEqual([]);
    await shoot(light.page, 'live-light');
    await light.close();
  });

  it('fits a phone: picture, back, map and telemetry, table', async () => {
    await leaveLive();
    const phone = await stage.signedIn({ width: 390, height: 844, touch: true }, ADMIN, '/live');
    await player(phone.page).getByText('LIVE', { exact: true }).waitFor();

    const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    const back = await phone.page.getByRole('button', { name: 'Back 30 s' }).boundingBox();
    expect(back!.height).toBeGreaterThanOrEqual(44);
    // The header of the player clips buttons that have no room.
    const full = await player(phone.page).getByRole('button', { name: 'Full screen' }).boundingBox();
    expect(full!.x + full!.width).toBeLessThanOrEqual(390);
    expect(await seriousViolations(phone.page)).toEqual([]);
    await shoot(phone.page, 'live-phone');
    await phone.close();
  });
});

it('met no fault of its own', () => live.expectNoFault());
