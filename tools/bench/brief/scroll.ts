/// <reference lib="dom" />
import { tableScroller, watchForBlanks } from '../../test-support/browser/blanks.ts';
import { launchBrowser, openPage } from '../../test-support/browser/browser.ts';
import { logIn, table } from '../../test-support/browser/screens.ts';
import type { BenchLine } from '../bench-line.ts';

/** Maximum time for which a row may be blank, in milliseconds. */
const BLANK_MAX_MS = 200;
const TURNS = 400;
/** Distance of one wheel step, about twelve rows, in CSS pixels. */
const PULL_PX = 600;

/**
 * Scrolls the table in a browser through thousands of rows and back with the wheel, and measures the longest time for
 * which a row was blank.
 */
export async function scrollLine(address: string, account: { username: string; password: string }, missions: number) {
  const browser = await launchBrowser();
  try {
    const { page } = await openPage(browser, address);
    await logIn(page, account);
    const scroller = tableScroller(page);
    const box = (await scroller.boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + box.height / 2);
    const seen = await watchForBlanks(scroller);
    let furthest = 0;
    for (let turn = 0; turn < TURNS; turn += 1) {
      await page.mouse.wheel(0, PULL_PX);
      furthest = Math.max(furthest, await lastRow());
    }
    for (const pull of [-30_000, 20_000, -10 * TURNS * PULL_PX]) await page.mouse.wheel(0, pull);
    await table(page).locator('[aria-rowindex="2"]').waitFor();
    const { longestMs, looks } = await seen.evaluate((found) => {
      found.stop = true;
      return found;
    });
    const line: BenchLine = {
      name: 'brief',
      unit: 'ms',
      ours: Math.round(longestMs),
      peer: BLANK_MAX_MS,
      peerName: 'longest blank row allowed',
      ratio: Math.round((BLANK_MAX_MS / Math.max(longestMs, 1)) * 100) / 100,
      failure: longestMs > BLANK_MAX_MS ? `a row was blank for ${Math.round(longestMs)} ms` : undefined,
      note: `the table scrolled through ${furthest} of ${missions} missions and back, ${looks} frames looked at`,
    };
    return line;

    function lastRow(): Promise<number> {
      return table(page).evaluate((element) =>
        Math.max(
          ...[...element.querySelectorAll('[aria-rowindex]')].map((one) => Number(one.getAttribute('aria-rowindex'))),
        ),
      );
    }
  } finally {
    await browser.close();
  }
}
