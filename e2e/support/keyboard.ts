/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';

/** Maximum number of tab stops of a page; more of them mean that the focus is trapped. */
const MOST_STOPS = 120;

/** Operates a page only by keyboard, like a user without a mouse. */
export function keyboardOf(page: Page) {
  const key = (name: string) => page.keyboard.press(name);
  const hasFocus = (target: Locator) => target.evaluate((element) => element.matches(':focus-visible'));
  const focused = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));

  /** Presses a key, by default Tab, until this element has a visible focus. */
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
    /** Chooses an item in a menu or a list of options. */
    async choose(item: Locator): Promise<void> {
      await reach(item, 'ArrowDown');
      await key('Enter');
    },
  };
}
