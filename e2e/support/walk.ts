/// <reference lib="dom" />
import type { Locator, Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** Sentences of a page that refuses, has failed or does not exist. */
export const SAID =
  /(?:do not|don't) have (?:the |Admin )?(?:rights|permission)|(?:is|are) for admin|Something went wrong on this page|This could not be loaded|Page not found/i;

/** Guests are told by the sentences of the specification what they may not download or export. */
const GUESTS = /Guest users do not have permission[^.]*\./g;

/** Entries that end the session that walks, or go where the others are not. */
const LEAVING: ReadonlySet<string> = new Set(['Log out', 'Log in']);

/** Answers of the server that refuse, or that come of a fault. */
const isRefusal = (status: number) => status === 401 || status === 403 || status >= 500;

const BUTTONS = ['button:enabled', '[role="switch"]:enabled', '[role="tab"]:not(:disabled)']
  .map((each) => `${each}:visible`)
  .join(', ');
/** Not those that choose a column or a colour scheme: they ask for nothing. */
const ITEMS = '[role="menuitem"]:visible:not([aria-disabled="true"])';
/** A loaded machine takes its time; a page that is busy for longer than this never comes to rest. */
const SETTLED_MS = 30_000;
const OPENED = ['dialog', 'alertdialog', 'menu', 'listbox'].map((role) => `[role="${role}"]:visible`).join(', ');

type Walk = {
  /** Paths that were opened. */
  opened: Set<string>;
  /** Controls that were pressed, as "path: name" or "path: name, entry of its menu". */
  pressed: Set<string>;
  /** Where something was refused, and how. */
  refused: string[];
};

/** Walks all that the menu and the pages offer to who is signed in on the page. */
export async function walk(page: Page): Promise<Walk> {
  const steps = stepsOf(page);
  const { opened, pressed, refused } = steps;
  await steps.go('/missions');
  await steps.pressAll('header');
  const toOpen = ['/missions', ...(await offeredOn(page))];
  for (let path = toOpen.shift(); path !== undefined; path = toOpen.shift()) {
    // The manual quotes what refuses, and has a test of its own for its pages.
    if (opened.has(path) || path.startsWith('/help')) continue;
    opened.add(path);
    await steps.go(path);
    await steps.note('page');
    await steps.pressAll('main');
    toOpen.push(...(await offeredOn(page)));
  }
  return { opened, pressed, refused };
}

/** Addresses of the same server that links of menu and page lead to, in this window. */
const offeredOn = (page: Page): Promise<string[]> =>
  page.locator('nav a[href], main a[href]').evaluateAll((links) =>
    links
      .map((link) => link as HTMLAnchorElement)
      .filter(({ origin, target, download }) => origin === location.origin && target === '' && download === '')
      .map(({ pathname }) => pathname)
      .filter((path) => !path.startsWith('/api/')),
  );

/** Requests whose end is not told: of streams, and of the tiles of a map that was closed meanwhile. */
const isUnending = (request: Request) =>
  ['websocket', 'media', 'eventsource'].includes(request.resourceType()) ||
  new URL(request.url()).pathname.startsWith('/base-map/');

/** Waits until the page has its content, waits for no answer, and no part of it says that it is busy. */
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
    // Those of the document that was left end without a word. A change of the address alone leaves none.
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
 * Parts that are busy once the page has time left: what came last was drawn by then, and has asked for what it shows. A bar
 * that shows a value is none.
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

/** Names of buttons or entries, each once, without figures: those change, and one of each kind will do. */
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
  /** Notes what the page says that refuses, after a step. */
  note: (step: string) => Promise<void>;
  /** Presses each button of a part of the page, those too that come by pressing, and each entry of their menus. */
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

  /** Presses a button. False where one that was pressed before has removed it. */
  async function press(name: string, buttons: Locator): Promise<boolean> {
    const button = await named(buttons, name);
    if (button === null) return false;
    step = name;
    await button.click({ timeout: SETTLED_MS });
    await settle();
    await note(name);
    return true;
  }

  /** Closes what a step opened, and comes back if it led away. */
  async function comeBack(): Promise<void> {
    for (const other of page.context().pages()) if (other !== page) await other.close();
    const open = page.locator(OPENED);
    await expect
      .poll(
        async () => {
          if ((await open.count()) > 0) await page.keyboard.press('Escape');
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

  /** Each entry of the menu that the button has opened, if it has. */
  async function pressItems(name: string, buttons: Locator): Promise<void> {
    const items = page.locator(ITEMS);
    const names = (await namesOf(items)).filter((item) => !LEAVING.has(item));
    for (const [index, item] of names.entries()) {
      // An entry closes its menu, and can be seen while that fades.
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
        // One button that cannot be pressed, or never comes to rest, does not hide what the others do.
        refuse(`${error} ${JSON.stringify((error as { actual?: unknown }).actual ?? '')}`);
        await page.goto(place);
        await settle();
      }
    }
  }

  return { ...steps, go, note, pressAll };
}
