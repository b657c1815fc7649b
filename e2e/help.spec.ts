/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { logIn, resize, shoot } from '../tools/test-support/browser/screens.ts';
import { seriousViolations } from './support/axe.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true });
let watched: Visitor;

beforeAll(async () => {
  watched = await stage.open();
});

const contents = (page: Page) => page.getByRole('navigation', { name: 'Pages of the manual' });
const heading = (page: Page, name: string) => page.getByRole('main').getByRole('heading', { name, level: 1 });

describe('the manual', () => {
  it('is open to everybody, and in the menu of the client at the chapter of the page', async () => {
    const { page } = watched;
    await page.goto('/help');
    await heading(page, 'Start').waitFor();
    expect(await page.getByRole('navigation', { name: 'Main menu' }).count()).toBe(0);
    await logIn(page);

    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Help' }).first().click();

    await page.waitForURL('**/help/missions');
    await heading(page, 'Missions').waitFor();
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'VOD' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Watching a mission' }).first().click();
    await heading(page, 'Watching a mission').waitFor();
  });

  it('has a page for each screen, with pictures that are there, and leads back', { tags: 'long' }, async () => {
    const { page } = watched;
    const names = await contents(page).getByRole('link').allTextContents();
    expect(names).toEqual(
      expect.arrayContaining(['Missions', 'Watching a mission', 'Admin', 'Roles', 'Keyboard shortcuts']),
    );

    for (const name of names) {
      await contents(page).getByRole('link', { name, exact: true }).click();
      await heading(page, name).waitFor();
      const images = page.getByRole('main').getByRole('img');
      for (const src of await images.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src))) {
        expect((await fetch(src)).status, src).toBe(200);
      }
    }
    expect(watched.foreign).toEqual([]);
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'VOD' }).click();
    await page.getByRole('treegrid', { name: 'Missions' }).waitFor();
  });

  it('is searched by keyboard, on the server', async () => {
    const { page } = watched;
    await page.goto('/help');
    const field = page.getByRole('searchbox', { name: 'Search the manual' });

    await field.focus();
    await page.keyboard.type('restart');
    await page.getByRole('main').getByRole('link', { name: 'Admin: Server' }).click();
    await heading(page, 'Admin').waitFor();

    await field.fill('zebra xylophone');
    await page.getByText('Nothing found').waitFor();
  });

  it('holds axe in both themes and fits 390 px', { tags: 'long' }, async () => {
    const light = await stage.open({ scheme: 'light' });
    for (const { page } of [watched, light]) {
      for (const path of ['/help', '/help/platforms', '/help/roles']) {
        await page.goto(path);
        await page.getByRole('main').waitFor();
        expect(await seriousViolations(page), path).toEqual([]);
      }
    }
    await shoot(light.page, 'help-light');
    const { page } = watched;
    await resize(page, { width: 390, height: 844 });
    for (const path of ['/help', '/help/roles', '/help/platforms']) {
      await page.goto(path);
      await page.getByRole('main').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390);
    }
    await shoot(page, 'help-390');
    await resize(page, { width: 1440, height: 900 });
    await page.goto('/help/admin');
    await heading(page, 'Admin').waitFor();
    await shoot(page, 'help-dark');
  });
});
