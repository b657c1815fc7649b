/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Mission } from '@osprey/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { adminMode, row, shoot, table } from '../tools/test-support/browser/screens.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolations, seriousViolationsInBothSchemes } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();
let page: Page;
let kea: Mission;
let archive: string;

const bar = () => page.getByRole('toolbar', { name: 'Missions' });
const activity = () => page.getByRole('button', { name: /^Activity \d/ });

beforeAll(async () => {
  kea = await stage.api.addRecorded(
    { name: 'Kea', securityClassification: 'RESTRICTED', usergroups: [await stage.api.addGroup('Coast', 'SECRET')] },
    { 'EO/IR': await stage.recordings.simulated('kea.ts', { seconds: 6 }) },
  );
  ({ page } = await stage.signedIn({ width: 1440, height: 900 }));
  await adminMode(page);
});

describe('exports', { tags: 'long' }, () => {
  it('ask for a selection first', async () => {
    await bar().getByRole('button', { name: 'Export' }).click();

    await page.getByText('Export error - no mission selected').waitFor();
  });

  it('bring a mission archive as a download of the browser, and stay in the activity tray', async () => {
    await table(page).getByRole('checkbox', { name: 'Choose Kea' }).check();
    await page.getByRole('toolbar', { name: '1 selected' }).getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Mission archive (zip)' }).click(),
      page.getByText('Mission Kea exported.').waitFor(),
    ]);

    expect(download.suggestedFilename()).toMatch(/^osprey_RESTRICTED_Kea_\d{8}-\d{4}\d*\.zip$/);
    // A download of the browser itself: nothing of it is in the memory of the page.
    const { origin, pathname } = new URL(download.url());
    expect([origin, pathname]).toEqual([
      stage.server.address,
      expect.stringMatching(/^\/api\/exports\/[0-9a-f-]{36}$/),
    ]);
    archive = join(await download.path());
    expect(readFileSync(archive).subarray(0, 2).toString()).toBe('PK');
    await activity().click();
    const tray = page.getByRole('dialog', { name: 'Activity' });
    await tray.getByText('Export of Kea').waitFor();
    await tray.getByText(/^Ready, /).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    // With an export in the tray the empty text is gone.
    expect(await tray.getByText(/^Nothing is running/).count()).toBe(0);
    await shoot(page, 'export-tray');
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      tray.getByRole('button', { name: 'Download the export of Kea' }).click(),
    ]);
    expect(again.suggestedFilename()).toBe(download.suggestedFilename());
    await page.keyboard.press('Escape');
  });

  it('can be downloaded from the tray on a phone too', async () => {
    const phone = await stage.signedIn({ width: 390, height: 844, touch: true });
    await phone.page.getByRole('button', { name: /^Activity \d/ }).click();
    const tray = phone.page.getByRole('dialog', { name: 'Activity' });
    await tray.getByText(/^Ready, /).waitFor();
    await shoot(phone.page, 'export-tray-phone');

    const [download] = await Promise.all([
      phone.page.waitForEvent('download'),
      tray.getByRole('button', { name: 'Download the export of Kea' }).click(),
    ]);

    expect(download.suggestedFilename()).toContain('_Kea_');
    await tray.getByRole('button', { name: 'Remove the export of Kea' }).click();
    await tray.getByText(/^Nothing is running/).waitFor();
    await phone.close();
  });

  it('say that an archive is being made', async () => {
    await page.getByRole('toolbar', { name: '1 selected' }).getByRole('button', { name: 'Export' }).focus();
    await page.keyboard.press('Enter');
    // The menu takes the focus a moment after it is drawn.
    await page.locator('[role="menuitem"]:focus', { hasText: 'Mission archive (zip)' }).waitFor();
    await page.keyboard.press('Enter');

    await page.getByText('Creating archive for Kea. Please wait...').waitFor();
  });

  it('bring a mission list as CSV and as JSON', async () => {
    for (const [choice, ending] of [
      ['Mission list (CSV)', 'csv'],
      ['Mission list (JSON)', 'json'],
    ] as const) {
      await page.getByRole('toolbar', { name: '1 selected' }).getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download', (one) => !one.suggestedFilename().endsWith('.zip')),
        page.getByRole('menuitem', { name: choice }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(new RegExp(`^osprey_RESTRICTED_Kea_.*\\.${ending}$`));
      expect(readFileSync(await download.path(), 'utf8')).toContain(kea._id);
    }
  });

  it('show what went wrong, with the names and the words of the server', async () => {
    const made = await stage.api.addMission({ name: 'Fleeting' });
    await page.goto('/missions?search=Fleeting');
    await table(page).getByRole('checkbox', { name: 'Choose Fleeting' }).check();
    await page.getByRole('toolbar', { name: '1 selected' }).getByRole('button', { name: 'Export' }).click();
    const choice = page.getByRole('menuitem', { name: 'Mission list (CSV)' });
    await choice.waitFor();
    await page.route('**/api/missions/exportList', (route) =>
      route.fulfill({
        status: 507,
        contentType: 'application/json',
        body: '{"code":"diskFull","values":{}}',
      }),
    );
    await choice.click();

    await page
      .getByText('Error exporting mission(s) Fleeting: There is not enough free disk space on the server.')
      .waitFor();
    await page.unroute('**/api/missions/exportList');
    await stage.api.send('DELETE', 'missions', { missions: [made._id] });
  });
});

