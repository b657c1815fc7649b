/// <reference lib="dom" />
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { View } from '../tools/test-support/browser/browser.ts';
import { dialog, logIn, shoot } from '../tools/test-support/browser/screens.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolationsInBothSchemes } from './support/axe.ts';
import { type LicenceKey, licenceKey, signedLicence } from './support/licences.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor();
let key: LicenceKey;
let folder: string;

/** One red pixel. */
const LOGO = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

beforeAll(async () => {
  key = await licenceKey(stage.server.dataFolder);
  folder = await mkdtemp(join(tmpdir(), 'osprey-licences-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const card = (page: Page) => page.getByRole('region', { name: 'Licence', exact: true });

async function openAdmin(view: View = {}): Promise<Visitor> {
  const opened = await stage.signedIn(view, ADMIN, '/admin');
  await card(opened.page).getByRole('button', { name: 'Update licence' }).waitFor();
  return opened;
}

/** Chooses a file with this content on the Upload tab. */
async function upload(page: Page, content: string) {
  const path = join(folder, `${crypto.randomUUID()}.license`);
  await writeFile(path, content);
  const form = dialog(page, 'Update licence');
  if ((await form.count()) === 0) await card(page).getByRole('button', { name: 'Update licence' }).click();
  await form.getByRole('tab', { name: 'Upload' }).click();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    form.getByRole('button', { name: 'Choose files for licence file' }).click(),
  ]);
  await chooser.setFiles(path);
  return form;
}

/** The dialog closes when the licence was taken, and only then; the note next to it goes by itself. */
const uploadGood = async (page: Page, content: string) => (await upload(page, content)).waitFor({ state: 'detached' });

describe('the licence', { tags: 'long' }, () => {
  it('comes with the product: OK, without limits, with the id of this node to copy', async () => {
    const { page, close } = await openAdmin();

    await card(page).getByText('Open licence').waitFor();
    await expect.poll(() => card(page).textContent()).toContain('unlimited');
    await card(page).getByRole('button', { name: 'Update licence' }).click();
    const form = dialog(page, 'Update licence');
    await expect.poll(() => form.getByRole('status').textContent()).toMatch(/^([0-9A-F]{4}-){3}[0-9A-F]{4}$/);
    await form.getByRole('tab', { name: 'Options' }).click();
    await form.getByText('Export of missions and clips').waitFor();
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    await shoot(page, 'licence-options');
    await close();
  });

  it('that is not valid is refused with a warning and changes nothing', async () => {
    const { page, close } = await openAdmin();
    const stranger = generateKeyPairSync('ed25519').privateKey;

    const form = await upload(page, signedLicence(stranger, { customer: 'Nobody' }));
    await page.getByText('Uploaded License is invalid').waitFor();
    await form.getByText('Its key is not among the licence keys of this server.').waitFor();
    await upload(page, signedLicence(key.privateKey, { expires: 1 }));
    await form.getByText('It has expired.').waitFor();
    await shoot(page, 'licence-refused');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });

    await card(page).getByText('Open licence').waitFor();
    await close();
  });

  it('that is good shows name and logo in the top bar, and its token can be read', async () => {
    const { page, close, errors } = await openAdmin();
    const other = await openAdmin();

    await upload(
      page,
      signedLicence(key.privateKey, { customer: 'Coastal Authority', users: 25, options: ['export'], logo: LOGO }),
    );
    await page.getByText('License uploaded successfully.').waitFor();
    await dialog(page, 'Update licence').waitFor({ state: 'detached' });

    await page.getByRole('banner').getByText('Coastal Authority').waitFor();
    const logo = page.getByRole('banner').locator('img');
    await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    // The name above and the places taken come by two answers.
    await expect.poll(() => card(page).textContent()).toContain('0 of 25');
    await shoot(page, 'licence-card');
    // Another admin sees it without a reload.
    await other.page.getByRole('banner').getByText('Coastal Authority').waitFor();
    await expect.poll(() => card(other.page).textContent()).toContain('of 25');
    await other.close();
    await card(page).getByRole('button', { name: 'Update licence' }).click();
    const form = dialog(page, 'Update licence');
    await form.getByRole('tab', { name: 'Options' }).click();
    const limits = () => form.getByRole('tabpanel').innerText();
    await expect.poll(limits).toMatch(/Concurrent users\s+0 of 25\s+Live platforms\s+0 \(unlimited\)\s/);
    expect(await limits()).toMatch(/Export of missions and clips\s+allowed\s+Live streams\s+off(\s|$)/);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await card(page).getByRole('button', { name: 'Show licence' }).click();
    const viewer = dialog(page, 'Licence');
    await viewer.getByRole('region', { name: 'License' }).getByText('"customer": "Coastal Authority"').waitFor();
    await viewer.getByRole('tab', { name: 'License' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await viewer.getByRole('button', { name: 'Decode' }).click();
    await page.getByText('Token decoded.').waitFor();
    await viewer.getByRole('region', { name: 'Payload' }).getByText('"users": 25').waitFor();
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    await shoot(page, 'licence-token');
    await viewer.getByRole('textbox', { name: 'Token' }).fill('a.b');
    await viewer.getByRole('button', { name: 'Decode' }).click();
    await page.getByText('Cannot decode token. It has 2 parts in place of 3.').waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it('whose places are all taken lets an admin in and shows the next user an alert that stays', {
    tags: 'long',
  }, async () => {
    const [first, second] = [await stage.api.addUser('First'), await stage.api.addUser('Next')];
    const admin = await openAdmin();
    await uploadGood(admin.page, signedLicence(key.privateKey, { customer: 'Coastal Authority', users: 1 }));
    const [inside, outside] = [await stage.open(), await stage.open()];
    await logIn(inside.page, first);
    await expect.poll(() => card(admin.page).textContent()).toContain('of 1');

    await outside.page.goto('/login');
    await outside.page.getByLabel('Username').fill(second.username);
    await outside.page.getByLabel('Password', { exact: true }).fill(second.password);
    await outside.page.getByRole('button', { name: 'Login' }).click();

    const alert = outside.page.getByRole('alertdialog', { name: /^Too many concurrent users - / });
    await alert.getByText('Please check your license.').waitFor();
    await shoot(outside.page, 'licence-full');
    const reported = admin.page.getByRole('alertdialog', {
      name: 'Too many concurrent users - 1 of 1 places are taken',
    });
    await reported.getByText('Please check your license.').waitFor();
    for (const { close } of [admin, inside, outside]) await close();
  });

  it('that expires gives demo mode: an alert, and a banner on every page of everybody', async () => {
    const { page, close } = await openAdmin({ width: 390, height: 844, touch: true });
    await uploadGood(page, signedLicence(key.privateKey, { customer: 'Coastal Authority' }));
    const reader = await stage.signedIn({}, await stage.api.addUser('Reader'));
    // An alert is sent once, to connected pages.
    await reader.page.getByRole('status', { name: 'Server state: Online' }).waitFor();

    await rm(key.publicFile);

    const alert = page.getByRole('alertdialog', { name: 'Demo Expired' });
    await alert.getByText('Please check your license.').waitFor();
    for (const one of [page, reader.page]) {
      await one.getByRole('alertdialog', { name: 'Demo Expired' }).getByRole('button', { name: 'OK' }).click();
      await one.getByRole('status').filter({ hasText: 'Demo mode' }).waitFor();
    }
    expect(new URL(reader.page.url()).pathname).toBe('/missions');
    await reader.close();
    await card(page).getByText('Demo', { exact: true }).first().waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wide).toBeLessThanOrEqual(0);
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    await shoot(page, 'licence-demo-phone');
    await close();
  });
});
