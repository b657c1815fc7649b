/// <reference lib="dom" />
import type { LastSeenTile } from '@osprey/contract';
import { expect, it, vi } from 'vitest';
import { openMission, sideBySide } from '../tools/test-support/browser/screens.ts';
import { FLIGHT } from '../tools/test-support/data/recordings.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();
type CoverageState = { notIndexed: number };

it('colours the map by how long ago each place was last seen, at the moment of the mission clock', async () => {
  const eo = await stage.recordings.simulated('eo.ts', FLIGHT);
  await stage.api.addRecorded({ name: 'Petrel' }, { EO: eo });
  const before = await stage.api.addRecorded({ name: 'Fulmar' }, { EO: eo });
  // The same ground, three hours before.
  await stage.api.send('POST', `sensors/${before.sensors[0]!._id}/shift`, { shift: -3 * 3_600_000_000 });
  await expect
    .poll(async () => (await stage.api.send<CoverageState>('GET', 'coverage/state')).notIndexed, { timeout: 30_000 })
    .toBe(0);
  const { page } = await stage.signedIn({ width: 1440, height: 900, places: true });
  // The map of all missions has it too, before a moment that is chosen.
  const legend = page.locator('[data-part="last-seen-legend"]');
  await page.getByRole('button', { name: 'Last seen' }).click();
  const menu = page.getByRole('dialog', { name: 'Last seen' });
  await menu.getByRole('switch').click();
  await menu.getByRole('button', { name: 'Before a moment' }).click();
  await menu.getByLabel('Date').fill('2026-06-01');
  await menu.getByLabel('Time, UTC').fill('09:30');
  await menu.getByRole('button', { name: 'Apply' }).click();
  await legend.getByText('before Jun 01 2026, 09:30 Z').waitFor({ timeout: 20_000 });
  await menu.getByRole('switch').click();
  await page.keyboard.press('Escape');
  const view = await openMission(page, 'Petrel');
  const player = view.getByRole('region', { name: 'Player EO' });
  await vi.waitFor(async () => expect(await player.getAttribute('data-frame-time-us')).not.toBeNull(), {
    timeout: 45_000,
  });
  // The legend needs the room of a map next to the picture.
  await sideBySide(view);
  const map = view.getByRole('region', { name: 'Map', exact: true });
  await expect.poll(() => map.getAttribute('data-map'), { timeout: 20_000 }).toBe('ready');
  await map.getByRole('button', { name: 'Open map tools' }).hover();
  await map.getByRole('button', { name: 'Layers' }).click();
  const item = page.getByRole('menuitemcheckbox', { name: 'Last seen' });
  const tile = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/coverage/last-seen');
  await item.click();
  const { cells } = (await (await tile).json()) as LastSeenTile;
  expect(Math.max(...cells.filter((_, at) => at % 3 === 2))).toBeLessThan(Date.parse('2026-06-01T09:00:00Z') / 1000);
  // An open menu hides the rest from roles.
  await legend.getByText('3 h to 6 h ago').waitFor({ timeout: 20_000 });
  await page.getByRole('menuitemradio', { name: 'Not seen for 1 h' }).click();
  await legend.getByText('Not seen for 1 h').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
});
