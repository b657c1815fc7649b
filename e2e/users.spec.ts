/// <reference lib="dom" />
import type { User } from '@osprey/contract';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { View } from '../tools/test-support/browser/browser.ts';
import { logIn, resize, shoot, table } from '../tools/test-support/browser/screens.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolations, seriousViolationsInBothSchemes } from './support/axe.ts';
import { keyboardOf } from './support/keyboard.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true });
let coast: string;

const users = (page: Page): Locator => page.getByRole('treegrid', { name: 'Users' });
const row = (page: Page, name: string): Locator =>
  users(page)
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) });
const panel = (page: Page, name: string): Locator => page.getByRole('complementary', { name: `User ${name}` });

async function openUsers(view: View = {}, account = ADMIN): Promise<Visitor> {
  const opened = await stage.signedIn(view, account, '/users');
  await users(opened.page).waitFor();
  return opened;
}

const accountOf = async (name: string): Promise<User> =>
  (await stage.api.send<User[]>('GET', `users?search=${name}`)).find(({ username }) => username === name)!;

beforeAll(async () => {
  coast = await stage.api.addGroup('Island watch', 'CONFIDENTIAL');
  await stage.api.addGroup('Ferry crews', 'RESTRICTED');
  for (const name of ['Berit', 'Carl', 'Dora']) await stage.api.addUser(name, { groups: [coast] });
  await stage.api.addUser('Ada', { role: 'admin', clearance: 'SECRET', groups: [coast] });
});

