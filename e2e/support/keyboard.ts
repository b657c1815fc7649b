/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';

/** A page has fewer tab stops than this; more are a loop. */
const MOST_STOPS = 120;

/** Drives a page by the keyboard alone, as a user without a mouse. */
export function keyboardOf(page: Page) {
  const key = (name: string) => page.keyboard.press(name);
  const hasFocus = (target: Locator) => target.evaluate((element) => element.matches(':focus-visible'));
  const focused = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));

  /** Goes on, by Tab unless in a menu, until this one has the focus and shows it. */
  async function reach(target: Locator, by = 'Tab'): Promise<void> {
    await target.waitFor();
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      if (await hasFocus(target)) return;
      await key(by);
    }
    throw new Error(`${target} is not reached by ${by}; the focus is on ${await focused()}`);
  }

  return {
    key,
    hasFocus,
    reach,
    async enter(target: Locator, text: string): Promise<void> {
      await reach(target);
      await key('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    async press(target: Locator, by = 'Enter'): Promise<void> {
      await reach(target);
      await key(by);
    },
    /** In a menu or a list of options. */
    async choose(item: Locator): Promise<void> {
      await reach(item, 'ArrowDown');
      await key('Enter');
    },
  };
}
