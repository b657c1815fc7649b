/// <reference lib="dom" />
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { flyTraffic, recordTraffic } from '../tools/simulator/src/ais/fly-traffic.ts';
import { openMission, openTable, shoot } from '../tools/test-support/browser/screens.ts';
import { startFlight } from '../tools/test-support/data/flight.ts';
import { freeUdpPort, uploadPlatforms } from '../tools/test-support/data/platforms.ts';
import { seriousViolations } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();
const folder = await mkdtemp(join(tmpdir(), 'osprey-traffic-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The camera of the flight tracks its first ship. */
const TRACKED = 'ARGO TRADER';
const FLIGHT = { seconds: 40, width: 640, height: 360, ships: 6, seed: 1, mission: 'KEA' } as const;

it('Ships in frame are drawn on the video with name and speed, in a row of the timeline and in a list; a card says when a ship was filmed', async () => {
  const eo = await stage.recordings.simulated('eo.ts', FLIGHT);
  const traffic = join(folder, 'traffic.nmea');
  const { seconds, ships, seed } = FLIGHT;
  await recordTraffic({ to: traffic, settings: { lanes: 20 } }, { seconds, ships, seed });
  const made = await stage.api.addMission({
    name: 'Ships-Kea',
    sensors: [
      { name: 'EO', type: 'video' },
      { name: 'AIS', type: 'ais' },
    ],
  });
  await stage.api.upload(made, 'EO', eo);
  await stage.api.upload(made, 'AIS', traffic);
  await stage.api.untilReady(made._id);

  const { page, close } = await stage.signedIn({ width: 1440, height: 900 });
  const view = await openMission(page, 'Ships-Kea');
  const player = view.getByRole('region', { name: 'Player EO' });
  await vi.waitFor(async () => expect(await player.getAttribute('data-frame-time-us')).not.toBeNull(), {
    timeout: 45_000,
  });
  const drawn = player.locator('svg [data-part="ships"]');
  await drawn.getByText(TRACKED).waitFor();
  await expect.poll(() => drawn.textContent()).toMatch(/ARGO TRADER 11\.\d kn/);

  // When it was in frame, on the timeline, and what is in frame now, as a list.
  const row = view.getByRole('toolbar', { name: 'In frame' });
  await row.getByRole('button', { name: new RegExp(`^${TRACKED}, 09:00:0`) }).waitFor();
  await view.getByRole('button', { name: 'Ships in frame', exact: true }).click();
  const list = page.getByRole('region', { name: 'Ships in frame' });
  await list.getByRole('button', { name: TRACKED }).click();
  await expect.poll(() => list.textContent()).toMatch(/ARGO TRADER11\.\d kn · \d{3}° · ±\d+ m/);
  await shoot(page, 'ships-on-video');
  expect(await seriousViolations(page)).toEqual([]);
  await list.getByRole('button', { name: 'Close the list' }).click();

  // While it plays the target that it is has its name.
  await view.getByRole('button', { name: 'Play', exact: true }).click();
  await view.getByRole('button', { name: 'Ships in frame', exact: true }).click();
  await expect.poll(() => list.textContent(), { timeout: 20_000 }).toMatch(/ARGO TRADER11\.\d kn.*Target 1/);
  await shoot(page, 'ships-on-video-matched');
  await page.keyboard.press('Space');
  await list.getByRole('button', { name: 'Close the list' }).click();

  // The card of the ship shows the last picture, and plays the first frame with it.
  await openTable(view);
  await page.getByRole('tab', { name: 'AIS' }).click();
  await page.getByRole('combobox', { name: 'Mission' }).click();
  await page.getByRole('option', { name: 'Ships-Kea' }).click();
  const ship = page.getByRole('treegrid', { name: 'Ships' }).getByRole('row').filter({ hasText: TRACKED });
  await ship.getByRole('button').first().click();
  const card = page.getByRole('complementary', { name: `Ship ${TRACKED}` });
  // The platform on screen is compared with it at the moment of the mission clock.
  await card.getByRole('combobox', { name: 'Compare with' }).click();
  await page.getByRole('option').nth(3).click();
  const passing = card.getByRole('group', { name: /^Compared with/ });
  await passing.getByText(/Jun 0?1 2026, 09:00:/).waitFor();
  await expect
    .poll(() => passing.textContent())
    .toMatch(/Distance\d+\.\d\d nmBearing\d{3}\.\d°CPA\d+\.\d\d nmTCPA(in|passed) /);
  await shoot(page, 'ships-compared-platform');
  const filmed = card.getByRole('region', { name: 'Filmed' });
  await filmed.getByRole('button', { name: /^Last picture: Ships-Kea/ }).waitFor();
  await filmed.scrollIntoViewIfNeeded();
  await shoot(page, 'ships-filmed');
  await filmed
    .getByRole('button', { name: /^Play Ships-Kea, EO/ })
    .first()
    .click();
  await expect.poll(() => new URL(page.url()).searchParams.get('t')).toMatch(/^2026-06-01T09:00/);
  await close();
});

it('Ships in frame are drawn on live video with name and speed, and listed, on a phone in a tab', {
  tags: 'long',
}, async () => {
  const [eo, ais] = [await freeUdpPort(), await freeUdpPort()];
  await uploadPlatforms(
    stage.server.address,
    `platforms:
  - name: SHIPS-1
    securityClassification: UNCLASSIFIED
    audience: everyone
    autostart: true
    sensors:
      - { name: EO, url: "udp://127.0.0.1:${eo}" }
      - { name: AIS, type: ais, url: "udp://127.0.0.1:${ais}" }
`,
  );
  const { ships, seed } = FLIGHT;
  const flight = await startFlight(eo, { ships, seed });
  const ended = new AbortController();
  const { startUs } = flight.records;
  const traffic = { to: `udp://127.0.0.1:${ais}`, settings: { lanes: 20 } };
  const sailed = flyTraffic(traffic, { ships, seed, startUs }, ended.signal);
  try {
    const { page, close } = await stage.signedIn({ width: 1440, height: 900 });
    await page.goto('/live');
    const player = page.getByRole('region', { name: 'Player SHIPS-1 EO' });
    const drawn = player.locator('svg [data-part="ships"]');
    await drawn.getByText(TRACKED).waitFor({ timeout: 45_000 });
    await expect.poll(() => drawn.textContent()).toMatch(/ARGO TRADER 11\.\d kn/);
    await page.getByRole('button', { name: 'Ships in frame', exact: true }).click();
    const list = page.getByRole('region', { name: 'Ships in frame' });
    await list.getByRole('button', { name: TRACKED }).click();
    await expect.poll(() => list.textContent()).toMatch(/ARGO TRADER11\.\d kn/);
    await shoot(page, 'ships-on-live-video');
    expect(await seriousViolations(page)).toEqual([]);
    await close();

    const phone = await stage.signedIn({ width: 390, height: 844, scheme: 'light', touch: true });
    await phone.page.goto('/live');
    await phone.page.getByRole('tab', { name: /^Ships \d/ }).click({ timeout: 45_000 });
    await phone.page.getByRole('list', { name: 'Ships in frame' }).getByRole('button', { name: TRACKED }).waitFor();
    await shoot(phone.page, 'ships-on-live-video-phone');
    await phone.close();
  } finally {
    ended.abort();
    await Promise.all([sailed, flight.stop()]);
  }
});

it('The map at a time shows ships, platforms and footprints of any moment, and where there was no receiver', async () => {
  const { page, close } = await stage.signedIn({ width: 1440, height: 900 });
  await page.goto('/map?t=2026-06-01T09:00:10Z');
  const map = page.getByRole('region', { name: 'Map', exact: true });
  await expect.poll(() => map.getAttribute('data-map'), { timeout: 20_000 }).toBe('ready');
  // The platform of the mission where it was, and a row for receiver and recording each.
  await map.getByRole('button', { name: 'Open Ships-Kea at this time' }).waitFor();
  const track = page.getByRole('slider', { name: 'Day, scrub to move the clock' });
  await track.locator('[data-part="heard"]').first().waitFor({ state: 'attached' });
  await track.locator('[data-part="no-receiver"] text').first().waitFor();
  await shoot(page, 'map-at-a-time');
  expect(await seriousViolations(page)).toEqual([]);

  // An hour on there was no receiver: the map says so, where it could say that there are no ships.
  await track.focus();
  await page.keyboard.press('PageUp');
  await page.getByText('No AIS receiver was recording then').waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('t')).toMatch(/^2026-06-01T10:00:10/);
  await expect.poll(() => map.getByRole('button', { name: 'Open Ships-Kea at this time' }).count()).toBe(0);

  // The map plays without video, up to 600 times as fast.
  await page.getByRole('button', { name: 'Speed 1×' }).click();
  await page.getByRole('menuitemradio', { name: '600×' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => track.getAttribute('aria-valuetext')).toMatch(/10:(0[3-9]|[1-5]\d):\d\d/);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByRole('button', { name: /^Ships-Kea, EO: 09:00:00/ }).click();
  await expect.poll(() => decodeURIComponent(page.url())).toMatch(/\/missions\?mission=.*t=2026-06-01T09:00:40/);
  await close();

  const phone = await stage.signedIn({ width: 390, height: 844, scheme: 'light', touch: true });
  await phone.page.goto('/map?t=2026-06-01T09:00:10Z');
  await phone.page.locator('[data-part="no-receiver"] text').first().waitFor();
  await phone.page.getByRole('button', { name: 'Open Ships-Kea at this time' }).waitFor();
  await shoot(phone.page, 'map-at-a-time-phone');
  await phone.close();
});
