/// <reference lib="dom" />
import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { logIn, row, shoot, table } from '../tools/test-support/browser/screens.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolationsInBothSchemes } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

// Shows the dialog missionview/KeysDialog.tsx Dialog

const stage = stageFor();

/** The map of places is looked at where pages are looked at as a whole. */
const withMap = { places: true };

/** First load of /missions, gzipped. */
const FIRST_LOAD_BYTES = 350 * 1024;

/** Words of the libraries that play video and draw maps; our code does not contain them. */
const NEEDED_LATER = ['hlsManifestLoading', 'maplibregl-canvas-container'];
const ASSETS = new URL('../dist/web/assets/', import.meta.url);

beforeAll(async () => {
  const group = await stage.api.addGroup('G1', 'CONFIDENTIAL');
  await stage.api.addMission({ name: 'Open-one' });
  await stage.api.addMission({ name: 'Closed-one', securityClassification: 'CONFIDENTIAL', usergroups: [group] });
});

describe('the frame of every page', () => {
  it('shows logo, server state, clock and account above, copyright below', async () => {
    const { page, close } = await stage.signedIn();

    await page.getByRole('status', { name: 'Server state: Online' }).waitFor();
    await page.getByRole('button', { name: 'Account of admin' }).getByText('admin').waitFor();
    await page.getByRole('timer', { name: 'Time in UTC' }).waitFor();
    expect(await page.getByRole('banner').getByRole('link', { name: 'Osprey' }).getAttribute('href')).toBe('/missions');
    await expect.poll(() => page.getByRole('contentinfo').textContent()).toMatch(/© \d{4} Osprey contributors/);
    await close();
  });

  it('remembers whether the side menu is open', async () => {
    const { page, close } = await stage.signedIn();

    await page.getByRole('button', { name: 'Open the menu' }).click();
    const menu = page.getByRole('navigation', { name: 'Main menu' });
    const top = async (element: Locator) => (await element.boundingBox())!.y;
    const misc = await top(menu.getByRole('heading', { name: 'Misc' }));
    expect(await top(menu.getByRole('link', { name: 'VOD' }))).toBeLessThan(misc);
    for (const name of ['Help', 'About']) expect(await top(menu.getByRole('link', { name }))).toBeGreaterThan(misc);
    expect(await page.evaluate(() => localStorage.getItem('sideMenuOpened'))).toBe('true');
    await page.reload();
    await page.getByRole('button', { name: 'Close the menu' }).waitFor();
    await page.getByRole('button', { name: 'Close the menu' }).click();
    await page.reload();

    await page.getByRole('button', { name: 'Open the menu' }).waitFor();
    await expect.poll(() => menu.getByRole('heading', { name: 'Misc' }).count()).toBe(0);
    await close();
  });

  it('asks the origin that it came from, for any stored port', async () => {
    const { page, close, foreign, errors } = await stage.signedIn();
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    page.on('websocket', (socket) => asked.add(new URL(socket.url()).origin.replace('ws', 'http')));

    await page.evaluate(() => localStorage.setItem('serverProductionPort', '1'));
    await page.reload();
    await page.getByText('Online', { exact: true }).waitFor();

    expect([...asked].filter((origin) => origin !== 'null')).toEqual([stage.server.address]);
    expect([foreign, errors]).toEqual([[], []]);
    await close();
  });

  it('has no menu entry that leads nowhere', async () => {
    const { page, close } = await stage.signedIn();
    const links = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');

    const names = await links.allTextContents();

    for (const name of ['VOD', 'Live', 'Admin', 'Help', 'About']) expect(names).toContain(name);
    const here = names.filter((name) => name !== 'Help');
    for (const name of here) {
      const link = links.filter({ hasText: name });
      await link.click();
      // The address changes before the page does.
      await link.and(page.locator('[aria-current="page"]')).waitFor();
      await page.getByRole('main').locator('> *').first().waitFor();
      expect(await page.getByText('There is no page at').count(), name).toBe(0);
    }
    // A page of the server, without this menu.
    await links.filter({ hasText: 'Help' }).click();
    await page.getByRole('navigation', { name: 'Pages of the manual' }).waitFor();
    await close();
  });

  it('is drawn dark or light, as chosen, remembers it, and says when its code does not come', async () => {
    const { page, close } = await stage.signedIn();
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();

    await page.getByRole('button', { name: 'Colour scheme' }).click();
    await page.getByRole('menuitemradio', { name: 'Light' }).click();
    await expect.poll(ground).not.toBe(dark);
    const light = await ground();
    await page.reload();
    await table(page).waitFor();

    expect(await ground()).toBe(light);
    await shoot(page, 'missions-light');
    // In forced colours ours are gone, and the chosen entry is marked by a line.
    await page.emulateMedia({ forcedColors: 'active' });
    for (const chosen of [
      page.locator('nav [aria-current="page"]').first(),
      page.getByRole('tab', { selected: true }),
    ]) {
      expect(await chosen.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
    }
    await page.emulateMedia({ forcedColors: 'none' });

    // Before the client has come, too.
    const { promise: asked, resolve: refuse } = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', (route) => asked.then(() => route.abort()));
    await page.reload({ waitUntil: 'commit' });
    await page.getByRole('status').getByText('Loading…').waitFor();
    expect(await ground()).toBe(light);
    // The frame of the page that is coming, and not an empty rectangle.
    const panels = page.locator('#frame i').filter({ visible: true });
    expect(await panels.count()).toBe(2);
    expect((await panels.first().boundingBox())!.height).toBe(344);
    await shoot(page, 'first-paint-light');

    refuse();
    await page.getByRole('status').getByText('Osprey could not be loaded. Reload the page.').waitFor();
    await close();
  });

  it('T-047 says the highest label of what is on screen, and each row its own', async () => {
    const { page, close } = await stage.signedIn();

    await page.getByRole('note', { name: 'Highest classification on screen: CONFIDENTIAL' }).first().waitFor();
    await expect.poll(() => row(page, 'Closed-one').textContent()).toContain('CONFIDENTIAL');
    await expect.poll(() => row(page, 'Open-one').textContent()).toContain('UNCLASSIFIED');
    await page.getByRole('searchbox', { name: 'Search missions' }).fill('Open-one');

    await page.getByRole('note', { name: 'Highest classification on screen: UNCLASSIFIED' }).first().waitFor();
    await close();
  });

  it('goes from / to /missions, and says so where there is no page', async () => {
    const { page, close } = await stage.signedIn();

    await page.goto('/');
    await page.waitForURL('**/missions');
    await page.goto('/nowhere/at-all');

    await page.getByText('There is no page at /nowhere/at-all.').waitFor();
    await page.getByRole('link', { name: 'Go to the missions' }).click();
    await table(page).waitFor();
    await close();
  });

  it('shows the versions of page and server in /about', async () => {
    const { page, close } = await stage.signedIn();

    await page.goto('/about');
    const card = page.getByRole('main');
    await card.getByText('Frontend version').waitFor();
    await expect.poll(() => card.textContent()).toMatch(/Backend version\d+\.\d+\.\d+/);
    await close();
  });
});

describe('on a phone of 390 px', () => {
  it('fits every page without scrolling sideways, with its menu at the bottom', async () => {
    const view = { ...withMap, width: 390, height: 844, touch: true };
    const { page, close, restless } = await stage.signedIn(view, ADMIN, '/about');

    for (const path of ['/about', '/help', '/login', '/register', '/missions']) {
      await page.goto(path);
      await page.getByRole('main').waitFor();
      await expect.poll(restless).toEqual([]);
      const { wide, screen } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        screen: document.documentElement.clientWidth,
      }));

      expect(wide, path).toBeLessThanOrEqual(screen);
      await shoot(page, `phone${path.replace('/', '-')}`);
    }
    // An admin has more entries than places: the last place opens the rest.
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Help' }).click();
    // The address changes before the page has loaded.
    await page.getByRole('navigation', { name: 'Pages of the manual' }).waitFor({ state: 'attached' });
    expect(new URL(page.url()).pathname).toBe('/help/missions');
    await close();
  });

  it.each(['/missions', '/documents', '/platforms', '/users', '/storage'])(
    'gives fingers 44 px on %s',
    async (path) => {
      const { page, close } = await stage.signedIn({ width: 390, height: 844, touch: true }, ADMIN, path);
      await page.getByRole('toolbar').or(page.getByRole('tablist')).first().waitFor();
      if (path === '/missions') {
        await row(page, 'Open-one').waitFor();
        await page.getByRole('switch', { name: 'Admin mode' }).check();
      }

      const low = await page.locator('button, a[href], [role="tab"], .MuiInputBase-root').evaluateAll((targets) =>
        targets.flatMap((target) => {
          const { left, width, height } = target.getBoundingClientRect();
          // Skips invisible elements, and the skip link, which is outside until it has the focus.
          if (width === 0 || left < 0 || height >= 44) return [];
          return `${target.getAttribute('aria-label') ?? target.textContent}: ${height}`;
        }),
      );

      expect(low).toEqual([]);
      await close();
    },
  );
});

