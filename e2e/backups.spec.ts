/// <reference lib="dom" />
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { View } from '../tools/test-support/browser/browser.ts';
import { shoot } from '../tools/test-support/browser/screens.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolations, seriousViolationsInBothSchemes } from './support/axe.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor();

const table = (page: Page) => page.getByRole('treegrid', { name: 'Backups' });
const create = (page: Page) => page.getByRole('button', { name: 'Create backup' });
const verified = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ hasText: /Verified/ })
    .filter({ hasText: 'manual' });

async function openBackups(view: View = {}, account = ADMIN): Promise<Visitor> {
  const opened = await stage.signedIn(view, account, '/backups');
  await opened.page.getByRole('heading', { name: 'Backups' }).waitFor();
  // The page is online before the backup starts: one that fails within moments would end before its events arrive.
  await opened.page.getByRole('status', { name: 'Server state: Online' }).waitFor();
  return opened;
}

beforeAll(async () => {
  await stage.api.addMission({ name: 'Kept-one' });
});

describe('the backups page', { tags: 'long' }, () => {
  it('shows the key once, with the advice to keep it elsewhere', async () => {
    const { page, close } = await openBackups();
    await page.getByText('There is no backup yet').waitFor();
    await shoot(page, 'backups-empty');

    await page.getByRole('button', { name: 'Show the key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Key of the backups' });
    await expect.poll(() => dialog.getByRole('group', { name: 'Key' }).textContent()).toMatch(/^[0-9a-f]{64}$/);
    await shoot(page, 'backups-key');
    await dialog.getByRole('button', { name: "I've saved it" }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByText('Save your backup key').waitFor({ state: 'detached' });
    await page.reload();
    await create(page).waitFor();
    await page.getByText('There is no backup yet').waitFor();
    expect(await page.getByRole('button', { name: 'Show the key' }).count()).toBe(0);
    await close();
  });

  it('makes a backup with its progress, verifies it, and another admin sees it without reloading', async () => {
    const { page, close } = await openBackups();
    const second = await stage.api.addUser('Second', { role: 'admin' });
    const other = await openBackups({}, second);
    const phone = { width: 390, height: 844, scheme: 'light', touch: true } as const;
    const health = await stage.signedIn(phone, second, '/admin/health');
    await health.page.getByText('There is no backup yet.').waitFor();
    await other.page.getByText('There is no backup yet').waitFor();

    // The page notes its own steps: a small backup is made faster than a test can ask.
    await page.evaluate(() => {
      new MutationObserver(() => {
        const rows = document.querySelector('[role=treegrid]')?.textContent ?? '';
        if (!/Waiting|Being made|Being verified/.test(rows)) return;
        const button = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Create backup');
        document.body.dataset.whileMade = button?.disabled ? 'disabled' : 'enabled';
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await create(page).click();
    await verified(page).waitFor();

    expect(await page.evaluate(() => document.body.dataset.whileMade)).toBe('disabled');
    await verified(other.page).waitFor();
    const fact = health.page.getByRole('listitem').filter({ hasText: 'Last backup' });
    await fact.getByText(/^A backup was last verified on /).waitFor();
    expect(await seriousViolationsInBothSchemes(health.page)).toEqual([]);
    await shoot(health.page, 'health-phone');
    await health.close();
    await expect.poll(() => verified(page).textContent()).toMatch(/rows, .* files/);
    await verified(page).getByText('Manual', { exact: true }).waitFor();
    await shoot(page, 'backups');
    // An admin may not delete; the server says the same.
    expect(
      await other.page
        .getByRole('button', { name: /^Delete / })
        .first()
        .isDisabled(),
    ).toBe(true);
    await verified(page)
      .getByRole('button', { name: /^How .* is restored$/ })
      .click();
    const restore = page.getByRole('dialog', { name: /^Restore / });
    await expect.poll(() => restore.textContent()).toContain('npm run backup -- restore');
    await restore.getByText('TOP SECRET', { exact: true }).waitFor();
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    await shoot(page, 'backups-restore');
    await page.keyboard.press('Escape');
    await restore.waitFor({ state: 'detached' });
    await other.close();
    await close();
  });

  it('has nothing that axe calls serious, dark, light and at 390 px, and does not scroll sideways there', {
    tags: 'long',
  }, async () => {
    for (const [scheme, width] of [
      ['dark', 1440],
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      const { page, close } = await openBackups({ scheme, width, height: 844 });
      await table(page).getByRole('img', { name: 'Verified' }).first().waitFor();

      expect(await seriousViolations(page), `${scheme} ${width}`).toEqual([]);
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(wide).toBeLessThanOrEqual(0);
      await shoot(page, `backups-${scheme}-${width}`);
      await close();
    }
  });

  it('shouts a failed backup: an alert that stays, a notice on every page, a line with the reason', async () => {
    const { page, close, errors } = await openBackups();
    // A disk that cannot be written: where files begin, something is in the way.
    const way = join(stage.server.dataFolder, 'backups', '.temporary');
    await rm(way, { recursive: true, force: true });
    await writeFile(way, 'in the way');

    await create(page).click();

    const alert = page.getByRole('alertdialog', { name: /^Backup .* failed$/ });
    await alert.waitFor();
    await expect.poll(() => alert.textContent()).toContain('The folder of the backups cannot be used');
    await shoot(page, 'backups-failed');
    await alert.getByRole('button', { name: 'OK' }).click();
    await table(page)
      .getByRole('row')
      .filter({ hasText: 'Failed: The folder of the backups cannot be used' })
      .waitFor();
    await page.goto('/missions');
    const notice = page.getByRole('status').filter({ hasText: 'The last backup failed' });
    await notice.getByRole('link', { name: 'Show backups' }).click();
    await create(page).waitFor();
    await rm(way);
    await create(page).click();
    await expect.poll(() => verified(page).count()).toBe(2);
    await expect.poll(() => page.getByText('The last backup failed').count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it('deletes a backup by keyboard, after a question whose safe answer has the focus', async () => {
    const { page, close } = await openBackups();
    await expect.poll(() => verified(page).count()).toBe(2);
    const name = (await verified(page).first().getByRole('gridcell').first().textContent()) ?? '';

    const button = page.getByRole('button', { name: `Delete ${name}` });
    await button.focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog', { name: `Delete backup ${name}?` });
    await question.getByText('TOP SECRET', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');

    await page.getByText(`Backup ${name} deleted.`).waitFor();
    await expect.poll(() => verified(page).count()).toBe(1);
    await close();
  });
});

it('is for admins: others see neither the page nor its answers', { tags: 'long' }, async () => {
  const user = await stage.api.addUser('Plain');
  const { page, close } = await stage.signedIn({}, user, '/backups');

  await page.getByText('Backups are for admins').waitFor();
  await close();
});
