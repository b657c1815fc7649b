/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shoot } from '../tools/test-support/browser/screens.ts';
import { POLARIS, sendShips } from '../tools/test-support/data/ais.ts';
import { freeUdpPort, uploadPlatforms } from '../tools/test-support/data/platforms.ts';
import { seriousViolations } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();
let stopShips: () => void = () => undefined;

beforeAll(async () => {
  const port = await freeUdpPort();
  await uploadPlatforms(
    stage.server.address,
    `platforms:
  - name: OSP-21
    securityClassification: UNCLASSIFIED
    audience: everyone
    autostart: true
    sensors:
      - { name: OSP-21 AIS, type: ais, url: "udp://127.0.0.1:${port}" }
`,
  );
  stopShips = sendShips(port);
});
afterAll(() => stopShips());

const table = (page: Page) => page.getByRole('treegrid', { name: 'Ships' });
const rowOf = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });

it('Ships that are sent over UDP are in the AIS tab and on the live map, and a click in the table centres the map', async () => {
  const { page, close } = await stage.signedIn({ width: 1440, height: 900 });
  await page.goto('/live');
  await page.getByRole('tab', { name: 'AIS' }).click();
  const row = rowOf(page, 'POLARIS BAY');
  await row.getByText('Malta').waitFor();
  await row.getByText('Tanker').waitFor();
  await row.getByText('N/A').waitFor();
  const before = await row.textContent();
  // The age of the position counts up by itself.
  await expect.poll(() => row.textContent()).not.toBe(before);

  await row.click();
  await expect
    .poll(() => mapCentre(page))
    .toEqual([expect.closeTo(POLARIS.longitude, 1), expect.closeTo(POLARIS.latitude, 1)]);
  // The name is next to the ship on the map.
  await page.getByRole('region', { name: 'Map' }).locator('svg').getByText('POLARIS BAY').first().waitFor();
  await shoot(page, 'ais');
  expect(await seriousViolations(page)).toEqual([]);

  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Base stations' }).click();
  await table(page).getByText('Surveyed').waitFor();
  await close();

  const phone = await stage.signedIn({ width: 390, height: 844, scheme: 'light', touch: true });
  await phone.page.goto('/live');
  await phone.page.getByRole('tab', { name: 'AIS' }).click();
  await rowOf(phone.page, 'POLARIS BAY').waitFor();
  await shoot(phone.page, 'ais-phone');
  await phone.close();
});

it('The card of a ship says how it passes another one and a place, as both move', { tags: 'long' }, async () => {
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844, scheme: 'light', touch: true } as const,
  ]) {
    const { page, close } = await stage.signedIn(size);
    await page.goto('/live');
    await page.getByRole('tab', { name: 'AIS' }).click();
    await rowOf(page, 'POLARIS BAY').getByRole('button').first().click();
    const card = page.getByRole('complementary', { name: 'Ship POLARIS BAY' });
    await card.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option', { name: 'A place' }).click();
    await card.getByRole('textbox', { name: 'Coordinates' }).fill('37.6 24.7');
    const result = card.getByRole('group', { name: 'Compared with 37.6 24.7' });
    await result.getByText(/^(in|passed) .*\d:\d\d/).waitFor();
    const before = await result.textContent();
    await expect.poll(() => result.textContent()).not.toBe(before);
    await result.scrollIntoViewIfNeeded();
    await shoot(page, `ais-compare-${size.width}`);
    expect(await seriousViolations(page)).toEqual([]);

    await card.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option', { name: 'Another ship' }).click();
    await card.getByRole('combobox', { name: 'Name, MMSI, IMO or call sign' }).fill('argo');
    await page.getByRole('option', { name: /^ARGO TRADER/ }).click();
    const passing = card.getByRole('group', { name: 'Compared with ARGO TRADER' });
    await passing.getByText(/^in .*\d:\d\d/).waitFor();
    const first = await passing.textContent();
    await expect.poll(() => passing.textContent()).not.toBe(first);
    await passing.scrollIntoViewIfNeeded();
    await shoot(page, `ais-compare-ship-${size.width}`);
    await close();
  }
});

const mapCentre = (page: Page): Promise<unknown> =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('lastMapProps') ?? '{}') as { center?: unknown }).center);
