/// <reference lib="dom" />
import { createSocket } from 'node:dgram';
import { encodeSentences } from '@osprey/ais';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousViolations } from './support/axe.ts';
import { freeUdpPort, uploadPlatforms } from './support/platforms.ts';
import { shoot } from './support/screens.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();
const POLARIS = 248_113_000;
const START = { latitude: 37.63, longitude: 24.62 };

let port = 0;
let sending: NodeJS.Timeout;

const report = (mmsi: number, latitude: number, longitude: number) =>
  encodeSentences({
    ...{ type: 1, repeat: 0, mmsi, latitude, longitude, accurate: true, raim: false, sog: 13.2, cog: 300 },
    ...{ heading: null, status: 0, turn: 0, turnAtLeast: false, second: 30, positionMode: 'sensor' },
    ...{ manoeuvre: null, radio: 0 },
  });

const particulars = (mmsi: number, name: string) =>
  encodeSentences({
    ...{ type: 5, repeat: 0, mmsi, aisVersion: 2, imo: 9_301_234, callSign: '9HA1', name, shipType: 80, fixType: 1 },
    ...{ eta: null, draught: 9, destination: 'PIRAEUS', dataTerminal: true },
    dimensions: { toBow: 150, toStern: 30, toPort: 14, toStarboard: 16, length: 180, beam: 30, referenceKnown: true },
  });

const base = () =>
  encodeSentences({
    ...{
      type: 4,
      repeat: 0,
      mmsi: 2_391_234,
      latitude: 37.6,
      longitude: 24.3,
      accurate: true,
      raim: false,
      fixType: 7,
    },
    ...{
      timeUs: null,
      utc: { year: 2026, month: 1, day: 1, hour: 0, minute: 0, second: 0 },
      longRange: false,
      radio: 0,
    },
  });

beforeAll(async () => {
  port = await freeUdpPort();
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
  const socket = createSocket('udp4').unref();
  const say = (sentences: readonly string[]) => {
    for (const sentence of sentences) socket.send(`${sentence}\r\n`, port, '127.0.0.1');
  };
  let turn = 0;
  sending = setInterval(() => {
    say(report(POLARIS, START.latitude + turn / 20_000, START.longitude - turn / 10_000));
    if (turn % 5 === 0) {
      say([...particulars(POLARIS, 'POLARIS BAY'), ...base()]);
      for (let n = 0; n < 12; n += 1) say(report(636_014_200 + n, 37.5 + n / 100, 24.4 + n / 70));
    }
    turn += 1;
  }, 500);
});
afterAll(() => clearInterval(sending));

const table = (page: Page) => page.getByRole('treegrid', { name: 'Ships' });
const rowOf = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });

it('Ships that are sent over UDP stand in the AIS tab and on the live map, and a click in the table centres the map', async () => {
  const { page, close } = await stage.signedIn({ width: 1440, height: 900 });
  await page.goto('/live');
  await page.getByRole('tab', { name: 'AIS' }).click();
  const row = rowOf(page, 'POLARIS BAY');
  await row.getByText('Malta').waitFor();
  await row.getByText('Tanker').waitFor();
  await row.getByText('N/A').waitFor();
  const before = await row.textContent();
  // It moves on by itself.
  await expect.poll(() => row.textContent()).not.toBe(before);

  await row.click();
  await expect
    .poll(() => mapCentre(page))
    .toEqual([expect.closeTo(START.longitude, 1), expect.closeTo(START.latitude, 1)]);
  // Its name stands next to it on the map.
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

const mapCentre = (page: Page): Promise<unknown> =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('lastMapProps') ?? '{}') as { center?: unknown }).center);
