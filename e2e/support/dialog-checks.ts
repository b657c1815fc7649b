/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Maximum number of tab stops of a dialog; more of them mean that the focus is trapped in a part of it. */
const MOST_STOPS = 80;

/** Waits until the focus is inside the dialog, as after opening it by keyboard. */
export async function expectFocusInside(box: Locator): Promise<void> {
  await expect.poll(() => box.evaluate((own) => own.contains(document.activeElement))).toBe(true);
}

/** Presses Tab through all stops and checks that the focus never leaves the dialog, and returns to the first stop. */
export async function expectFocusKept(page: Page, box: Locator): Promise<void> {
  await page.keyboard.press('Tab');
  await box.evaluate(() => document.activeElement?.setAttribute('data-first-stop', ''));
  const passed: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    const now = await box.evaluate((own) => {
      const at = document.activeElement;
      if (!at || !own.contains(at)) return { outside: at?.outerHTML.slice(0, 160) ?? 'nothing' };
      const isFirst = at.hasAttribute('data-first-stop');
      if (isFirst) at.removeAttribute('data-first-stop');
      return { isFirst, what: at.outerHTML.slice(0, 80) };
    });
    if ('outside' in now) throw new Error(`The focus left the dialog: ${now.outside}`);
    if (now.isFirst) return;
    passed.push(now.what!);
  }
  throw new Error(`The focus did not come back to where it began: ${passed.slice(-5).join(' ')}`);
}

/**
 * Returns the elements of a dialog that are cut off at the width of the window, or cannot be scrolled into view; empty
 * if there are none.
 */
export async function cutOff(box: Locator): Promise<string[]> {
  return box.evaluate((own) => {
    const found: string[] = [];
    const name = (element: Element) =>
      `${element.tagName} ${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 60)}`;
    const page = document.documentElement.scrollWidth;
    if (page > window.innerWidth) found.push(`The page is ${page} px wide`);
    const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    // Excludes the hidden copies of multi-line fields, which serve only to measure them.
    for (const element of [own, ...own.querySelectorAll(':not([aria-hidden="true"])')]) {
      if (!(element instanceof HTMLElement) || !isShown(element)) continue;
      const { overflowX } = getComputedStyle(element);
      const over = element.scrollWidth - element.clientWidth;
      // Excludes elements for screen readers only, which are one pixel wide, and the ripple effects of buttons.
      if (element.clientWidth < 2 || element.textContent === '') continue;
      if (over > 1 && overflowX !== 'visible' && !element.matches('input, textarea, .maplibregl-map *')) {
        found.push(`${over} px are cut off: ${name(element)}`);
      }
    }
    const buttons = own.querySelectorAll(
      'button, [role="button"], [role="combobox"], [role="tab"], input, textarea, a',
    );
    for (const button of buttons) {
      const shown = button.matches('[type="checkbox"], [type="file"]') ? button.parentElement! : button;
      if (!isShown(shown) || button.closest('[aria-hidden="true"]')) continue;
      shown.scrollIntoView({ block: 'nearest' });
      const { left, right, top, bottom } = shown.getBoundingClientRect();
      const inView =
        left >= 0 &&
        right <= window.innerWidth &&
        bottom > top &&
        (top + bottom) / 2 > 0 &&
        bottom <= window.innerHeight;
      if (!inView) found.push(`Out of view, ${left} to ${right}, ${top} to ${bottom}: ${name(button)}`);
    }
    for (const element of own.querySelectorAll('*')) element.scrollTo({ top: 0 });
    return found;
  });
}

const PARTS = ['Dialog', 'PlainDialog', 'FormDialog', 'ConfirmDialog', 'AlertBox', 'CopyDialog', 'TabbedDialog'];

/** Returns the dialogs that a source file renders from imported components, one entry for each use. */
export function dialogsIn(source: string): string[] {
  const parts = PARTS.filter((part) => new RegExp(`import[^;]*\\b${part}\\b[^;]* from`).test(source));
  return parts.flatMap((part) => [...source.matchAll(new RegExp(`<${part}(?=[\\s>])`, 'g'))].map(() => part));
}

/**
 * Returns whether nothing, including the backdrop of a dialog, covers the middle of the label bar at the top of the
 * page.
 */
export const isLabelBarOnTop = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const bar = document.querySelector('[role="note"]');
    const { left, top, width, height } = bar!.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) === bar;
  });
