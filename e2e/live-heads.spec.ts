/// <reference lib="dom" />
import type { LivePlatform } from '@osprey/contract';
import type { Locator } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { shoot } from '../tools/test-support/browser/screens.ts';
import { startFlight } from '../tools/test-support/data/flight.ts';
import { freeUdpPort, uploadPlatforms } from '../tools/test-support/data/platforms.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor({}, { isMeasured: true });

const configOf = (names: readonly string[], ports: readonly number[]) => `platforms:
${names
  .map(
    (name, index) => `  - name: ${name}
    type: Plane
    color: '#22C7E6'
    description: ''
    securityClassification: RESTRICTED
    audience: everyone
    autostart: true
    sensors:
      - { name: EO, url: 'udp://127.0.0.1:${ports[index]}' }
`,
  )
  .join('')}`;

/** Widths of a tile where 3 and 9 share the page at 1440 and at 1920, that of a phone, and one with hardly any room. */
const WIDTHS = [710, 398, 950, 538, 390, 240];

type Part = { part: string; shown: boolean };

/** The visible parts of a player's head. Names and label count only if their last letter is visible. */
const partsOf = (player: Locator) =>
  player.evaluate((section) => {
    const line = section.querySelector('[data-part="player-line"]')!;
    const frame = section.getBoundingClientRect();
    const isWhole = (element: Element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const text = range.getBoundingClientRect();
      const box = element.getBoundingClientRect();
      const bottom = line.getBoundingClientRect().bottom;
      return Math.max(text.right, box.right) <= frame.right && text.right <= box.right + 1 && box.top < bottom - 4;
    };
    const state = section.querySelector('[data-latency-ms]')!;
    const [label] = [...line.querySelectorAll('span')]
      .filter(({ textContent }) => textContent === 'RESTRICTED')
      .slice(-1);
    const parts: [string, Element][] = [
      ['sensor', section.querySelector('[data-part="sensor-name"]')!],
      ['label', label!],
      ['platform', section.querySelector('[data-part="platform-name"]')!],
      ['delay', state],
      ['LIVE', state.nextElementSibling!],
      ['mode', section.querySelector('[data-part="mode-name"]')!],
    ];
    return parts.map(([part, element]) => ({ part, shown: isWhole(element) }));
  }) as Promise<Part[]>;

it('says whose picture a tile shows at every width, and lets a stream lead that has a picture', async () => {
  const ports = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()];
  await uploadPlatforms(stage.server.address, configOf(['ALPHA-1', 'HERON-1', 'KEA-1'], ports));
  const flights = await Promise.all(ports.slice(1).map((port) => startFlight(port)));
  const platforms = () => stage.api.send<LivePlatform[]>('GET', 'platforms');
  await vi.waitUntil(async () => (await platforms()).filter(({ state }) => state === 'online').length === 2, {
    timeout: 60_000,
  });
  const chosen = (await platforms()).map(({ _id }) => _id).join(',');
  const { page } = await stage.signedIn({ width: 1440, height: 900 });

  await page.goto(`/live?platforms=${chosen}`);
  const heron = page.getByRole('region', { name: 'Player HERON-1 EO' });
  await page.getByRole('region', { name: 'Player ALPHA-1 EO' }).getByText('Offline').waitFor();

  // The first platform by name never sent: its clock would stand still.
  const clock = page.locator('[data-part="mission-clock"]').filter({ visible: true });
  await expect.poll(() => clock.textContent(), { timeout: 60_000 }).toMatch(/\d\d:\d\d:\d\d/);
  const leads = await heron.getByRole('button', { name: /^Lead by/ }).count();
  expect(leads).toBe(0);
  await heron.getByText('LIVE', { exact: true }).waitFor();
  await shoot(page, 'live-heads-1440');

  for (const width of WIDTHS) {
    await heron.evaluate((section, px) => {
      (section as HTMLElement).style.width = `${px}px`;
    }, width);
    const shown = Object.fromEntries((await partsOf(heron)).map(({ part, shown }) => [part, shown]));
    // No part stays that should give way before a part that is gone.
    const order = ['sensor', 'label', 'platform', 'delay', 'LIVE', 'mode'];
    const first = order.findIndex((part) => !shown[part]);
    expect(first === -1 ? 99 : first, `${width}: ${JSON.stringify(shown)}`).toBeGreaterThanOrEqual(2);
    if (first !== -1)
      expect(
        order.slice(first).filter((part) => shown[part]),
        `${width}`,
      ).toEqual([]);
  }

  // Nothing else sends: the clock says so instead of standing still.
  await Promise.all(flights.map((flight) => flight.stop()));
  await page.getByText(/^No picture since \d\d:\d\d:\d\d Z$/).waitFor();
});
