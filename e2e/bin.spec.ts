/// <reference lib="dom" />
import type { BinnedMission, Mission } from '@osprey/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousViolations, seriousViolationsInBothSchemes } from './support/axe.ts';
import { adminMode, row, shoot, table } from './support/screens.ts';
import { ADMIN } from './support/server.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();
let page: Page;
let kea: Mission;

const bin = () => page.getByRole('treegrid', { name: 'Bin' });
const binRow = (name: string) => bin().getByRole('row').filter({ hasText: name }).and(page.locator('[aria-level="1"]'));
const openTab = async (name: string) => {
  await page.getByRole('tab', { name, exact: true }).click();
  await page.getByRole('tabpanel', { name }).waitFor();
};

beforeAll(async () => {
  const { api } = stage;
  kea = await api.addMission({ name: 'Kea' });
  for (const name of ['Andros', 'Tinos', 'Syros']) await api.addMission({ name });
  ({ page } = await stage.signedIn({ width: 1440, height: 900 }));
});

describe('the bin', () => {
  it('takes a deleted mission away from another user at once, and gives it back', async () => {
    const account = await stage.api.addUser('Ana', { role: 'admin', clearance: 'SECRET' });
    const other = await stage.signedIn({}, account);
    await row(other.page, 'Kea').waitFor();
    await adminMode(page);
    await table(page).getByRole('checkbox', { name: 'Choose Kea' }).check();
    await page.getByRole('toolbar', { name: '1 selected' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog', { name: 'Delete Kea?' }).getByRole('button', { name: 'Delete' }).click();

    await row(other.page, 'Kea').waitFor({ state: 'detached' });
    await other.page.goto('/storage');
    await other.page.getByRole('treegrid', { name: 'Bin' }).getByText('Kea').waitFor();
    await other.page.getByRole('checkbox', { name: 'Choose Kea' }).check();
    expect(await other.page.getByRole('button', { name: 'Delete for good' }).count()).toBe(0);
    await other.page.getByRole('button', { name: 'Restore' }).click();
    await other.page.getByText('Missions Kea restored.').waitFor();
    await row(page, 'Kea').waitFor();
    const again = await stage.api.mission(kea._id);
    expect([again.securityClassification, again.usergroups]).toEqual([kea.securityClassification, kea.usergroups]);
    await other.context.close();
  });

  it('is gone through by keyboard, and emptied after a question that names what is lost', async () => {
    await stage.api.send('DELETE', 'missions', { missions: ['Andros', 'Tinos'] });
    await page.goto('/storage?tab=bin');
    await binRow('Andros').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await shoot(page, 'bin');
    await bin().getByRole('row').and(page.locator('[data-index="0"]')).focus();
    await page.keyboard.press('Space');
    const bar = page.getByRole('toolbar', { name: '1 selected' });
    await bar.getByRole('button', { name: 'Delete for good' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(/This cannot be undone\.$/).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
    await question.getByRole('button', { name: 'Delete for good' }).click();

    await page.getByText(/were deleted for good\.$/).waitFor();
    await expect.poll(async () => (await stage.api.send<BinnedMission[]>('GET', 'bin')).length).toBe(1);
  });

  it('fits a phone, dark and light', async () => {
    const phone = await stage.signedIn({ width: 390, height: 844 }, ADMIN, '/storage');
    await phone.page.getByRole('treegrid', { name: 'Bin' }).waitFor();
    const width = await phone.page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    expect(await seriousViolationsInBothSchemes(phone.page)).toEqual([]);
    await shoot(phone.page, 'bin-phone');
    await phone.context.close();
  });
});

describe('keeping', () => {
  it('holds a mission against deletion, with a reason that is shown', async () => {
    await page.goto('/missions?search=Syros');
    await adminMode(page);
    await table(page).getByRole('checkbox', { name: 'Choose Syros' }).check();
    await page.getByRole('button', { name: 'Hold' }).click();
    const form = page.getByRole('dialog', { name: 'Hold Syros?' });
    await form.getByRole('button', { name: 'Hold' }).click();
    await form.getByText('Please give a reason of at least 10 characters').waitFor();
    await form.getByLabel('Reason').fill('evidence of a case');
    await form.getByRole('button', { name: 'Hold' }).click();
    await row(page, 'Syros').getByText('On hold').waitFor();

    await page.getByRole('toolbar', { name: '1 selected' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();

    await page.getByText('Error deleting mission(s) Syros: Mission Syros is on hold and cannot be deleted.').waitFor();
  });

  it('adds a retention rule, says what is due, and when the disk is full', async () => {
    await page.goto('/storage?tab=retention');
    await page
      .getByRole('region', { name: 'Disk' })
      .getByText(/ free$/)
      .waitFor();
    await page.getByText('No rules: nothing is deleted by itself').waitFor();
    await page.getByRole('button', { name: 'Add rule' }).click();
    const form = page.getByRole('dialog', { name: 'New retention rule' });
    await form.getByLabel('Days').fill('0');
    await form.getByText('A whole number from 1 to 36500').waitFor();
    await form.getByLabel('Days').fill('30');
    await form.getByLabel('Platform').fill('Heron');
    await form.getByRole('button', { name: 'Save' }).click();

    const line = page.getByRole('table', { name: 'Retention rules' }).getByRole('row').filter({ hasText: 'Heron' });
    await line.getByRole('cell', { name: '30' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await shoot(page, 'retention');
  });

  it('watches a folder of the server and tells what it may be', async () => {
    await openTab('Watched folders');
    await page.getByText('No folder is watched').waitFor();
    await page.getByRole('button', { name: 'Add folder' }).click();
    const form = page.getByRole('dialog', { name: 'Watch a folder' });
    await form.getByLabel('Folder on the server').fill('/etc');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^There is no such folder below .*inbox\.$/).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await shoot(page, 'folders');
  });
});
