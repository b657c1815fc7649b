/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialog, row as missionRow, pictureOf, shoot } from '../tools/test-support/browser/screens.ts';
import { freeUdpPort, twoPlatformsConfig, uploadPlatforms } from '../tools/test-support/data/platforms.ts';
import { type PacedSender, sendPaced } from '../tools/test-support/paced-sender.ts';
import { seriousViolations } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();
const ROUNDS = 1000;

let pilot: { username: string; password: string };
let ports: number[] = [];
let senders: PacedSender[] = [];

async function fly(): Promise<void> {
  const bytes = await readFile(await stage.recordings.simulated('flight.ts', { seconds: 10 }));
  senders = await Promise.all(ports.slice(0, 2).map((port) => sendPaced({ bytes, port, rounds: ROUNDS })));
}

async function land(): Promise<void> {
  await Promise.all(senders.map((sender) => sender.stop()));
  senders = [];
}

beforeAll(async () => {
  ports = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()];
  pilot = await stage.api.addUser('pilot');
  await uploadPlatforms(stage.server.address, twoPlatformsConfig(ports));
  await fly();
});
afterAll(land);

const platforms = (page: Page) => page.getByRole('treegrid', { name: 'Platforms' });
const row = (page: Page, name: string) =>
  platforms(page)
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) });

async function openPlatforms(
  view: { width?: number; height?: number; scheme?: 'dark' | 'light'; touch?: boolean } = {},
) {
  const opened = await stage.signedIn(view);
  await opened.page.goto('/platforms');
  await row(opened.page, 'OSP-21').waitFor();
  return opened;
}

