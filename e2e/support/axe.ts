/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

type Result = { violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[] };

/** What axe calls serious or critical on the page as it stands: rule, element and what is wrong with it. */
export async function seriousViolations(page: Page): Promise<string[]> {
  // Through the protocol: the policy of the page lets no script in.
  const loaded = await page.evaluate(() => 'axe' in window);
  if (!loaded) await page.evaluate(await readSource());
  const { violations } = await page.evaluate(async () => {
    // Colours on their way to others are nobody's choice.
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
    const { axe } = window as unknown as { axe: { run: (where: Document, options: object) => Promise<Result> } };
    return axe.run(document, { resultTypes: ['violations'] });
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
}

let text: Promise<string> | null = null;

function readSource(): Promise<string> {
  text ??= readFile(source, 'utf8');
  return text;
}