describe('imports', { tags: 'long' }, () => {
  it('make the missions of an archive and report them', async () => {
    await stage.api.send('DELETE', 'missions', { missions: ['Kea'] });
    await page.goto('/storage?tab=imports');
    await page.getByText('Nothing was imported yet').waitFor();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose files for import' }).press('Enter'),
    ]);
    await chooser.setFiles({ name: 'kea.zip', mimeType: 'application/zip', buffer: readFileSync(archive) });

    await page.getByText('Done', { exact: true }).waitFor();
    await page.getByText('1 file · Shared with Coast').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await shoot(page, 'import');
    await page.getByRole('link', { name: 'Open Kea' }).click();
    await page.getByRole('region', { name: 'Mission Kea' }).waitFor();
  });

  it('resume where they stopped after the page was reloaded, with the same archive', async () => {
    await stage.api.send('DELETE', 'missions', { missions: ['Kea'] });
    const { size } = await stat(archive);
    // The same file each time: its time counts too.
    const file = join(dirname(archive), 'kea.zip');
    await copyFile(archive, file);
    const network = await page.context().newCDPSession(page);
    const slow = (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, downloadThroughput: -1 },
        uploadThroughput,
      });
    const choose = async (button: string) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: button }).click(),
      ]);
      await chooser.setFiles(file);
    };
    await page.goto('/storage?tab=imports');
    // On its way for longer than a busy machine takes to reload the page.
    await slow(size / 30);
    await choose('Choose files for import');
    await page.getByText(/MB\/s/).waitFor();
    await shoot(page, 'import-sending');

    await page.reload();
    await slow(-1);
    await page.getByText(/^Interrupted at .*\. Choose the same file to continue\.$/).waitFor();
    await shoot(page, 'import-interrupted');
    const goesOn = page.waitForRequest((request) => request.method() === 'PATCH');
    await choose('Choose kea.zip again');

    expect(Number((await goesOn).headers()['upload-offset'])).toBeGreaterThan(0);
    await page.getByText('Done', { exact: true }).nth(1).waitFor();
    await network.detach();
  });

  it('say why an archive was refused, on a phone too', async () => {
    const phone = await stage.signedIn({ width: 390, height: 844, scheme: 'light' }, ADMIN, '/storage?tab=imports');
    const [chooser] = await Promise.all([
      phone.page.waitForEvent('filechooser'),
      phone.page.getByRole('button', { name: 'Choose files for import' }).click(),
    ]);
    await chooser.setFiles({ name: 'other.zip', mimeType: 'application/zip', buffer: Buffer.from('not a zip') });

    await phone.page.getByText(/^Failed: The archive was refused/).waitFor();
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await seriousViolationsInBothSchemes(phone.page)).toEqual([]);
    await shoot(phone.page, 'import-phone');
    await phone.close();
  });
});

it('shows neither export nor storage to who may not manage', { tags: 'long' }, async () => {
  const account = await stage.api.addUser('Ulf');
  const other = await stage.signedIn({}, account);
  expect(await other.page.getByRole('button', { name: 'Export' }).count()).toBe(0);
  expect(await other.page.getByRole('link', { name: 'Storage' }).count()).toBe(0);
  await other.page.goto('/storage');
  await other.page.getByRole('navigation').first().waitFor();
  expect(await other.page.getByRole('tab').count()).toBe(0);
  expect(await row(other.page, 'Kea').count()).toBe(0);
  await other.close();
});