describe('platforms', () => {
  it('is found in the menu of who controls platforms, and says of each what streams', async () => {
    const { page, close } = await stage.signedIn();

    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Control' }).click();
    await page.waitForURL('**/platforms');

    await row(page, 'OSP-21').getByText('Online').waitFor();
    await row(page, 'OSP-21').getByRole('button', { name: 'Show sensors of OSP-21' }).click();
    await row(page, 'EO')
      .getByText(/H\.264 320 × 240/)
      .waitFor();
    await row(page, 'ROV-2')
      .getByText(/Offline|Unknown/)
      .waitFor();
    await close();
  });

  it('shows the picture of a stream while its state is hovered, and ends it with the pointer', {
    tags: 'long',
  }, async () => {
    const { page, close } = await openPlatforms();
    const picture = page.getByRole('tooltip').getByLabel('Preview of EO');

    await row(page, 'OSP-21').getByText('Online').hover();

    // The first to be drawn: of a black square red, green and blue are 0.
    const isLit = (pixels: number[]) => pixels.some((value, index) => index % 4 < 3 && value > 0);
    await expect.poll(async () => isLit(await pictureOf(picture))).toBe(true);
    const first = await pictureOf(picture);
    await expect.poll(() => pictureOf(picture)).not.toEqual(first);
    await shoot(page, 'platforms-preview');
    await page.getByRole('searchbox', { name: 'Search platforms' }).hover();
    await picture.waitFor({ state: 'detached' });
    await close();
  });

  it('records from the first press to the Ready mission, which runs meanwhile', async () => {
    const { page, close } = await openPlatforms();
    await row(page, 'OSP-21').getByText('Online').waitFor();

    await page.getByRole('button', { name: 'Record OSP-21' }).click();
    const form = dialog(page, 'Record OSP-21');
    const name = await form.getByLabel('Name').inputValue();
    expect(name).toMatch(/^OSP-21-\d{8}-\d{6}$/);
    await form.getByLabel('Description').fill('Two persons in a small craft');
    await shoot(page, 'platforms-record');
    await form.getByRole('button', { name: 'Record' }).click();
    await page.getByText(`Mission ${name} added.`).waitFor();
    await form.waitFor({ state: 'detached' });

    await row(page, 'OSP-21').getByText('REC').waitFor();
    const duration = row(page, 'OSP-21')
      .getByRole('gridcell')
      .filter({ hasText: /^0:\d\d$/ });
    await expect.poll(async () => Number((await duration.textContent())?.slice(2))).toBeGreaterThanOrEqual(3);
    await row(page, 'OSP-21').getByRole('button', { name: 'Show sensors of OSP-21' }).click();
    await shoot(page, 'platforms-dark');
    const other = await stage.signedIn();
    await missionRow(other.page, name).getByText('Running', { exact: true }).waitFor();
    const time = missionRow(other.page, name).getByRole('timer', { name: /^Recording began 0:\d\d ago$/ });
    const begun = await time.textContent();
    await expect.poll(() => time.textContent()).not.toBe(begun);
    await shoot(other.page, 'missions-running');

    await page.getByRole('button', { name: 'Stop recording OSP-21', exact: true }).click();
    await page
      .getByRole('alertdialog', { name: 'Stop recording OSP-21?' })
      .getByRole('button', { name: 'Stop 2' })
      .click();
    await page.getByText('Platform OSP-21 stopped.').waitFor();

    await missionRow(other.page, name).getByText('Ready', { exact: true }).waitFor();
    await row(page, 'OSP-21').getByText('REC').waitFor({ state: 'detached' });
    await Promise.all([close(), other.close()]);
  });

  it('records at once, without a dialog, and leads to the mission', async () => {
    const { page, close } = await openPlatforms();
    await row(page, 'OSP-21').getByText('Online').waitFor();

    await page.getByRole('button', { name: 'Record now: OSP-21' }).click();

    await page.getByText(/^Recording OSP-21: mission OSP-21-\d{8}-\d{6}\.$/).waitFor();
    await row(page, 'OSP-21').getByText('REC').waitFor();
    await shoot(page, 'platforms-now');
    await page.getByRole('button', { name: 'Open mission' }).click();
    await page.waitForURL(/\/missions\?mission=/);
    await page.goto('/platforms');
    await page.getByRole('button', { name: 'Stop recording OSP-21', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop 2' }).click();
    await row(page, 'OSP-21').getByText('REC').waitFor({ state: 'detached' });
    await close();
  });

  it('starts and stops by keys alone', { tags: 'long' }, async () => {
    const { page, close } = await openPlatforms();
    const deputy = await stage.api.addUser('deputy', { role: 'admin', clearance: 'SECRET' });
    const other = await stage.signedIn({}, deputy, '/platforms');
    const record = page.getByRole('button', { name: 'Record OSP-21' });
    await row(page, 'OSP-21').getByText('Online').waitFor();
    await row(other.page, 'OSP-21').getByText('Online').waitFor();

    await row(page, 'OSP-21').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/platforms=/);
    await page.keyboard.press('Tab');
    await expect.poll(() => record.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await dialog(page, 'Record OSP-21').locator(':focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Stop recording OSP-21', exact: true }).waitFor();
    // Another viewer of the same page sees it without a reload.
    await row(other.page, 'OSP-21').getByText('REC').waitFor();
    await page.getByRole('button', { name: 'Stop recording OSP-21', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').locator('button:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');

    await page.getByText('Platform OSP-21 stopped.').waitFor();
    await row(other.page, 'OSP-21').getByText('REC').waitFor({ state: 'detached' });
    await Promise.all([close(), other.close()]);
  });

  it.each(['dark', 'light'] as const)(
    'has no serious accessibility finding in the %s scheme',
    { tags: 'long' },
    async (scheme) => {
      const { page, close } = await openPlatforms({ scheme });
      await page.getByRole('button', { name: 'Show sensors of OSP-21' }).click();
      await row(page, 'IR').waitFor();
      expect(await page.locator('html').getAttribute('data-scheme')).toBe(scheme);

      expect(await seriousViolations(page)).toEqual([]);
      await shoot(page, `platforms-${scheme}-idle`);
      await page.getByRole('button', { name: 'Record ROV-2' }).click();
      await dialog(page, 'Record ROV-2').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await close();
    },
  );

  it('shows all columns and actions side by side at 1440 px', { tags: 'long' }, async () => {
    const { page, close } = await openPlatforms();

    const { wide, shown } = await platforms(page).evaluate((table) => {
      const scroller = table.closest('[data-part="table"]')!;
      return { wide: scroller.scrollWidth, shown: scroller.clientWidth };
    });

    expect(wide).toBeLessThanOrEqual(shown);
    await close();
  });

  it('is set up by a form that says what is missing, in the first field that is wrong', { tags: 'long' }, async () => {
    const { page, close } = await openPlatforms();
    await page.getByRole('button', { name: 'Add platform' }).click();
    const form = dialog(page, 'New platform');
    const name = form.getByLabel('Name *');

    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('Empty platform name').waitFor();
    const address = form.getByLabel('Address');
    await expect.poll(() => address.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    await name.fill('QUAD-7');
    await form.getByRole('combobox', { name: 'Usergroup' }).click();
    await page.getByRole('option', { name: 'Everyone (all users)' }).click();
    await page.keyboard.press('Escape');
    await address.fill(`udp://127.0.0.1:${await freeUdpPort()}`);
    await form.getByRole('button', { name: 'Create' }).click();

    await form.waitFor({ state: 'detached' });
    await row(page, 'QUAD-7').hover();
    await page.getByRole('button', { name: 'Delete QUAD-7' }).click();
    await page.getByRole('alertdialog', { name: 'Delete QUAD-7?' }).getByRole('button', { name: 'Delete' }).click();
    await row(page, 'QUAD-7').waitFor({ state: 'detached' });
    await close();
  });

  it('fits a phone of 390 px, with buttons large enough for a finger', async () => {
    const { page, close } = await openPlatforms({ width: 390, height: 844, touch: true });
    await row(page, 'OSP-21').waitFor();
    expect(await seriousViolations(page)).toEqual([]);

    const { wide, screen } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      screen: document.documentElement.clientWidth,
    }));
    const button = (await page.getByRole('button', { name: 'Record OSP-21' }).boundingBox())!;

    expect(wide).toBeLessThanOrEqual(screen);
    expect(button.width).toBeGreaterThanOrEqual(44);
    expect(button.height).toBeGreaterThanOrEqual(44);
    expect(button.x + button.width).toBeLessThanOrEqual(screen);
    const now = (await page.getByRole('button', { name: 'Record now: OSP-21' }).boundingBox())!;
    expect(now.height).toBeGreaterThanOrEqual(44);
    expect(now.x + now.width).toBeLessThanOrEqual(screen);
    await shoot(page, 'platforms-phone');
    await close();
  });

  it('explains to an account without an admin role that they cannot control platforms', async () => {
    const { page, close } = await stage.signedIn({}, pilot);

    const menu = page.getByRole('navigation', { name: 'Main menu' });
    expect(await menu.getByRole('link', { name: 'Control' }).count()).toBe(0);
    await page.goto('/platforms');

    await page.getByText("Please note, you don't have Admin rights to control platforms.").waitFor();
    await close();
  });
});
