/// <reference lib="dom" />
import type { TestContext } from 'vitest';
import type { Watched } from '../../tools/test-support/browser/browser.ts';
import type { RunningServer } from '../../tools/test-support/server.ts';

const LINES_MAX = 60;

declare module 'vitest' {
  interface TaskMeta {
    /** Content of the pages when a test failed, for readers on another machine. */
    seen?: string;
  }
}

/** When a test fails, records the state of every open page: address, focus, accessibility tree, and last errors. */
export function noteFailure(
  { onTestFailed, task }: TestContext,
  opened: Iterable<Watched>,
  server: () => RunningServer | undefined,
): void {
  onTestFailed(async () => {
    const pages = [...opened].filter(({ page }) => !page.isClosed());
    const said = await Promise.all(pages.map(seenOn));
    const printed = server()?.output().split('\n').slice(-8) ?? [];
    task.meta.seen = ['the server said last:', ...printed, ...said.flat()].join('\n');
    process.stderr.write(`${task.name}: on the pages was\n${task.meta.seen}\n`);
  });
}

async function seenOn({ page, errors }: Watched): Promise<string[]> {
  try {
    const focus = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
    const received = (await page.locator('body').ariaSnapshot({ timeout: 5000 })).split('\n').slice(0, LINES_MAX);
    return [`${page.url()} with the focus on ${focus}`, ...errors.slice(-5), ...received];
  } catch (error) {
    return [`${page.url()} cannot be looked at: ${error}`];
  }
}