describe('the users table', () => {
  it('finds accounts by words, role and group, keeps that in the link, and hides email and registered at first', {
    tags: 'long',
  }, async () => {
    const { page, close } = await openUsers();
    await row(page, 'Berit').waitFor();
    const heads = await users(page).getByRole('columnheader').allTextContents();
    for (const head of [
      'Username',
      'Name',
      'Company',
      'Country',
      'Role',
      'Clearance',
      'Groups',
      'Online',
      'Last access',
    ])
      expect(heads).toContain(head);
    expect(heads).not.toContain('Email');
    expect(heads).not.toContain('Registered');
    await page.getByText('6 users', { exact: true }).waitFor();

    await page.getByRole('searchbox', { name: 'Search users' }).fill('ber tester');
    await page.getByText('1 user', { exact: true }).waitFor();
    await page.waitForURL('**/users?**search=ber**');
    await page.reload();
    await row(page, 'Berit').waitFor();
    await expect.poll(() => row(page, 'Carl').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Admin', exact: true }).click();
    await page.keyboard.press('Escape');
    await row(page, 'Ada').waitFor();
    await row(page, 'Berit').waitFor({ state: 'detached' });
    await close();
  });

  it('shows to another admin what was changed, and who comes and goes, without a reload', {
    tags: 'long',
  }, async () => {
    const here = await openUsers();
    const there = await openUsers({ scheme: 'light', width: 1920, height: 1080 }, await loginOf('Ada'));
    await row(there.page, 'admin').getByRole('img', { name: 'Online from 1 place' }).waitFor();

    await row(here.page, 'Carl').click();
    await panel(here.page, 'Carl').getByLabel('Company').fill('Harbour office');
    await panel(here.page, 'Carl').getByRole('button', { name: 'Save' }).click();
    await here.page.getByText('User Carl updated.').waitFor();

    await row(there.page, 'Carl').getByText('Harbour office').waitFor();
    await row(there.page, 'Carl').click();
    await panel(there.page, 'Carl').getByLabel('Company').waitFor();
    await shoot(there.page, 'users-light');
    expect(await seriousViolations(there.page)).toEqual([]);
    await here.close();
    await row(there.page, 'admin').getByRole('img', { name: 'Offline' }).waitFor();
    await there.close();
  });

  it('approves an account that registered itself, from the word above the table', async () => {
    await fetch(`${stage.server.address}/api/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        username: 'Wim',
        password: 'Skua-over-the-sound',
        email: 'wim@example.org',
        country: 'Netherlands',
        first_name: 'Wim',
        last_name: 'Visser',
        company: 'Pilots',
      }),
    });
    const { page, close } = await openUsers();

    await page.getByText('1 account waits for approval.').waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    // Wim was among the others before, in another place.
    await page.getByText('1 user', { exact: true }).waitFor();
    await row(page, 'Wim').getByText('Waiting for approval').waitFor();
    await row(page, 'Wim').click();
    await panel(page, 'Wim').getByRole('button', { name: 'Approve' }).click();

    await page.getByText('User Wim updated.').waitFor();
    await page.getByText('1 account waits for approval.').waitFor({ state: 'detached' });
    expect(await accountOf('Wim')).toMatchObject({ state: 'active', disabled: false });
    await close();
  });
});

const loginOf = async (username: string) => ({ username, password: `Kestrel-${username}-over-sea` });

describe('the detail of a user', () => {
  it('gives groups, role and clearance, and shows All in place of groups to a group admin with what they control', async () => {
    const { page, close } = await openUsers();
    await row(page, 'Dora').click();
    const detail = panel(page, 'Dora');
    await expect.poll(() => detail.getByRole('checkbox', { name: 'Dora is in Demo' }).isDisabled()).toBe(true);

    await detail.getByRole('checkbox', { name: 'Dora is in Ferry crews' }).check();
    await detail.getByLabel('Security clearance').click();
    await page.getByRole('option', { name: 'SECRET', exact: true }).click();
    await detail.getByLabel('Role').click();
    await page.getByRole('option', { name: 'Group admin' }).click();
    await detail.getByText('All', { exact: true }).waitFor();
    await detail.getByRole('checkbox', { name: 'Dora controls Island watch' }).check();
    await detail.getByText('4 changes not saved').waitFor();
    await detail.getByRole('button', { name: 'Save' }).click();

    await page.getByText('User Dora updated.').waitFor();
    expect(await accountOf('Dora')).toMatchObject({
      authorizationRole: 'groupAdmin',
      securityClearance: 'SECRET',
      usergroupsAdmin: [coast],
    });
    expect((await accountOf('Dora')).usergroups).toHaveLength(3);
    await close();
  });

  it('leaves guest and superAdmin as they are', async () => {
    const { page, close } = await openUsers({}, await loginOf('Ada'));

    for (const name of ['guest', 'admin']) {
      await row(page, name).click();
      const detail = panel(page, name);
      await detail.getByLabel('Company').waitFor();
      await expect.poll(() => detail.getByLabel('Company').isDisabled()).toBe(true);
      await expect.poll(() => detail.getByRole('button', { name: /Save|Delete user/ }).count()).toBe(0);
      await expect.poll(() => row(page, name).getByRole('checkbox').count()).toBe(0);
    }
    await close();
  });

  it('asks before changes are lost, and goes without them by keyboard alone', { tags: 'long' }, async () => {
    const { page, close } = await openUsers();
    await row(page, 'Berit').focus();
    await page.keyboard.press('Enter');
    await panel(page, 'Berit').getByLabel('First name').fill('Changed');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog', { name: 'Discard your entries?' }).locator(':focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await panel(page, 'Berit').getByLabel('First name').inputValue()).toBe('Changed');
    await panel(page, 'Berit').getByRole('button', { name: 'Discard' }).click();
    await panel(page, 'Berit').getByLabel('First name').focus();
    await page.keyboard.press('Escape');
    await panel(page, 'Berit').waitFor({ state: 'detached' });
    await close();
  });
});

describe('passwords by a link', () => {
  it('invites a user, who sets the password once and logs in with it', { tags: 'long' }, async () => {
    const [here, there] = [await openUsers(), await stage.open()];
    await here.page.getByRole('button', { name: 'Add user' }).click();
    const form = here.page.getByRole('dialog', { name: 'New user' });
    await form.getByLabel('Username').fill('Freya');
    await form.getByRole('checkbox', { name: 'Freya is in Island watch' }).check();
    await form.getByRole('button', { name: 'Create and show link' }).click();
    const shown = here.page.getByRole('dialog', { name: 'Link for Freya' });
    const address = await shown.getByLabel('One-time link').inputValue();
    expect(address).toContain('/reset#');
    await shown.getByRole('button', { name: 'Done' }).click();
    await row(here.page, 'Freya').getByText('No password yet').waitFor();

    const asked: string[] = [];
    there.page.on('request', (request) => asked.push(request.url()));
    await there.page.goto(address);
    await there.page.getByLabel('New password', { exact: true }).waitFor();
    await resize(there.page, { width: 390, height: 844 });
    const widths = () => there.page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
    await expect.poll(widths).toEqual([390, 390]);
    expect(await seriousViolationsInBothSchemes(there.page)).toEqual([]);
    await resize(there.page, { width: 1440, height: 900 });
    const keyboard = keyboardOf(there.page);
    await keyboard.enter(there.page.getByLabel('New password', { exact: true }), 'Fulmar-on-the-cliff');
    await keyboard.enter(there.page.getByLabel('Repeat the new password'), 'Fulmar-on-the-cliff');
    await keyboard.press(there.page.getByRole('button', { name: 'Set the password' }));
    await there.page.getByText('Password set. You can log in now.').waitFor();
    // The address changes before the form does.
    await there.page.getByRole('button', { name: 'Login' }).waitFor();
    expect(await there.page.getByLabel('Username').inputValue()).toBe('Freya');
    await there.page.getByLabel('Password', { exact: true }).fill('Fulmar-on-the-cliff');
    await there.page.getByRole('button', { name: 'Login' }).click();
    await table(there.page).waitFor();
    await row(here.page, 'Freya').getByText('No password yet').waitFor({ state: 'detached' });
    const secret = address.split('#')[1]!;
    expect(asked.filter((url) => url.includes(secret) && !url.includes('#'))).toEqual([]);

    await there.page.goto('/about');
    await there.page.goto(address);
    await there.page.getByText('This link is no longer valid').waitFor();
    await here.close();
    await there.close();
  });

  it('resets a password: the sessions end at once, and the old password opens nothing', { tags: 'long' }, async () => {
    const [here, there] = [await openUsers(), await stage.open()];
    await logIn(there.page, await loginOf('Berit'));

    await row(here.page, 'Berit').click();
    await panel(here.page, 'Berit').getByRole('button', { name: 'Reset password' }).click();
    await here.page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
    await here.page.getByRole('dialog', { name: 'Link for Berit' }).waitFor();
    await shoot(here.page, 'users-link');

    await there.page.waitForURL('**/login');
    const answer = await fetch(`${stage.server.address}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(await loginOf('Berit')),
    });
    expect(answer.status).toBe(401);
    await here.close();
    await there.close();
  });
});

