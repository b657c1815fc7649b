/// <reference lib="dom" />
import { expect, it, vi } from 'vitest';
import { openMission } from '../tools/test-support/browser/screens.ts';
import { FLIGHT } from '../tools/test-support/data/recordings.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();

it('looks back from a map: lists when the place was seen, and plays it with the place marked', async () => {
  const eo = await stage.recordings.simulated('eo.ts', FLIGHT);
  await stage.api.addRecorded({ name: 'Tern' }, { EO: eo });
  const { page } = await stage.signedIn({ width: 1440, height: 900 });
  const view = await openMission(page, 'Tern');
  const player = view.getByRole('region', { name: 'Player EO' });
  await vi.waitFor(async () => expect(await player.getAttribute('data-frame-time-us')).not.toBeNull(), {
    timeout: 45_000,
  });
  const map = view.getByRole('region', { name: 'Map', exact: true });
  await expect.poll(() => map.getAttribute('data-map'), { timeout: 20_000 }).toBe('ready');

  // The map follows the footprint: its middle is in the picture.
  await map.locator('canvas.maplibregl-canvas').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'When was this seen?' }).click();

  const panel = page.getByRole('region', { name: 'When this was seen' });
  const first = panel.getByRole('button', { name: /^Play Tern, EO/ }).first();
  await first.waitFor();
  await first.click();
  await expect.poll(() => new URL(page.url()).searchParams.get('t')).toMatch(/^2026-06-01T09:/);
  await player.locator('canvas[data-place-marked]').waitFor();
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => player.locator('canvas[data-place-marked]').count()).toBe(0);
});
