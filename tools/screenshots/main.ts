/// <reference lib="dom" />
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser, openPage } from '../test-support/browser/browser.ts';
import { logIn } from '../test-support/browser/screens.ts';
import { apiOf } from '../test-support/data/api.ts';
import { type Flight, startFlight } from '../test-support/data/flight.ts';
import { makeRecordings } from '../test-support/data/recordings.ts';
import { startServer } from '../test-support/server.ts';
import { lookScenes, openLooks } from './looks.ts';
import { prepare } from './prepare.ts';
import { scenes, WIDTH } from './scenes.ts';

const DOCS = resolve(import.meta.dirname, '../../docs');
const FOLDER = join(DOCS, 'manual/pictures');
/** Maximum size of a picture in bytes, since the manual is also read over slow connections. */
const MAX_BYTES = 200_000;
const HEIGHT = 800;

/**
 * `npm run screenshots [-- name ...]`: takes the pictures of the manual (all, or those named) from the product itself
 * with simulated flights. `npm run screenshots -- looks [name ...]`: takes every screen in three sizes and both colour
 * schemes, for visual review, into dist/looks.
 */
const [first, ...others] = process.argv.slice(2);
const isLooks = first === 'looks';
const requested = isLooks || first === undefined ? others : [first, ...others];
const [server, browser, recordings] = await Promise.all([startServer(), launchBrowser(), makeRecordings()]);
const flights: Flight[] = [];
try {
  const api = apiOf(server.address);
  const prepared = await prepare({ server, api, recordings });
  const recording = await recordings.simulated('andros.ts', { seconds: 4 });
  const { page } = await openPage(browser, server.address, {
    width: WIDTH,
    height: HEIGHT,
    scheme: 'light',
    places: true,
  });
  const looks = isLooks ? await openLooks() : null;
  // Use the browser's colour scheme, so that it can be changed while a screen is shown.
  if (looks) await page.evaluate(() => localStorage.setItem('mui-mode', 'system'));
  await page.goto('/login');
  await page.getByRole('button', { name: 'Login' }).waitFor();
  if (isRequested('login')) await (looks ? looks.take('login', page) : keep(page, 'login'));
  await logIn(page);
  const fly = async () => {
    if (flights.length === 0) flights.push(await startFlight(prepared.port, { width: 640, height: 360, kbps: 1200 }));
  };
  for (const { name, height = HEIGHT, show } of (looks ? lookScenes : scenes).filter(({ name }) => isRequested(name))) {
    await page.setViewportSize({ width: WIDTH, height });
    // Otherwise the page would open with the tab of the previous scene.
    await page.evaluate(() => localStorage.removeItem('missionsTabValue'));
    try {
      const part = await show({ page, server, api, prepared, recording, fly });
      await (looks ? looks.take(name, page) : keep(part ?? page, name));
    } catch (error) {
      process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    }
  }
  await looks?.finish();
} finally {
  for (const flight of flights) await flight.stop();
  await browser.close();
  await server.stop();
  await recordings.remove();
}

function isRequested(name: string): boolean {
  return requested.length === 0 || requested.includes(name);
}

/**
 * Encodes at the best quality (0 to 100) that fits the size limit. Without dithering, which would take more bytes than
 * the picture itself.
 */
async function withinBytes(picture: Buffer): Promise<Buffer> {
  for (const quality of [100, 80, 60]) {
    const small = await sharp(picture)
      .png({ palette: true, quality, dither: 0, effort: 10, compressionLevel: 9 })
      .toBuffer();
    if (small.length < MAX_BYTES) return small;
  }
  throw new Error(`more than ${MAX_BYTES} bytes`);
}

async function keep(shown: Page | Locator, name: string): Promise<void> {
  const taken = await shown.screenshot({ animations: 'disabled', caret: 'hide' });
  const retained = await withinBytes(taken);
  await writeFile(join(FOLDER, `${name}.png`), retained);
  // The picture in the README is the one of the mission view.
  if (name === 'mission') await writeFile(join(DOCS, 'mission-view.png'), retained);
  process.stdout.write(`${name}.png ${retained.length} bytes\n`);
}
