/// <reference lib="dom" />
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { recordTraffic } from '../tools/simulator/src/ais/fly-traffic.ts';
import { seriousViolations } from './support/axe.ts';
import { openMission, shoot } from './support/screens.ts';
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

  // Its card shows the last picture, and plays the first frame that shows it.
  await page.getByRole('tab', { name: 'AIS' }).click();
  await page.getByRole('combobox', { name: 'Mission' }).click();
  await page.getByRole('option', { name: 'Ships-Kea' }).click();
  const ship = page.getByRole('treegrid', { name: 'Ships' }).getByRole('row').filter({ hasText: TRACKED });
  await ship.getByRole('button').first().click();
  const card = page.getByRole('complementary', { name: `Ship ${TRACKED}` });
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
