/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../test-support/browser/browser.ts';
import { logIn } from '../../test-support/browser/screens.ts';
import { median } from '../../test-support/statistics.ts';
import { type BenchLine, belowGoal } from '../bench-line.ts';
import { rounded } from '../bench-server.ts';

const VIEW = { width: 1280, height: 900 };
const PAIRS = 7;
const WARM_UP_PAIRS = 1;
const STEPS = 24;
const STEP_PX = 6;
/** Maximum duration of a frame with annotations, as a multiple of the same map's frame without them. */
const TIMES_MAX = 1.3;
/** Time without drawing after which a map counts as resting, in milliseconds. */
const REST_MS = 700;

type Timed = { frames: number[]; lastMs: number };
type Account = { username: string; password: string };

/**
 * Drags the map of all missions alternately with annotations in view and with the same annotations hidden. A frame is
 * timed from its callback until the software renderer has drawn it.
 *
 * @param around title of an annotation that the view is fitted to
 */
export async function panningLine(
  address: string,
  account: Account,
  { ids, around, vertices }: { ids: readonly string[]; around: string; vertices: number },
): Promise<BenchLine> {
  const browser = await launchBrowser();
  try {
    const { page } = await openPage(browser, address, { ...VIEW, places: true });
    await page.addInitScript(timeFrames);
    await logIn(page, account);
    await page.getByRole('tab', { name: 'Annotations' }).click();
    const row = page.getByRole('treegrid', { name: 'Annotations' }).getByText(around, { exact: true });
    const read = page.waitForResponse((answer) => /\/api\/annotations\?.*bbox=/.test(answer.url()));
    await row.click();
    await read;
    const times = { shown: [] as number[], hidden: [] as number[] };
    for (let pair = -WARM_UP_PAIRS; pair < PAIRS; pair += 1) {
      for (const what of ['shown', 'hidden'] as const) {
        await page.evaluate(hide, what === 'hidden' ? ids : []);
        await untilResting(page);
        const frames = await drag(page, pair % 2 === 0 ? STEP_PX : -STEP_PX);
        if (pair >= 0) times[what].push(median(frames));
      }
    }
    const ratio = median(times.hidden.map((ms, at) => ms / times.shown[at]!));
    return {
      name: 'annotations, panned',
      unit: 'ms a frame',
      ours: rounded(median(times.shown)),
      peer: rounded(median(times.hidden)),
      peerName: 'the same map without them',
      ratio: rounded(ratio),
      failure: belowGoal(ratio, 1 / TIMES_MAX),
      note: `${ids.length} annotations of together ${vertices} vertices in ${VIEW.width}x${VIEW.height}, software GL; ${PAIRS} pairs, median`,
    };
  } finally {
    await browser.close();
  }
}

/** Records the duration of each frame in which a map was drawn; runs in the page, before its scripts. */
function timeFrames(): void {
  const timed: Timed = { frames: [], lastMs: performance.now() };
  const pixel = new Uint8Array(4);
  const drawn = new Set<WebGL2RenderingContext>();
  const draw = WebGL2RenderingContext.prototype.drawElements;
  WebGL2RenderingContext.prototype.drawElements = function (...what) {
    drawn.add(this);
    draw.apply(this, what);
  };
  const ask = window.requestAnimationFrame.bind(window);
  const onFrame = (callback: FrameRequestCallback) =>
    ask((now) => {
      const before = performance.now();
      drawn.clear();
      callback(now);
      if (drawn.size === 0) return;
      // Reading a pixel blocks until all requested drawing is complete.
      for (const gl of drawn) gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      timed.lastMs = performance.now();
      timed.frames.push(timed.lastMs - before);
    });
  Object.assign(window, { timed, requestAnimationFrame: onFrame });
}

/** Hides these annotations in the same way as their checkboxes do; runs in the page. */
function hide(ids: readonly string[]): void {
  localStorage.setItem('hiddenAnnotations', JSON.stringify(ids));
  window.dispatchEvent(new StorageEvent('storage', { key: 'hiddenAnnotations' }));
}

async function untilResting(page: Page): Promise<void> {
  await page.waitForFunction(
    (restMs) => performance.now() - (window as unknown as { timed: Timed }).timed.lastMs > restMs,
    REST_MS,
  );
}

/** Drags the map sideways, waiting for a frame after each step. Returns the durations of these frames. */
async function drag(page: Page, stepPx: number): Promise<number[]> {
  const box = (await page.locator('canvas.maplibregl-canvas').first().boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(() => void (window as unknown as { timed: Timed }).timed.frames.splice(0));
  for (let step = 1; step <= STEPS; step += 1) {
    await page.mouse.move(x + step * stepPx, y);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  }
  const frames = await page.evaluate(() => (window as unknown as { timed: Timed }).timed.frames.slice());
  await page.mouse.up();
  return frames;
}