describe('several users', () => {
  it('are put into a group, disabled, and deleted for good with their names kept', { tags: 'long' }, async () => {
    for (const name of ['Gus', 'Hal']) await stage.api.addUser(name, { groups: [coast] });
    const { page, close } = await openUsers();
    await page.goto('/users?search=tester');
    for (const name of ['Gus', 'Hal']) await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
    const bar = page.getByRole('toolbar', { name: '2 selected' });

    await bar.getByRole('button', { name: 'Usergroups' }).click();
    const dialog = page.getByRole('dialog', { name: 'Usergroups of 2 users' });
    await dialog.getByRole('checkbox', { name: 'Ferry crews' }).check();
    await shoot(page, 'users-bulk');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('2 users updated.').first().waitFor();
    expect((await accountOf('Gus')).usergroups).toHaveLength(3);

    await bar.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click();
    await row(page, 'Hal').getByText('Disabled').waitFor();

    await bar.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog', { name: 'Delete 2 users?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 users deleted.').waitFor();
    await row(page, 'Gus').waitFor({ state: 'detached' });
    await expect(stage.api.addUser('Gus')).rejects.toThrow('userNameTaken');
    await close();
  });
});

it('the page holds at 390 px and with axe, in the dark, and says what is missing to others', {
  tags: 'long',
}, async () => {
  const { page, close } = await stage.signedIn(
    { width: 390, height: 844, touch: true },
    await loginOf('Carl'),
    '/users',
  );
  await page.getByText('This page is for administrators').waitFor();
  await close();

  const phone = await openUsers({ width: 390, height: 844, touch: true });
  await row(phone.page, 'Carl').waitFor();
  await shoot(phone.page, 'users-phone');
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await seriousViolations(phone.page)).toEqual([]);
  await row(phone.page, 'Carl').click();
  await panel(phone.page, 'Carl').getByLabel('First name').waitFor();
  await shoot(phone.page, 'users-phone-detail');
  expect(await seriousViolations(phone.page)).toEqual([]);
  await phone.close();
});
