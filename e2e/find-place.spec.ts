/// <reference lib="dom" />
import { expect, it } from 'vitest';
import { FLIGHT } from '../tools/test-support/data/recordings.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true });

it('finds by a place that is typed, drawn or linked when it was seen, and plays the mission at that second', async () => {
  const eo = await stage.recordings.simulated('eo.ts', FLIGHT);
  await stage.api.addRecorded({ name: 'Curlew-found' }, { EO: eo });
  await stage.api.addRecorded({ name: 'Curlew-again' }, { EO: eo });
  const { page } = await stage.signedIn({ width: 1440, height: 900 });
  await page.getByRole('link', { name: 'Find', exact: true }).click();
  await page.getByRole('heading', { name: 'Find by place' }).waitFor();

  const field = page.getByRole('combobox', { name: 'Coordinate, town or annotation' });
  await field.fill('ermoup');
  await page.getByRole('option', { name: /^Ermoúpoli/ }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('shape')).toContain('"Circle"');

  // The ship that the flight looks at.
  await field.fill(`37°40'58.90"N 24°17'38.20"E`);
  await page.getByRole('option', { name: /Coordinate/ }).waitFor();
  await field.press('Enter');
  const results = page.getByRole('region', { name: 'When it was seen' });
  const row = results.getByRole('button', { name: /^Play Curlew-found, EO/ }).first();
  await row.waitFor();
  expect(new URL(page.url()).searchParams.get('shape')).toContain('"Point"');

  // A rectangle around it, by two clicks on the map after it has moved there.
  const map = page.getByRole('region', { name: 'Map of the place' });
  await page.locator('[data-map="ready"]').waitFor();
  await page.getByRole('button', { name: 'Rectangle' }).click();
  const { x, y, width, height } = (await map.boundingBox())!;
  await page.mouse.click(x + width * 0.3, y + height * 0.3);
  await page.mouse.move(x + width * 0.7, y + height * 0.7, { steps: 4 });
  await page.mouse.click(x + width * 0.7, y + height * 0.7);
  await expect.poll(() => new URL(page.url()).searchParams.get('shape')).toContain('"Polygon"');
  await row.waitFor();

  // A saved search asks the same again.
  const retained = page.getByRole('dialog', { name: 'Saved searches' });
  await page.getByRole('button', { name: 'Saved searches' }).click();
  await retained.getByLabel('Save this search as').fill('Ferry lane');
  await page.keyboard.press('Enter');
  await retained.getByRole('button', { name: 'Ferry lane', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  const shape = new URL(page.url()).searchParams.get('shape');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByText('Which place?').waitFor();
  await page.getByRole('button', { name: 'Saved searches' }).click();
  await retained.getByRole('button', { name: 'Ferry lane', exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('shape')).toBe(shape);
  await row.waitFor();

  // The link alone leads to the same answer; another time has none.
  const link = page.url();
  await page.goto(`${link}&from=2020-01-01T00:00:00.000Z&to=2020-01-02T00:00:00.000Z`);
  await page.getByText('Nothing matches.').waitFor();
  await page.goto(link);
  await row.click();
  await expect.poll(() => new URL(page.url()).searchParams.get('t')).toMatch(/^2026-06-01T09:/);
  await page.getByRole('region', { name: 'Player EO' }).waitFor();

  // The first picture is bookmarked from the list.
  await page.goto(link);
  await results
    .getByRole('button', { name: /^Bookmark Curlew-found, EO/ })
    .first()
    .click();
  await page.getByRole('dialog', { name: 'Create Bookmark' }).getByLabel('Title').fill('Ferry of the lane');
  await page.keyboard.press('Enter');
  await page.getByText('Bookmark Ferry of the lane added.').waitFor();

  // Chosen ones are played one after another, from mission to mission, and the bar leads back.
  await results
    .getByRole('checkbox', { name: /^Choose Curlew-found, EO/ })
    .first()
    .check();
  await results
    .getByRole('checkbox', { name: /^Choose Curlew-again, EO/ })
    .first()
    .check();
  await results.getByRole('button', { name: 'Play the chosen' }).click();
  const bar = page.getByRole('region', { name: 'Found times' });
  await bar.getByText('1 of 2 found').waitFor();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  const mission = () => new URL(page.url()).searchParams.get('mission');
  const first = mission();
  await page.keyboard.press('n');
  await bar.getByText('2 of 2 found').waitFor();
  expect(mission()).not.toBe(first);
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.keyboard.press('p');
  await bar.getByText('1 of 2 found').waitFor();
  expect(mission()).toBe(first);
  await bar.getByRole('link', { name: 'Back to Find' }).click();
  await row.waitFor();
  expect(page.url()).toBe(link);
});
