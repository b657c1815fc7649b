/// <reference lib="dom" />
import type { Locator, Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** Sentences on pages that refuse access, have failed, or do not exist. */
export const SAID =
  /(?:do not|don't) have (?:the |Admin )?(?:rights|permission)|(?:is|are) for admin|Something went wrong on this page|This could not be loaded|Page not found/i;

/** Matches the specified sentences that inform guests of what they may not download or export. */
const GUESTS = /Guest users do not have permission[^.]*\./g;

/** Menu entries that are skipped, since they end the session or leave the tested pages. */
const LEAVING: ReadonlySet<string> = new Set(['Log out', 'Log in']);

/** Whether a status is a refusal or a server error. */
const isRefusal = (status: number) => status === 401 || status === 403 || status >= 500;

const BUTTONS = ['button:enabled', '[role="switch"]:enabled', '[role="tab"]:not(:disabled)']
  .map((each) => `${each}:visible`)
  .join(', ');
/** Menu items, except those that choose a column or a colour scheme, which send no request. */
const ITEMS = '[role="menuitem"]:visible:not([aria-disabled="true"])';
/**
 * Maximum time for a page to become idle on a loaded machine, in milliseconds; a page that is busy for longer never
 * does.
 */
const SETTLED_MS = 30_000;
/** Time during which Escape is pressed before a dialog is closed by its button, in milliseconds. */
const PATIENCE_MS = 5000;
const OPENED = ['dialog', 'alertdialog', 'menu', 'listbox'].map((role) => `[role="${role}"]:visible`).join(', ');

type Walk = {
  /** Paths that were opened. */
  opened: Set<string>;
  /** Controls that were pressed, as "path: name" or "path: name, entry of its menu". */
  pressed: Set<string>;
  /** Places where something was refused, and the message. */
  refused: string[];
};

/** Visits everything that menu and pages offer to the signed-in user. */
export async function walk(page: Page): Promise<Walk> {
  const steps = stepsOf(page);
  const { opened, pressed, refused } = steps;
  await steps.go('/missions');
  await steps.pressAll('header');
  const toOpen = ['/missions', ...(await offeredOn(page))];
  for (let path = toOpen.shift(); path !== undefined; path = toOpen.shift()) {
    // The manual is skipped, since it quotes messages of refusal, and its pages have a separate test.
    if (opened.has(path) || path.startsWith('/help')) continue;
    opened.add(path);
    await steps.go(path);
    await steps.note('page');
    await steps.pressAll('main');
    toOpen.push(...(await offeredOn(page)));
  }
  return { opened, pressed, refused };
}

/** Returns the paths on this server that links of menu and page open in the same window. */
const offeredOn = (page: Page): Promise<string[]> =>
  page.locator('nav a[href], main a[href]').evaluateAll((links) =>
    links
      .map((link) => link as HTMLAnchorElement)
      .filter(({ origin, target, download }) => origin === location.origin && target === '' && download === '')
      .map(({ pathname }) => pathname)
      .filter((path) => !path.startsWith('/api/')),
  );

/**
 * Whether the end of a request may not be reported: those of streams, and of tiles for a map that was closed meanwhile.
 */
const isUnending = (request: Request) =>
  ['websocket', 'media', 'eventsource'].includes(request.resourceType()) ||
  new URL(request.url()).pathname.startsWith('/base-map/');

/**
 * Returns a function that waits until the page has its content, no request is pending, and no part of it is marked as
 * busy.
 */
export function settlingOf(page: Page): () => Promise<void> {
  const waiting = new Set<Request>();
  let isLeaving = false;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) isLeaving = true;
    if (!isUnending(request)) waiting.add(request);
  });
  page.on('requestfinished', (request) => void waiting.delete(request));
  page.on('requestfailed', (request) => void waiting.delete(request));
  page.on('framenavigated', (frame) => {
    // Requests of the previous document end without an event. A change of only the address keeps the document.
    if (frame === page.mainFrame() && isLeaving) waiting.clear();
    if (frame === page.mainFrame()) isLeaving = false;
  });
  const busyWith = async () => {
    const parts = await busyParts(page);
    return [...parts, ...[...waiting].map((request) => request.url())];
  };
  return async () => {
    await page.locator('main > *').first().waitFor();
    await expect.poll(busyWith, { timeout: SETTLED_MS }).toEqual([]);
  };
}

/**
 * Returns the busy parts of the page once the browser is idle, so that the latest content is rendered and has sent its
 * requests. A progress bar with a value does not count.
 */
