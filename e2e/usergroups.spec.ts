/// <reference lib="dom" />
import type { Usergroup } from '@osprey/contract';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { View } from '../tools/test-support/browser/browser.ts';
import { shoot } from '../tools/test-support/browser/screens.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolations, seriousViolationsInBothSchemes } from './support/axe.ts';
import { keyboardOf } from './support/keyboard.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true });
let coast: string;

const groups = (page: Page): Locator => page.getByRole('treegrid', { name: 'Usergroups' });
const row = (page: Page, name: string): Locator =>
  groups(page)
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) });
const panel = (page: Page, name: string): Locator => page.getByRole('complementary', { name: `Usergroup ${name}` });

async function openGroups(view: View = {}, account = ADMIN): Promise<Visitor> {
  const opened = await stage.signedIn(view, account, '/usergroups');
  await row(opened.page, 'Demo').waitFor();
  return opened;
}

const named = async (name: string): Promise<Usergroup | undefined> =>
  (await stage.api.groups()).find((group) => group.name === name);

beforeAll(async () => {
  coast = await stage.api.addGroup('Coast watch', 'CONFIDENTIAL');
  await stage.api.addUser('Ejner', { groups: [coast] });
  await stage.api.addUser('Cai');
  await stage.api.addUser('Alva', { role: 'admin', clearance: 'SECRET' });
});

it('a group is added with ceiling and live modes, shown to another admin without a reload, and changed', async () => {
  const here = await openGroups();
  const there = await openGroups({}, { username: 'Alva', password: 'Kestrel-Alva-over-sea' });
  const heads = await groups(here.page).getByRole('columnheader').allTextContents();
  expect(heads).toEqual(['Name', 'Description', 'Classification', 'Live modes', 'Users', 'Created']);
  await row(here.page, 'Demo').getByText('HLS only').waitFor();

  await here.page.getByRole('button', { name: 'Add usergroup' }).click();
  const form = here.page.getByRole('dialog', { name: 'New usergroup' });
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText('Empty usergroup name').waitFor();
  await form.getByLabel('Name').fill('Rescue');
  await form.getByLabel('Classification').click();
  await here.page.getByRole('option', { name: 'RESTRICTED' }).click();
  await form.getByRole('checkbox', { name: 'WebRTC' }).check();
  await form.getByRole('button', { name: 'Create' }).click();

  await here.page.getByText('Usergroup Rescue added.').waitFor();
  await row(there.page, 'Rescue').getByText('RESTRICTED').waitFor();
  const detail = panel(here.page, 'Rescue');
  await detail.getByLabel('Description').fill('Helicopters and boats');
  await detail.getByRole('button', { name: 'Save' }).click();
  await here.page.getByText('Usergroup Rescue updated.').waitFor();
  await row(there.page, 'Rescue').getByText('Helicopters and boats').waitFor();
  expect(await named('Rescue')).toMatchObject({ securityClassification: 'RESTRICTED', liveModes: ['WebRtc'] });
  await here.close();
  await there.close();
});

it('members are added by name and taken out again', { tags: 'long' }, async () => {
  const { page, close } = await openGroups({ width: 1920, height: 1080 });
  await row(page, 'Coast watch').click();
  const detail = panel(page, 'Coast watch');
  await detail.getByText('Ejner').waitFor();

  await detail.getByLabel('Add a member').fill('cai');
  await page.getByRole('option', { name: 'Cai' }).click();
  await page.getByText('User Cai updated.').waitFor();
  await detail.getByRole('button', { name: 'Remove Cai from Coast watch' }).waitFor();
  await shoot(page, 'usergroups');
  expect(await seriousViolations(page)).toEqual([]);
  await detail.getByRole('button', { name: 'Remove Ejner from Coast watch' }).click();
  await detail.getByText('Ejner').waitFor({ state: 'detached' });
  await row(page, 'Coast watch').getByText('1', { exact: true }).waitFor();
  await close();
});

it('by keys alone a group is added and changed, and a user put into it and taken out again', {
  tags: 'long',
}, async () => {
  const { page, close } = await openGroups({ width: 1920, height: 1080 });
  const { enter, press, key } = keyboardOf(page);

  await press(page.getByRole('button', { name: 'Add usergroup' }));
  const form = page.getByRole('dialog', { name: 'New usergroup' });
  await enter(form.getByLabel('Name'), 'Night watch');
  await press(form.getByRole('button', { name: 'Create' }));
  await page.getByText('Usergroup Night watch added.').waitFor();
  const detail = panel(page, 'Night watch');
  await enter(detail.getByLabel('Description'), 'From dusk till dawn');
  await press(detail.getByRole('button', { name: 'Save' }));
  await page.getByText('Usergroup Night watch updated.').waitFor();
  await enter(detail.getByLabel('Add a member'), 'cai');
  await page.getByRole('option', { name: 'Cai' }).waitFor();
  await key('ArrowDown');
  await key('Enter');
  await page.getByText('User Cai updated.').waitFor();
  await press(detail.getByRole('button', { name: 'Remove Cai from Night watch' }));
  await detail.getByText('Cai').waitFor({ state: 'detached' });

  expect(await named('Night watch')).toMatchObject({ description: 'From dusk till dawn' });
  await close();
});

it('Demo cannot be changed or deleted', async () => {
  const { page, close } = await openGroups();
  await row(page, 'Demo').click();

  const detail = panel(page, 'Demo');
  await detail.getByText('Everybody is in Demo.', { exact: false }).waitFor();
  await expect.poll(() => detail.getByLabel('Name').isDisabled()).toBe(true);
  await expect.poll(() => detail.getByRole('button', { name: /Save|Delete group/ }).count()).toBe(0);
  await close();
});

it('T-041 a group that is the only audience of a mission is deleted only after its name was shown', async () => {
  const doomed = await stage.api.addGroup('Doomed', 'SECRET');
  await stage.api.addMission({ name: 'Night-ferry', usergroups: [doomed], securityClassification: 'RESTRICTED' });
  const { page, close } = await openGroups();
  await row(page, 'Doomed').focus();
  await page.keyboard.press('Enter');
  await panel(page, 'Doomed').getByRole('button', { name: 'Delete group' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete group Doomed?' });
  await question.getByText('Night-ferry').waitFor();
  await shoot(page, 'usergroups-delete');
  await page.keyboard.press('Escape');
  expect(await named('Doomed')).toBeDefined();

  await panel(page, 'Doomed').getByRole('button', { name: 'Delete group' }).click();
  await question.getByText('Night-ferry').waitFor();
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Usergroup deleted.').waitFor();
  await row(page, 'Doomed').waitFor({ state: 'detached' });
  await close();
});

it('the page holds at 390 px with axe, dark and light', { tags: 'long' }, async () => {
  const { page, close } = await openGroups({ width: 390, height: 844, touch: true });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await row(page, 'Coast watch').click();
  await panel(page, 'Coast watch').getByText('Cai').waitFor();
  await shoot(page, 'usergroups-phone');
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
  await close();
});
