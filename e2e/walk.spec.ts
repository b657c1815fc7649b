/// <reference lib="dom" />
import { hasAdminRole, type Role } from '@osprey/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { logIn } from './support/screens.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor({ OSPREY_GUEST: 'true' });
/** Pages that only admin roles have. */
const ADMIN_PAGES = ['/admin', '/users', '/useractivity', '/platforminfo', '/storage'];
/** Pages that group admins have neither. */
const OF_ADMINS = ['/usergroups', '/backups', '/admin/health'];

let group: string;

beforeAll(async () => {
  group = await stage.api.addGroup('Coast', 'SECRET');
  await stage.api.addMission({ name: 'Kea', usergroups: [group] });
});

async function pageOf(role: Role): Promise<Page> {
  const { page } = await stage.open();
  if (role === 'guest') {
    await page.goto('/missions');
    await page.getByRole('button', { name: 'Account of guest' }).waitFor();
    return page;
  }
  const administers = role === 'groupAdmin' ? { administers: [group] } : {};
  const account = await stage.api.addUser(`Of-${role}`, { role, clearance: 'SECRET', groups: [group], ...administers });
  await logIn(page, account);
  return page;
}

/** Calls that were answered with 403, and the page that made each. */
function refusalsOn(page: Page): string[] {
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${new URL(page.url()).pathname}: ${new URL(response.url()).pathname}`);
  });
  return refused;
}

/** Guests are told by the sentences of the specification what they may not download or export: those are no refusal. */
const REFUSAL = /(?<!Guest users )(?:do not|don't) have (?:the |Admin )?(?:rights|permission)|(?:is|are) for admin/i;

async function settled(page: Page): Promise<void> {
  await page.getByRole('main').locator('> *').first().waitFor();
  await page.waitForLoadState('networkidle');
}

const offeredOn = (page: Page): Promise<string[]> =>
  page.locator('nav a[href], main a[href]').evaluateAll((links) =>
    links
      .map((link) => link as HTMLAnchorElement)
      .filter(({ origin, target, download }) => origin === location.origin && target === '' && download === '')
      .map(({ pathname }) => pathname),
  );

/** Goes to every page that menu, cards, tabs and pages lead to, and presses each of its buttons. */
async function walk(page: Page): Promise<{ opened: Set<string>; refused: string[] }> {
  const refused = refusalsOn(page);
  const opened = new Set<string>();
  const toOpen = ['/missions', ...(await offeredOn(page))];
  for (let path = toOpen.shift(); path !== undefined; path = toOpen.shift()) {
    if (opened.has(path) || /^\/(?:help|api|docs)(?:\/|$)/.test(path)) continue;
    opened.add(path);
    await page.goto(path);
    await settled(page);
    if (new URL(page.url()).pathname !== path) refused.push(`${path} leads to ${new URL(page.url()).pathname}`);
    toOpen.push(...(await offeredOn(page)));
    await pressAll(page, refused, path);
  }
  return { opened, refused };
}

async function pressAll(page: Page, refused: string[], path: string): Promise<void> {
  const buttons = page.getByRole('main').locator('button:visible:enabled');
  const names = await buttons.evaluateAll((all) => [
    ...new Set(all.map((one) => one.getAttribute('aria-label') ?? one.textContent?.trim() ?? '')),
  ]);
  for (const name of names.filter(Boolean)) {
    const button = page.getByRole('main').getByRole('button', { name, exact: true }).first();
    // A button that was pressed before may have taken this one away.
    if (!(await button.isVisible()) || !(await button.isEnabled())) continue;
    await button.click();
    await noteRefusal(page, refused, `${path}: ${name}`);
    await closeAll(page);
    if (new URL(page.url()).pathname !== path) await page.goto(path);
  }
  await noteRefusal(page, refused, path);
}

async function noteRefusal(page: Page, refused: string[], where: string): Promise<void> {
  const text = await page.locator('body').innerText();
  const said = REFUSAL.exec(text);
  if (said !== null) refused.push(`${where}: ${said[0]}`);
}

/** Closes what a button opened, also where its code came a moment later. */
async function closeAll(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  const open = page.locator(
    '[role="dialog"]:visible, [role="alertdialog"]:visible, [role="menu"]:visible, [role="listbox"]:visible',
  );
  await expect
    .poll(async () => {
      if ((await open.count()) > 0) await page.keyboard.press('Escape');
      return open.count();
    })
    .toBe(0);
}

/** Whether the page opens for who types its address: others are led away, or told what to ask for. */
async function opensFor(page: Page, path: string): Promise<boolean> {
  await page.goto(path);
  await settled(page);
  const isThere = new URL(page.url()).pathname === path;
  return isThere && (await page.getByText(REFUSAL).count()) === 0;
}

const openAmong = async (page: Page, paths: readonly string[]): Promise<string[]> => {
  const open: string[] = [];
  for (const path of paths) if (await opensFor(page, path)) open.push(path);
  return open;
};

describe('menu, cards, tabs, links and buttons', { tags: 'long', timeout: 600_000 }, () => {
  it('lead a group admin to nothing that refuses, and others but admins to no page of the administration', async () => {
    const page = await pageOf('groupAdmin');
    const { opened, refused } = await walk(page);
    expect(refused).toEqual([]);
    expect(ADMIN_PAGES.filter((path) => !opened.has(path))).toEqual([]); // S1-015 S2-013
    expect(OF_ADMINS.filter((path) => opened.has(path))).toEqual([]);

    const user = await pageOf('user');
    expect(await openAmong(user, ['/admin'])).toEqual([]); // S1-015 S2-013
  });

  it.each(['superAdmin', 'admin', 'user', 'guest'] as const)(
    'lead a %s to nothing that refuses, and to each page of the role',
    async (role) => {
      const page = await pageOf(role);
      const { opened, refused } = await walk(page);

      expect(refused).toEqual([]);
      const isAdminRole = hasAdminRole({ role } as never);
      const pages = isAdminRole ? [...ADMIN_PAGES, ...OF_ADMINS] : [];
      expect([...ADMIN_PAGES, ...OF_ADMINS].filter((path) => opened.has(path))).toEqual(pages); // S2-014
      expect(await openAmong(page, [...ADMIN_PAGES, ...OF_ADMINS])).toEqual(pages);
    },
  );
});
