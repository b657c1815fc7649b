/// <reference lib="dom" />
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { View } from '../tools/test-support/browser/browser.ts';
import { dialog, logIn, shoot, table } from '../tools/test-support/browser/screens.ts';
import { testIdentityProvider } from '../tools/test-support/identity-provider.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolations, seriousViolationsInBothSchemes } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

const provider = await testIdentityProvider({ clientId: 'osprey', secret: null });
afterAll(provider.stop);
const stage = stageFor({
  OSPREY_OIDC_ISSUER: provider.issuer,
  OSPREY_OIDC_CLIENT_ID: 'osprey',
  OSPREY_OIDC_NAME: 'Harbour ID',
  OSPREY_OIDC_CLEARANCES: 'secret=4',
});

const PHONE: View = { width: 390, height: 844, touch: true };

/** The page fits a phone, and axe finds nothing there in either scheme. */
async function expectOnPhone(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
}

const account = (page: Page) => page.getByRole('button', { name: /^Account of/ });

describe('single sign-on', { tags: 'long' }, () => {
  let page: Page;

  beforeAll(async () => {
    provider.register(`${stage.server.address}/api/single-sign-on/callback`);
    ({ page } = await stage.open({ besides: new URL(provider.issuer).host }));
  });

  it('leads to the identity provider and back to where the person wanted to go', async () => {
    provider.signInAs({ subject: 'ida', claims: { preferred_username: 'Ida', clearance: 'secret' } });
    await page.goto('/missions?sort=name');

    await page.getByRole('button', { name: 'Sign in with Harbour ID' }).click();
    await table(page).waitFor();

    await expect.poll(() => new URL(page.url()).search).toBe('?sort=name');
    await account(page).click();
    await page.getByRole('dialog', { name: 'Account of Ida' }).getByText('SECRET', { exact: true }).waitFor();
  });

  it('says so when it did not work, and leaves the other ways open', async () => {
    const { page: other } = await stage.open({ besides: new URL(provider.issuer).host });
    await other.goto('/api/single-sign-on/callback?state=x&code=y');

    await other.getByText('Single sign-on did not work. Try again, or ask an administrator.').waitFor();
    await shoot(other, 'single-sign-on-failed');
    await expect.poll(() => other.getByRole('button', { name: 'Login' }).isVisible()).toBe(true);
    expect(await seriousViolations(other)).toEqual([]);
  });
});

describe('a second factor', { tags: 'long' }, () => {
  let page: Page;
  let secret = '';
  let recoveryCodes: string[] = [];
  const panel = () => dialog(page, /^(?:Second factor|Your recovery codes)$/);
  // Code of the step after the last one taken: each code is good once.
  const nextCode = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + 30_000 });

  beforeAll(async () => {
    ({ page } = await stage.open(PHONE));
    await logIn(page);
  });

  it('is set up in the account menu with a picture, a first code, and recovery codes to keep', async () => {
    await account(page).click();
    await page.getByRole('menuitem', { name: 'Second factor' }).click();
    await panel().getByLabel('Current password', { exact: true }).fill(ADMIN.password);
    await panel().getByRole('button', { name: 'Set up' }).click();
    const picture = panel().getByRole('img', { name: 'QR code for the authenticator' });
    await picture.waitFor();
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(100);
    secret = ((await panel().locator('code').textContent()) ?? '').replaceAll(' ', '');
    await shoot(page, 'second-factor-offer');
    await expectOnPhone(page);

    await panel().getByLabel('Code').fill('000000');
    await panel().getByRole('button', { name: 'Confirm' }).click();
    await panel().getByText('The code is not valid, or was already used.').waitFor();
    await panel()
      .getByLabel('Code')
      .fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await panel().getByRole('button', { name: 'Confirm' }).click();

    const codes = panel().getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    recoveryCodes = await codes.allTextContents();
    expect(recoveryCodes).toHaveLength(10);
    await shoot(page, 'second-factor-codes');
    await expectOnPhone(page);
    await panel().getByRole('button', { name: 'I have saved them' }).click();
    await panel().getByText('10 of your recovery codes are left.').waitFor();
  });

  it('is asked for at the login, by keyboard alone', async () => {
    const { page: other } = await stage.open({ width: 390, height: 844 });
    await other.goto('/login');
    await other.getByLabel('Username').fill(ADMIN.username);
    await other.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await other.keyboard.press('Enter');
    await other.getByText('Your account has a second factor.').waitFor();
    await shoot(other, 'second-factor-login');
    expect(await seriousViolations(other)).toEqual([]);

    await other.keyboard.type(nextCode());
    await other.keyboard.press('Enter');

    await table(other).waitFor();
  });

  it('leaves scripts an API credential, made on the account menu and shown once', async () => {
    await panel().getByRole('button', { name: 'Close' }).click();
    await panel().waitFor({ state: 'detached' });
    await account(page).click();
    await page.getByRole('menuitem', { name: 'API credentials' }).click();
    const own = dialog(page, 'API credentials');
    await own.getByLabel('Name').fill('nightly export');
    await own.getByRole('button', { name: 'Create', exact: true }).click();
    const credential = (await own.locator('code').textContent()) ?? '';
    await shoot(page, 'api-credentials');
    await expectOnPhone(page);
    const ask = (password: string) => {
      const authorization = `Basic ${Buffer.from(`${ADMIN.username}:${password}`).toString('base64')}`;
      return fetch(`${stage.server.address}/api/users/authenticated`, { headers: { authorization } });
    };

    expect((await ask(credential)).status).toBe(200);
    expect((await ask(ADMIN.password)).status).toBe(401);
    await own.getByRole('button', { name: 'Revoke the API credential nightly export' }).click();
    await page.getByText('API credential revoked.').waitFor();
    expect((await ask(credential)).status).toBe(401);

    await own.getByRole('button', { name: 'Close' }).click();
    await account(page).click();
    await page.getByRole('menuitem', { name: 'Second factor' }).click();
  });

  it('opens with a recovery code when the telephone is lost, and is then removed with another', async () => {
    const [first = '', second = ''] = recoveryCodes;
    await panel().getByRole('button', { name: 'Remove' }).click();
    await panel().getByLabel('Current password', { exact: true }).fill(ADMIN.password);
    await panel().getByLabel('Code').fill(second);
    const { page: other } = await stage.open();
    await other.goto('/login');
    await other.getByLabel('Username').fill(ADMIN.username);
    await other.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await other.keyboard.press('Enter');
    await other.getByLabel('Code').fill(first);
    await other.keyboard.press('Enter');
    await table(other).waitFor();

    await panel().getByRole('button', { name: 'Remove' }).click();

    await page.getByText('Second factor removed.').waitFor();
    await panel().getByRole('button', { name: 'Set up' }).waitFor();
  });
});
