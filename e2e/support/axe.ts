/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

type Result = { violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[] };

/** Rules about colours, which are all that can differ in another colour scheme. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

type Asked = {
  /** Rules to check; default: all. */
  rules?: readonly string[];
  /** Part of the page to check; default: all of it. */
  within?: Locator | undefined;
};

/** Returns serious or critical findings of axe on the current page: rule, element and failure. */
export async function seriousViolations(page: Page, { rules = [], within }: Asked = {}): Promise<string[]> {
  // Injected through the DevTools protocol, since the page's content security policy forbids other scripts.
  const loaded = await page.evaluate(() => 'axe' in window);
  if (!loaded) await page.evaluate(await readSource());
  const place = (await within?.elementHandle()) ?? null;
  const { violations } = await page.evaluate(
    async ([asked, where]) => {
      // Waits for animations to finish, since their intermediate colours must not be checked.
      const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(passing.map(({ finished }) => finished));
      const { axe } = window as unknown as { axe: { run: (where: Node, options: object) => Promise<Result> } };
      const only = asked.length > 0 && { runOnly: asked };
      return axe.run(where ?? document, { resultTypes: ['violations'], ...only });
    },
    [rules, place] as const,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
}

/**
 * Returns the same findings, together with those on colours in the other scheme, which is chosen as from another tab of
 * the browser.
 */
export async function seriousViolationsInBothSchemes(page: Page, within?: Locator): Promise<string[]> {
  const first = await seriousViolations(page, { within });
  const other = (await schemeOf(page)) === 'light' ? 'dark' : 'light';
  await choose(page, other);
  const second = await seriousViolations(page, { rules: COLOURS, within });
  await choose(page, other === 'light' ? 'dark' : 'light');
  return [...first, ...second.map((text) => `${other}: ${text}`)];
}

/**
 * Returns the colour scheme. Pages of the manual have no setting of their own, so they use the browser's preference.
 */
const schemeOf = (page: Page) =>
  page.evaluate(() => {
    const preferred = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
    return document.documentElement.dataset.scheme ?? preferred;
  });

async function choose(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  const chooses = await page.evaluate((newValue) => {
    localStorage.setItem('mui-mode', newValue);
    window.dispatchEvent(new StorageEvent('storage', { key: 'mui-mode', newValue }));
    return document.documentElement.dataset.scheme !== undefined;
  }, scheme);
  if (!chooses) return;
  await page.waitForFunction((requested) => document.documentElement.dataset.scheme === requested, scheme);
}

let text: Promise<string> | null = null;

function readSource(): Promise<string> {
  text ??= readFile(source, 'utf8');
  return text;
}