describe('every page', () => {
  const strangers = ['/login', '/register'];
  const own = ['/missions', '/help', '/about', '/nowhere'];

  const isInOrder = async (width: number) => {
    const { page, close, foreign, violations, errors, restless } = await stage.open({ ...withMap, width });
    const found: string[] = [];
    const look = async (path: string) => {
      await page.goto(path);
      await page.getByRole('main').waitFor();
      await expect.poll(restless).toEqual([]);
      for (const line of await seriousViolationsInBothSchemes(page)) found.push(`${path} ${line}`);
    };

    for (const path of strangers) await look(path);
    await logIn(page);
    for (const path of own) await look(path);

    expect(found).toEqual([]);
    expect(foreign).toEqual([]);
    expect(violations).toEqual([]);
    expect(errors.filter((text) => !/status of 401/.test(text))).toEqual([]);
    await close();
  };
  const name = 'T-110 T-111 asks no other address, keeps the policy, meets no error and holds axe, dark and light';

  it(`${name}, at 1440 px`, () => isInOrder(1440));
  it(`${name}, at 390 px`, { tags: 'long' }, () => isInOrder(390));
  // A screen of 1440 px zoomed to 200 %.
  it(`${name}, at 720 px`, { tags: 'long' }, () => isInOrder(720));

  it('T-111 carries no inline script, and a policy that would not run one', async () => {
    const response = await fetch(`${stage.server.address}/missions`);
    const html = await response.text();

    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(html.match(/<script(?![^>]*\ssrc=)[^>]*>/g)).toBeNull();
    expect(html.match(/\son\w+=/g)).toBeNull();
  });

  it('loads at most 350 KiB of gzipped JavaScript for the first /missions', async () => {
    // A new browser: the caches of this network and these documents stay in it.
    const { page, context } = await stage.open(withMap);
    await page.goto('/login');
    await logIn(page);

    // A second visit with an empty HTTP cache: the cost of a bookmark of /missions.
    const session = await context.newCDPSession(page);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await session.send('Network.clearBrowserCache');
    // The page itself notes when the rows came: requests of the next idle moment come after them.
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        const rows = [...document.querySelectorAll('[role="treegrid"] [role="row"]')];
        if (!rows.some(({ textContent }) => textContent?.includes('Open-one'))) return;
        observer.disconnect();
        performance.mark('rows');
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto('/missions');
    await row(page, 'Open-one').waitFor();
    const atRows = await page.evaluate(() => {
      const until = performance.getEntriesByName('rows')[0]?.startTime ?? Number.POSITIVE_INFINITY;
      const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      return all.filter(({ name, startTime }) => name.endsWith('.js') && startTime < until).map(({ name }) => name);
    });
    const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
    const scripts = await Promise.all(atRows.map(bytesOf));
    const sizes = scripts.map((bytes) => gzipSync(bytes).length);

    expect(atRows.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
    // Player and map come when a mission is opened, or the map of places is.
    const names = (await readdir(ASSETS)).filter((name) => name.endsWith('.js'));
    const built = await Promise.all(names.map((name) => readFile(new URL(name, ASSETS))));
    for (const word of NEEDED_LATER) {
      expect(built.filter((bytes) => bytes.includes(word)).length, word).toBeGreaterThan(0);
      expect(scripts.filter((bytes) => bytes.includes(word)).length, word).toBe(0);
    }
    await context.close();
  });
});

describe('the keyboard alone', () => {
  const focused = (page: Page) =>
    page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent?.trim().slice(0, 40) ?? '';
    });

  it('logs in, skips to the content, opens the dialog and leaves it with the focus where it was', {
    tags: 'long',
  }, async () => {
    const { page, close } = await stage.open(withMap);
    await page.goto('/login');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username');
    await page.keyboard.type('admin');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Falcon-over-Kea-7');
    await page.keyboard.press('Enter');
    await table(page).waitFor();

    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#content');
    const seen: string[] = [];
    while (!seen.includes('Admin mode') && seen.length < 40) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(
        () =>
          document.activeElement?.closest('label')?.textContent ??
          document.activeElement?.getAttribute('aria-label') ??
          '',
      );
      seen.push(name);
    }
    expect(seen).toContain('Admin mode');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Add mission');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New mission' });
    // The dialog itself may have it.
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await expect.poll(() => focused(page)).toBe('Add mission');
    await close();
  });

  it('walks the table with arrows, opens a mission with Enter, and shows where the focus is', {
    tags: 'long',
  }, async () => {
    const { page, close } = await stage.signedIn();
    await row(page, 'Open-one').waitFor();

    await table(page).getByRole('row').and(page.locator('[tabindex="0"]')).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    const rowIndex = () => page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex'));
    await expect.poll(rowIndex).toBe('3');
    await page.keyboard.press('ArrowUp');
    await expect.poll(rowIndex).toBe('2');
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
    expect(outline).not.toBe('none');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))).toBe('true');
    await page.keyboard.press('Enter');

    const view = page.getByRole('region', { name: /^Mission (Open|Closed)-one$/ });
    await expect.poll(() => view.evaluate((own) => own === document.activeElement)).toBe(true);
    // The button that is pressed goes with the view: the focus comes back to the row.
    await page.getByRole('button', { name: 'Close the mission' }).press('Enter');
    await expect.poll(rowIndex).toBe('2');
    await close();
  });

  it('lists the keys behind "?"', async () => {
    const { page, close } = await stage.signedIn({}, ADMIN, '/live');

    await page.getByRole('region', { name: 'Live view' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('button', { name: 'Close' }).click();
    expect(new URL(page.url()).pathname).toBe('/live');

    await page.goto('/missions');
    await row(page, 'Open-one').waitFor();
    await page.keyboard.press('?');

    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByRole('heading', { name: 'While a mission is open' }).waitFor();
    await list.getByText('Bookmark this moment').waitFor();
    await shoot(page, 'keys-on-missions');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/missions');
    await close();
  });
});

