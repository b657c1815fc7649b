/// <reference lib="dom" />
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BinnedMission, Mission } from '@osprey/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminMode, row, shoot, table } from '../tools/test-support/browser/screens.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolations, seriousViolationsInBothSchemes } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();
let page: Page;
let kea: Mission;
let ana: { username: string; password: string };

const bin = () => page.getByRole('treegrid', { name: 'Bin' });
const binRow = (name: string) => bin().getByRole('row').filter({ hasText: name }).and(page.locator('[aria-level="1"]'));

beforeAll(async () => {
  const { api } = stage;
  kea = await api.addMission({ name: 'Kea' });
  ana = await api.addUser('Ana', { role: 'admin', clearance: 'SECRET' });
  for (const name of ['Andros', 'Tinos', 'Syros']) await api.addMission({ name });
  ({ page } = await stage.signedIn({ width: 1440, height: 900 }));
});

describe('the bin', { tags: 'long' }, () => {
  it('takes a deleted mission away from another user at once, and gives it back', async () => {
    const other = await stage.signedIn({}, ana);
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
    await other.page.getByText('Mission Kea restored.').waitFor();
    await row(page, 'Kea').waitFor();
    const again = await stage.api.mission(kea._id);
    expect([again.securityClassification, again.usergroups]).toEqual([kea.securityClassification, kea.usergroups]);
    await other.close();
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

    await page.getByText(/(?:was|were) deleted for good\.$/).waitFor();
    await expect.poll(async () => (await stage.api.send<BinnedMission[]>('GET', 'bin')).length).toBe(1);
  });

  it('fits a phone, dark and light', async () => {
    const phone = await stage.signedIn({ width: 390, height: 844 }, ADMIN, '/storage');
    await phone.page.getByRole('treegrid', { name: 'Bin' }).waitFor();
    const width = await phone.page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    expect(await seriousViolationsInBothSchemes(phone.page)).toEqual([]);
    await shoot(phone.page, 'bin-phone');
    await phone.close();
  });
});

describe('keeping', { tags: 'long' }, () => {
  let phone: Page;

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

    await page
      .getByText('Error deleting mission(s) Syros: Mission Syros is on hold: neither it nor its files can be deleted.')
      .waitFor();
  });

  it('adds a retention rule, says what is due, and when the disk is full; another admin sees it', async () => {
    ({ page: phone } = await onPhone('retention'));
    await phone.getByText('No rules. Nothing is deleted automatically.').waitFor();
    await page.goto('/storage?tab=retention');
    await page
      .getByRole('region', { name: 'Disk' })
      .getByText(/ free$/)
      .waitFor();
    await page.getByText('No rules. Nothing is deleted automatically.').waitFor();
    await page.getByRole('button', { name: 'Add rule' }).click();
    const form = page.getByRole('dialog', { name: 'New retention rule' });
    await form.getByLabel('Days').fill('0');
    await form.getByText('A whole number from 1 to 36500').waitFor();
    await form.getByLabel('Days').fill('30');
    await form.getByLabel('Platform').fill('Heron');
    await form.getByRole('button', { name: 'Save' }).click();

    await rule(page).getByRole('cell', { name: '30' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await shoot(page, 'retention');
    await rule(phone).getByRole('cell', { name: '30' }).waitFor();
    await expectOnPhone(phone);
    await shoot(phone, 'retention-phone');
  });

  it('changes and removes a rule by keyboard alone, and the other admin sees both', async () => {
    await rule(page)
      .getByRole('button', { name: /^Edit the rule/ })
      .press('Enter');
    const form = page.getByRole('dialog', { name: 'Retention rule' });
    await form.getByLabel('Days').press('ControlOrMeta+A');
    await page.keyboard.type('45');
    await page.keyboard.press('Enter');
    await rule(phone).getByRole('cell', { name: '45' }).waitFor();

    await rule(page)
      .getByRole('button', { name: /^Remove the rule/ })
      .press('Enter');
    const question = page.getByRole('alertdialog', { name: /^Remove the rule/ });
    await question.waitFor();
    // The safe answer has the focus; the other one is the next.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await rule(phone).waitFor({ state: 'detached' });
  });
});

