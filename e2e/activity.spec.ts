/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { View } from '../tools/test-support/browser/browser.ts';
import { logIn, resize, shoot } from '../tools/test-support/browser/screens.ts';
import { apiOf } from '../tools/test-support/data/api.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolations, seriousViolationsInBothSchemes } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();
let group: string;
const berit = { username: 'Berit', password: 'Kestrel-Berit-over-sea' };

const grid = (page: Page, name: string): Locator => page.getByRole('treegrid', { name });
const rows = (page: Page, name: string, text: string | RegExp): Locator =>
  grid(page, name).getByRole('row').filter({ hasText: text });

/** By keyboard alone. */
async function addFilter(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name, exact: true }).press('Enter');
}

const clearFilters = (page: Page) => page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');

const openActivity = (view: View = {}, query = '') => stage.signedIn(view, ADMIN, `/useractivity${query}`);

beforeAll(async () => {
  group = await stage.api.addGroup('Coast watch', 'CONFIDENTIAL');
  // A mission without recordings shows itself to admin roles alone.
  await stage.api.addUser('Berit', {
    role: 'groupAdmin',
    groups: [group],
    administers: [group],
    clearance: 'CONFIDENTIAL',
  });
  const mission = await stage.api.addMission({
    name: 'Night-ferry',
    usergroups: [group],
    securityClassification: 'RESTRICTED',
  });
  const asBerit = apiOf(stage.server.address, berit);
  await asBerit.mission(mission._id);
  await expect(asBerit.send('GET', 'audit')).rejects.toThrow('403');
});

it('user activity shows who opened what and when, filters it by user and action, and exports that', {
  tags: 'long',
}, async () => {
  const { page, close } = await openActivity({ width: 1920, height: 1080 });
  const opened = rows(page, 'User activity', 'Berit').filter({ hasText: 'Night-ferry' });
  await opened.first().waitFor();
  const heads = await grid(page, 'User activity').getByRole('columnheader').allTextContents();
  expect(heads).toEqual(['Time', 'User', 'Action', 'Object', 'Label', 'Address', 'Client', 'Result']);
  await shoot(page, 'activity');
  expect(await seriousViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'User' }).click();
  await page.getByRole('option', { name: 'Berit' }).click();
  await page.keyboard.press('Escape');
  await page.waitForURL('**/useractivity?users=*');
  await rows(page, 'User activity', 'Added the user').first().waitFor({ state: 'detached' });
  await opened.first().waitFor();
  await addFilter(page, 'Action');
  await page.getByRole('option', { name: 'Changed' }).click();
  await page.keyboard.press('Escape');
  await page.getByText('Nothing matches').waitFor();
  await page.getByRole('button', { name: /^Change the filter Action/ }).press('Enter');
  await page.getByRole('option', { name: 'Opened' }).click();
  await page.getByRole('option', { name: 'Changed' }).click();
  await page.keyboard.press('Escape');
  await page.waitForURL('**/useractivity?users=*&kinds=opened');
  await opened.first().waitFor();

  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  expect(download.suggestedFilename()).toMatch(/^activity-.*\.csv$/);
  expect(text).toContain('Night-ferry');
  expect(text).not.toContain('user.create');
  await close();
});

it('a session is ended from here within a second, and comes off the list', { tags: 'long' }, async () => {
  const there = await stage.open();
  await logIn(there.page, berit);
  const here = await openActivity({}, '?view=sessions');
  const session = rows(here.page, 'Sessions', 'Berit');
  await session.getByRole('img', { name: 'Online' }).waitFor();
  await shoot(here.page, 'activity-sessions');
  expect(await seriousViolationsInBothSchemes(here.page)).toEqual([]);
  await resize(here.page, { width: 390, height: 844 });
  await expect.poll(() => here.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await seriousViolations(here.page)).toEqual([]);

  await session.getByRole('button', { name: /^End the session of Berit/ }).click();
  await here.page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click();

  await there.page.waitForURL('**/login');
  await session.waitFor({ state: 'detached' });
  await here.page.getByText('This session').waitFor();
  await here.close();
  await there.close();
});