describe('while the server is away', () => {
  it('keeps what was read, says so, refuses to add, and comes back by itself', async () => {
    const { page, close } = await stage.signedIn();
    await row(page, 'Open-one').waitFor();
    await page.getByRole('switch', { name: 'Admin mode' }).check();

    // Code of dialogs is fetched when the page has come to rest.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/AlertBox-')),
    );

    await stage.server.halt();
    await page.getByRole('alert').filter({ hasText: 'You see the last data received.' }).waitFor();
    await page.getByRole('status', { name: /Server state: (Offline|Reconnecting)/ }).waitFor();
    await row(page, 'Open-one').waitFor();
    await shoot(page, 'offline');
    await page.getByRole('button', { name: 'Add mission' }).click();
    const refusal = page.getByRole('alertdialog', { name: 'Error' });
    await refusal.getByText('Cannot add mission. Server is offline').waitFor();
    await refusal.getByRole('button', { name: 'OK' }).click();

    let away = true;
    await page.routeWebSocket('**/socket.io/**', (socket) => {
      if (away) void socket.close();
      else socket.connectToServer();
    });
    // Pressed while the server is away: afterwards the page itself may have been faster, and the button gone.
    await page.getByRole('button', { name: 'Try now' }).click();
    await stage.server.startAgain();
    // Pages get no event of this, since none is connected.
    await stage.api.addMission({ name: 'Made-meanwhile' });
    away = false;
    await page.getByRole('status', { name: 'Server state: Online' }).waitFor();
    await row(page, 'Made-meanwhile').waitFor();
    await stage.api.addMission({ name: 'Made-afterwards' });

    await row(page, 'Made-afterwards').waitFor();
    await close();
  });
});