describe('watched folders', { tags: 'long' }, () => {
  let inbox: string;
  let phone: Page;
  let leave: () => Promise<void>;

  const folders = (of = page) => of.getByRole('table', { name: 'Watched folders' });
  const folder = (of = page) => folders(of).getByRole('row').filter({ hasText: 'drop' });
  const report = (of = page) => of.getByRole('table', { name: 'Imported files' });
  const taken = (name: string, of = page) => report(of).getByRole('row').filter({ hasText: name });
  const form = (name: string) => page.getByRole('dialog', { name });
  const pick = async (field: string, option: string | RegExp) => {
    await page.getByRole('dialog').getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option }).click();
  };

  beforeAll(async () => {
    inbox = join(stage.server.dataFolder, 'inbox', 'drop');
    await mkdir(inbox, { recursive: true });
    await stage.api.addGroup('Coast', 'SECRET');
    ({ page: phone, close: leave } = await onPhone('folders'));
    await page.goto('/storage?tab=folders');
  });
  afterAll(() => leave());

  it('are offered if the server allows it, and are shared with an account that may see their label', async () => {
    await page.getByText('No folder is watched').waitFor();
    await page.getByRole('button', { name: 'Add folder' }).press('Enter');
    const dialog = form('Watch a folder');
    await dialog.getByLabel('Folder on the server').fill('/etc');
    await dialog.getByText('Choose at least one usergroup, or everyone.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await pick('Usergroup', 'Everyone (all users)');
    await page.keyboard.press('Escape');
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^There is no such folder below .*inbox\.$/).waitFor();
    await shoot(page, 'folders');
  });

  it('have a label, an audience and a platform of their own, which another admin sees', async () => {
    const dialog = form('Watch a folder');
    await dialog.getByLabel('Folder on the server').fill(inbox);
    await pick('Label', 'RESTRICTED');
    await dialog.getByLabel('Platform', { exact: true }).fill('Heron');
    await pick('Platform type', 'Helicopter');
    await dialog.getByLabel('Colour', { exact: true }).fill('#aa3377');
    await dialog.getByRole('button', { name: 'Save' }).click();

    for (const cell of ['RESTRICTED', 'Everyone', 'Heron', 'Enabled']) {
      await folder().getByRole('cell', { name: cell }).waitFor();
    }
    await folder(phone).getByRole('cell', { name: 'Everyone' }).waitFor();
    await expectOnPhone(phone);
    await shoot(phone, 'folders-phone');
  });

  it('turn recordings into missions with these, and both admins see what was taken', async () => {
    await copyFile(await stage.recordings.simulated('first.ts', { seconds: 2 }), join(inbox, 'first.ts'));

    await taken('first.ts').getByText('Taken').waitFor({ timeout: 90_000 });
    await taken('first.ts', phone).getByText('Taken').waitFor();
    const mission = await stage.api.untilReady((await stage.api.mission('first'))._id);
    expect(mission).toMatchObject({
      audience: 'everyone',
      securityClassification: 'RESTRICTED',
      platform: { name: 'Heron', type: 'Helicopter', presentation: { color: '#aa3377' } },
    });
    const link = taken('first.ts').getByRole('link', { name: 'first' });
    expect(await link.getAttribute('href')).toBe(`/missions?mission=${mission._id}`);
  });

  it('are narrowed and switched off', async () => {
    await folder()
      .getByRole('button', { name: /^Edit / })
      .press('Enter');
    const dialog = form('Watched folder');
    await pick('Usergroup', 'Everyone (all users)');
    await page.getByRole('option', { name: /^Coast/ }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('checkbox', { name: 'Enabled' }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();

    for (const seen of [page, phone]) {
      await folder(seen).getByRole('cell', { name: 'Coast' }).waitFor();
      await folder(seen).getByRole('cell', { name: 'Disabled' }).waitFor();
    }
  });

  it('take a list of their files, and report each row of it', async () => {
    await copyFile(await stage.recordings.simulated('second.ts', { seconds: 2, seed: 7 }), join(inbox, 'second.ts'));
    const choose = async (name: string, text: string) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        folder()
          .getByRole('button', { name: /^Read a list for / })
          .press('Enter'),
      ]);
      await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    };
    await choose('bad.csv', 'name,colour\nx,red\n');
    await page.getByText(/^The list could not be read: /).waitFor();
    await choose('list.csv', 'name,files\nFrom-list,second.ts\nMissing,third.ts\n');

    await taken('second.ts').getByRole('link', { name: 'From-list' }).waitFor();
    await taken('third.ts', phone)
      .getByText(/^Refused: /)
      .waitFor();
    expect((await stage.api.mission('From-list')).audience).toBe('groups');
  });

  it('are no more after a question, their missions stay', async () => {
    await folder()
      .getByRole('button', { name: /^Stop watching / })
      .press('Enter');
    const question = page.getByRole('alertdialog', { name: /^Stop watching / });
    await question.getByText('RESTRICTED', { exact: true }).waitFor();
    await question.getByRole('button', { name: 'Stop watching' }).click();

    for (const seen of [page, phone]) await seen.getByText('No folder is watched').waitFor();
    expect((await stage.api.mission('From-list')).state).not.toBe('Stopped');
  });
});

const rule = (of: Page) =>
  of.getByRole('table', { name: 'Retention rules' }).getByRole('row').filter({ hasText: 'Heron' });

/** Another admin, on a phone and in the light. */
const onPhone = (tab: string) =>
  stage.signedIn({ width: 390, height: 844, scheme: 'light' }, ana, `/storage?tab=${tab}`);

async function expectOnPhone(phone: Page): Promise<void> {
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await seriousViolationsInBothSchemes(phone)).toEqual([]);
}
