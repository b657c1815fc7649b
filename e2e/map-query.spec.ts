/// <reference lib="dom" />
import { expect, it } from 'vitest';
import { openMission } from '../tools/test-support/browser/screens.ts';
import { FLIGHT } from '../tools/test-support/data/recordings.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true });

it('asks a mission for an area that is drawn on its map, and filters the missions by one', async () => {
  const eo = await stage.recordings.simulated('eo.ts', FLIGHT);
  await stage.api.addRecorded({ name: 'Petrel-asked' }, { EO: eo });
  const { page } = await stage.signedIn({ width: 1440, height: 900 });
  const view = await openMission(page, 'Petrel-asked');
  const player = view.getByRole('region', { name: 'Player EO' });
  await expect.poll(() => player.getAttribute('data-frame-time-us'), { timeout: 45_000 }).not.toBeNull();
  const map = view.getByRole('region', { name: 'Map', exact: true });
  await expect.poll(() => map.getAttribute('data-map'), { timeout: 20_000 }).toBe('ready');
  const canvas = map.locator('canvas.maplibregl-canvas');
  const choose = async (mode: string) => {
    await map.getByRole('toolbar').hover();
    await map.getByRole('button', { name: 'Area search' }).click();
    await page.getByRole('menuitemradio', { name: mode }).click();
    await expect.poll(() => canvas.evaluate((one) => one.style.cursor)).toBe('crosshair');
  };
  /** Around the middle of the map, which the footprint is in. */
  const draw = async () => {
    const { x, y, width, height } = (await canvas.boundingBox())!;
    await page.mouse.click(x + width * 0.3, y + height * 0.3);
    await page.mouse.move(x + width * 0.7, y + height * 0.7, { steps: 8 });
    await page.mouse.click(x + width * 0.7, y + height * 0.7);
  };

  await choose('Query Mission');
  await draw();
  const chart = view.getByRole('group', { name: 'EO in the area' });
  const bar = chart.getByRole('button', { name: /^09:\d\d:\d\d Z, \d+ %$/ }).first();
  await bar.waitFor();
  await view.getByRole('button', { name: 'Close the query' }).click();
  await chart.waitFor({ state: 'detached' });

  await choose('Filter Missions');
  await draw();
  await expect.poll(() => new URL(page.url()).searchParams.get('aoiMode')).toBe('sensorArea');
});