const busyParts = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    await new Promise((idle) => requestIdleCallback(idle, { timeout: 1000 }));
    const busy = document.querySelectorAll(
      '[aria-busy="true"], [role="progressbar"]:not([aria-valuenow]), [role="status"][aria-label="Loading"]',
    );
    return [...busy].filter((part) => part.checkVisibility()).map((part) => part.outerHTML.slice(0, 200));
  });

/**
 * Returns the names of buttons or entries without duplicates and with numbers masked, since numbers change and one
 * control of each kind is enough.
 */
const namesOf = async (all: Locator): Promise<string[]> => [...new Set((await eachName(all)).filter((name) => name))];

const eachName = (all: Locator): Promise<string[]> =>
  all.evaluateAll((elements) =>
    elements.map((one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().replaceAll(/\d+/g, '0')),
  );

async function named(all: Locator, name: string): Promise<Locator | null> {
  const index = (await eachName(all)).indexOf(name);
  return index === -1 ? null : all.nth(index);
}

type Steps = Walk & {
  go: (path: string) => Promise<void>;
  /** Records any refusal shown on the page after a step. */
  note: (step: string) => Promise<void>;
  /**
   * Presses each button in a part of the page, including those that appear by pressing others, and each entry of their
   * menus.
   */
  pressAll: (part: 'header' | 'main') => Promise<void>;
};

function stepsOf(page: Page): Steps {
  const settle = settlingOf(page);
  const steps: Walk = { opened: new Set(), pressed: new Set(), refused: [] };
  let place = '';
  let step = 'page';
  const refuse = (how: string) => void steps.refused.push(`${place}: ${step}: ${how}`);
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (isRefusal(response.status())) refuse(`${response.status()} ${response.request().method()} ${pathname}`);
  });
  page.on('pageerror', (error) => refuse(String(error)));

  async function go(path: string): Promise<void> {
    [place, step] = [path, 'page'];
    await page.goto(path);
    await settle();
    const { pathname } = new URL(page.url());
    if (pathname !== path) refuse(`leads to ${pathname}`);
  }

  async function note(of: string): Promise<void> {
    step = of;
    const said = SAID.exec((await page.locator('body').innerText()).replaceAll(GUESTS, ''));
    if (said !== null) refuse(said[0]);
  }

  /** Presses a button. Returns false if a button pressed before has removed it. */
  async function press(name: string, buttons: Locator): Promise<boolean> {
    const button = await named(buttons, name);
    if (button === null) return false;
    step = name;
    await button.click({ timeout: SETTLED_MS });
    await settle();
    await note(name);
    return true;
  }

  /** Closes everything that a step opened, and returns to the page if the step left it. */
  async function comeBack(): Promise<void> {
    for (const other of page.context().pages()) if (other !== page) await other.close();
    const open = page.locator(OPENED);
    const begunMs = Date.now();
    await expect
      .poll(
        async () => {
          if ((await open.count()) > 0) await page.keyboard.press('Escape');
          // A dialog whose content is shown only once closes by its last button alone.
          const once = Date.now() - begunMs > PATIENCE_MS ? open.last().getByRole('button').last() : null;
          if (once !== null && (await once.count()) > 0) await once.click();
          return open.count();
        },
        { timeout: SETTLED_MS },
      )
      .toBe(0);
    const path = new URL(page.url()).pathname;
    if (path === place) return;
    await page.goto(place);
    await settle();
  }

  /** Presses each entry of the menu opened by the button, if any. */
  async function pressItems(name: string, buttons: Locator): Promise<void> {
    const items = page.locator(ITEMS);
    const names = (await namesOf(items)).filter((item) => !LEAVING.has(item));
    for (const [index, item] of names.entries()) {
      // An entry closes its menu, and may still be visible while the menu fades out.
      if (index > 0) {
        await comeBack();
        await press(name, buttons);
      }
      if (await press(item, items)) steps.pressed.add(`${place}: ${name}, ${item}`);
    }
  }

  async function pressAll(part: 'header' | 'main'): Promise<void> {
    const buttons = page.locator(part).locator(BUTTONS);
    const tried = new Set<string>();
    for (;;) {
      const name = (await namesOf(buttons)).find((each) => !tried.has(each));
      if (name === undefined) return;
      tried.add(name);
      try {
        if (!(await press(name, buttons))) continue;
        steps.pressed.add(`${place}: ${name}`);
        await pressItems(name, buttons);
        await comeBack();
      } catch (error) {
        // A button that cannot be pressed, or never becomes idle, must not prevent the others from being tested.
        refuse(`${error} ${JSON.stringify((error as { actual?: unknown }).actual ?? '')}`);
        await page.goto(place);
        await settle();
      }
    }
  }

  return { ...steps, go, note, pressAll };
}