it('both lists follow what others do, without a reload', { tags: 'long' }, async () => {
  const here = await openActivity();
  const phone = await openActivity({ width: 390, height: 844, scheme: 'light' }, '?view=audit');
  const found = await stage.signedIn({}, ADMIN, '/useractivity?view=audit&actions=mission.create&outcome=allowed');
  for (const [{ page }, name] of [
    [here, 'User activity'],
    [phone, 'Audit'],
  ] as const) {
    await rows(page, name, 'Berit').first().waitFor();
  }
  await rows(found.page, 'Audit', 'Night-ferry').waitFor();

  await apiOf(stage.server.address, berit).addMission({ name: 'Day-ferry', usergroups: [group] });

  await rows(here.page, 'User activity', 'Day-ferry').first().waitFor();
  await rows(phone.page, 'Audit', 'Added the mission').filter({ hasText: 'Berit' }).waitFor();
  // A filter stays as it is.
  await rows(found.page, 'Audit', 'Day-ferry').waitFor();
  await found.page.getByText('2 rows', { exact: true }).waitFor();
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await seriousViolationsInBothSchemes(phone.page)).toEqual([]);
  await shoot(phone.page, 'activity-audit-phone');
  for (const { close } of [here, phone, found]) await close();
});

it('the audit is filtered by action, user, item, outcome and time, exported for verifying, and verified', {
  tags: 'long',
}, async () => {
  const { page, close } = await openActivity();
  await page.getByRole('button', { name: 'Audit', exact: true }).click();
  await rows(page, 'Audit', 'Added the group').first().waitFor();

  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Added the group' }).click();
  await page.keyboard.press('Escape');
  await page.getByText('1 row', { exact: true }).waitFor();
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);

  await clearFilters(page);
  await addFilter(page, 'User');
  await page.keyboard.type('Berit');
  await page.getByRole('option', { name: 'Berit' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await rows(page, 'Audit', 'Added the group').first().waitFor({ state: 'detached' });
  await rows(page, 'Audit', 'Opened').first().waitFor();
  await addFilter(page, 'Outcome');
  await page.getByRole('option', { name: 'Refused' }).click();
  await page.keyboard.press('Escape');
  await page.getByText('1 row', { exact: true }).waitFor();
  await rows(page, 'Audit', 'Not allowed').filter({ hasText: 'Berit' }).waitFor();

  await clearFilters(page);
  await addFilter(page, 'Item');
  await page.keyboard.type('Night-ferry');
  await page.keyboard.press('Enter');
  await rows(page, 'Audit', 'Added the group').first().waitFor({ state: 'detached' });
  await rows(page, 'Audit', 'Added the mission').filter({ hasText: 'Night-ferry' }).waitFor();

  await clearFilters(page);
  await rows(page, 'Audit', 'Added the group').first().waitFor();
  await addFilter(page, 'Time');
  await page.getByLabel('To, date').fill('2020-01-02');
  await page.getByLabel('To, date').press('Enter');
  await page.getByText('Nothing matches').waitFor();
  await page.getByRole('button', { name: 'Clear all' }).press('Enter');
  await addFilter(page, 'Action');
  await page.getByRole('option', { name: 'Added the group' }).click();
  await page.keyboard.press('Escape');
  await page.getByText('1 row', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as NDJSON, for verifying' }).click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toContain('"action":"usergroup.create"');

  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  const result = page.getByRole('alertdialog', { name: 'Audit verified' });
  await result.waitFor();
  await shoot(page, 'activity-audit');
  await page.keyboard.press('Escape');
  await result.waitFor({ state: 'detached' });
  await close();
});

it('the page holds at 390 px with axe, dark and light', { tags: 'long' }, async () => {
  const { page, close } = await openActivity({ width: 390, height: 844, touch: true });
  await rows(page, 'User activity', 'Berit').first().waitFor();
  await shoot(page, 'activity-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
  await close();
});
