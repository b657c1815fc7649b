/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { table } from './screens.ts';

/** Scroll container of the missions table. */
export const tableScroller = (page: Page): Locator => table(page).locator('xpath=ancestor::*[@data-part="table"]');

/**
 * Checks the table in each animation frame; `longestMs` is the longest time for which a position that should have a row
 * had none.
 */
export const watchForBlanks = (scroller: Locator) =>
  scroller.evaluateHandle((element) => {
    const seen = { longestMs: 0, looks: 0, stop: false };
    let blankSince: number | null = null;
    const look = (now: number) => {
      if (seen.stop) return;
      requestAnimationFrame(look);
      const { left, top, height, width } = element.getBoundingClientRect();
      // Positions below the head, in the middle, and just above the lower edge, all of which rows should cover.
      const blank = [top + 60, top + height / 2, top + height - 30].some(
        (y) => !document.elementFromPoint(left + width / 2, y)?.closest('[role="row"][aria-level]'),
      );
      if (!blank) blankSince = null;
      else {
        blankSince ??= now;
        seen.longestMs = Math.max(seen.longestMs, now - blankSince);
      }
      seen.looks += 1;
    };
    requestAnimationFrame(look);
    return seen;
  });
