/// <reference lib="dom" />
import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { ADMIN } from '../server.ts';

/** Logs in by the login form; ends on the missions page. */
export async function logIn(page: Page, account: { username: string; password: string } = ADMIN): Promise<void> {
  await page.goto('/login');
  await fillLogin(page, account);
  await page.waitForURL('**/missions**');
  await untilListed(page);
}

export async function fillLogin(page: Page, { username, password }: { username: string; password: string }) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

/**
 * Changes the window size and waits until the page has been rendered for it, since a key pressed meanwhile would be
 * lost.
 */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  // Media queries fire before the next frame; the resulting changes are rendered in the frame after that.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

export const table = (page: Page): Locator => page.getByRole('treegrid', { name: 'Missions' });

/** Waits until the rows are loaded, or there are none. */
export const untilListed = (page: Page): Promise<void> =>
  table(page).and(page.locator('[aria-busy="false"]')).waitFor();

/** Returns the row of a mission; its sensors have rows of their own. */
export const row = (page: Page, name: string): Locator =>
  table(page).getByRole('row').filter({ hasText: name }).and(page.locator('[aria-level="1"]'));

export async function adminMode(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'Admin mode' }).check();
}

export const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });

/** Chooses files for a sensor as the button of its drop area does. */
export async function chooseFiles(page: Page, sensor: string, paths: string[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: `Choose files for ${sensor}` }).click(),
  ]);
  await chooser.setFiles(paths);
  for (const path of paths) await page.getByRole('button', { name: `Remove ${basename(path)}` }).waitFor();
}

/** Drags files and folders of this machine onto the page, as from a file manager. */
export async function dropOnPage(page: Page, paths: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 200, y: 300, data });
  }
  await session.detach();
}

/** Completes the dialog step by step and sends it; the dialog closes when the mission is created. */
export async function addMission(page: Page, name: string, files: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Add mission' }).click();
  const form = dialog(page, 'New mission');
  await form.getByLabel('Name').fill(name);
  await form.getByRole('button', { name: 'Next' }).click();
  await form.getByRole('button', { name: 'Skip' }).click();
  await chooseFiles(page, 'EO/IR', files);
  await form.getByRole('button', { name: 'Create' }).click();
  await form.waitFor({ state: 'detached' });
}

/** Waits until the table shows the mission as Ready. */
export async function waitForReady(page: Page, name: string): Promise<void> {
  await row(page, name).getByText('Ready', { exact: true }).waitFor({ timeout: 60_000 });
}

export async function openMission(page: Page, name: string): Promise<Locator> {
  await row(page, name).getByText(name, { exact: true }).click();
  const view = page.getByRole('region', { name: `Mission ${name}` });
  await view.waitFor();
  return view;
}

/** Opens the table over the lower half of the mission view. */
export async function openTable(view: Locator): Promise<void> {
  await view.getByRole('button', { name: 'Open table', exact: true }).click();
  await view.getByRole('button', { name: 'Close table', exact: true }).waitFor();
}

/** Arranges the pictures side by side, with the map next to or below them. */
export async function sideBySide(view: Locator): Promise<void> {
  const toggle = view.getByRole('button', { name: 'Side by side', exact: true });
  if ((await toggle.getAttribute('aria-pressed')) === 'false') await toggle.click();
}

/** Returns the telemetry panel of the leading sensor, which is opened if necessary. */
export async function openTelemetry(view: Locator): Promise<Locator> {
  const toggle = view.getByRole('button', { name: 'Telemetry', exact: true });
  if ((await toggle.getAttribute('aria-pressed')) === 'false') await toggle.click();
  const panel = view.getByRole('region', { name: /^Telemetry of/ });
  await panel.waitFor();
  return panel;
}

/** Returns the picture shown by a video element as a coarse grid of brightness values. */
export async function pictureOf(video: Locator): Promise<number[]> {
  return video.evaluate((element) => {
    const canvas = document.createElement('canvas');
    canvas.width = 16;
    canvas.height = 12;
    const context = canvas.getContext('2d');
    context?.drawImage(element as HTMLVideoElement, 0, 0, 16, 12);
    return [...(context?.getImageData(0, 0, 16, 12).data ?? [])];
  });
}

/**
 * Times shown by the parts of one sensor's player at the end of an animation frame, from their data attributes; UTC
 * microseconds.
 */
export type ShownTimes = {
  frame: number;
  overlay: number;
  foot: number;
  panel: number;
  footprint: number;
  marker: number;
};

/** Runs inside the page. */
export function readShownTimes(sensorId: string): ShownTimes {
  const player = document.querySelector(`section[data-sensor-id="${sensorId}"]`);
  const time = (element: Element | null | undefined, name: string) => Number(element?.getAttribute(name) || Number.NaN);
  const record = (element: Element | null | undefined) => time(element, 'data-record-time-us');
  return {
    frame: time(player, 'data-frame-time-us'),
    overlay: record(player?.querySelector('canvas')),
    foot: record(player?.querySelector(':scope > div[data-record-time-us]')),
    panel: record(document.querySelector('[data-part="telemetry-panel"]')),
    footprint: record(document.querySelector(`g[data-sensor-id="${sensorId}"]`)),
    marker: record(document.querySelector('[data-part="platform-marker"]')),
  };
}

/** Saves a screenshot if OSPREY_TEST_SHOTS names a folder. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.OSPREY_TEST_SHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** Returns the share of an element's pixels that have exactly this colour, from 0 to 1. */
export async function shareOf(element: Locator, colour: readonly [number, number, number]): Promise<number> {
  const picture = (await element.screenshot()).toString('base64');
  return element.page().evaluate(
    async ([data, [red, green, blue]]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
      let count = 0;
      for (let at = 0; at < pixels.length; at += 4) {
        if (pixels[at] === red && pixels[at + 1] === green && pixels[at + 2] === blue) count += 1;
      }
      return count / (pixels.length / 4);
    },
    [picture, colour] as const,
  );
}

/** Seeks by the time form of the mission clock; the picture may still be loading afterwards. */
export async function askForTime(view: Locator, text: string): Promise<void> {
  await view.getByRole('button', { name: /^Go to a time/ }).click();
  const form = view.page().getByRole('dialog', { name: 'Go to a time' });
  await form.getByLabel('Time, UTC').fill(text);
  await form.getByRole('button', { name: 'Go', exact: true }).click();
  await form.waitFor({ state: 'detached' });
}
