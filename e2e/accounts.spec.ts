/// <reference lib="dom" />
import { stat } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { View } from '../tools/test-support/browser/browser.ts';
import { adminMode, chooseFiles, dialog, logIn, row, table } from '../tools/test-support/browser/screens.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolationsInBothSchemes } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();

const open = (view?: View) => stage.open(view);
const phone: View = { width: 390, height: 844, touch: true };

/** The page fits a phone, and axe finds nothing there in either scheme. */
async function expectOnPhone(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
}

async function tryLogin(page: Page, username: string, password: string) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** Everything that a script of the page could read back. */
const storedTexts = (page: Page) =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const rows: unknown[] = [];
    for (const { name } of databases) {
      if (name === undefined) continue;
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store).getAll();
        rows.push(await new Promise((resolve) => (all.onsuccess = () => resolve(all.result))));
      }
      database.close();
    }
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, rows]);
  });

describe('the login', () => {
  it('sends a stranger to the login and, after it, to where they wanted to go', async () => {
    const { page, close } = await open();

    await page.goto('/missions?sort=name');
    await page.waitForURL('**/login');
    await tryLogin(page, `  ${ADMIN.username} `, ADMIN.password);

    await page.getByText('User admin authenticated.').waitFor();
    await page.waitForURL('**/missions?sort=name');
    await table(page).waitFor();
    await close();
  });

  it('requires name and password', async () => {
    const { page, close } = await open();

    await page.goto('/login');
    await page.getByRole('button', { name: 'Login' }).click();

    await page.getByText('Username is required').waitFor();
    await page.getByText('Password is required').waitFor();
    await close();
  });

  it('T-012 shows "Username / password not valid" and lists nothing while guests are off', async () => {
    await stage.api.addMission({ name: 'Shown-to-nobody' });
    const { page, close } = await open();
    const lists: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/api/missions')) lists.push(`${response.status()} ${response.url()}`);
    });

    await page.goto('/login');
    await tryLogin(page, 'admin', 'not-the-password');

    await page.getByRole('alert').filter({ hasText: 'Username / password not valid' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    await page.goto('/missions');
    await page.waitForURL('**/login');
    expect(await page.getByText('Shown-to-nobody').count()).toBe(0);
    expect(lists.filter((line) => line.startsWith('200'))).toEqual([]);
    await close();
  });

  it('T-005 keeps a device credential and the typed password nowhere', async () => {
    const { page, context, close } = await open();
    await logIn(page);

    const stored = await storedTexts(page);
    const cookies = await context.cookies();

    // As base64 it looks in three ways, by the bytes before it; the digits at both ends hold bits of its neighbours.
    const base64 = ['', 'x', 'xx'].map((before) => {
      const text = Buffer.from(`${before}${ADMIN.password}`).toString('base64').replace(/=+$/, '');
      return text.slice(before === '' ? 0 : 4, Math.floor((before.length + ADMIN.password.length) / 3) * 4);
    });
    for (const secret of [ADMIN.password, ...base64, encodeURIComponent(ADMIN.password)]) {
      expect(stored).not.toContain(secret);
      expect(JSON.stringify(cookies)).not.toContain(secret);
    }
    expect(await page.evaluate(() => localStorage.getItem('username'))).toBe('admin');
    expect((await page.evaluate(() => localStorage.getItem('password')))?.length).toBeGreaterThan(30);
    expect(cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }))).toEqual([
      { httpOnly: true, sameSite: 'Strict' },
    ]);
    await close();
  });
});

describe('the registration', () => {
  let page: Page;
  let close: () => Promise<void>;
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const register = () => page.getByRole('button', { name: 'Register', exact: true });

  beforeAll(async () => {
    ({ page, close } = await open());
    await page.goto('/login');
    await page.getByRole('button', { name: 'Register' }).click();
    // The address changes before the form does, and the login has a field of the same name.
    await field('First name').waitFor();
  });

  it('says what is wrong with name, address and password while they are typed', async () => {
    await field('Username').fill('admin');
    await page.getByText('User admin already exists').waitFor();
    await expect.poll(() => register().isDisabled()).toBe(true);

    await field('Email').fill('not an address');
    await page.getByText('Not a valid email address').waitFor();
    await field('Password').fill('abc');
    await page.getByText('Password too short').waitFor();
    await field('Password').fill('');
    await page.getByText('Password too short').waitFor({ state: 'detached' });
  });

  it('requires every field', async () => {
    await field('Username').fill('Iris');
    await page.getByText('User admin already exists').waitFor({ state: 'detached' });
    await field('Email').fill('');
    await register().click();

    for (const what of ['First name', 'Last name', 'Email', 'Country', 'Password', 'Organization']) {
      await page.getByText(`${what} is required`).waitFor();
    }
  });

  it('T-010 sends no short password, and shows the refusal of the server for one below its policy', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/users')) sent.push(request.url());
    });
    await field('First name').fill('Iris');
    await field('Last name').fill('Kato');
    await field('Email').fill('iris@example.org');
    await field('Organization').fill('Coast guard');
    await field('Country').fill('Gree');
    await page.getByRole('option', { name: 'Greece' }).click();

    await field('Password').fill('abc');
    await register().click();
    await page.getByText('Password too short').waitFor();
    expect(sent).toEqual([]);

    await field('Password').fill('abcdefg');
    await register().click();
    await page.getByText('Error adding user Iris: The password needs at least 8 characters.').waitFor();
    expect(sent).toHaveLength(1);
  });

  it('makes an account that waits for approval, and goes on to the login with the name filled in', async () => {
    await field('Password').fill('Petrel-by-night-9');
    await register().click();

    await page.getByText(/^User Iris added\./).waitFor();
    // The address changes before the form does, and both forms have these fields.
    await page.getByRole('button', { name: 'Login' }).waitFor();
    expect(await page.getByLabel('Username').inputValue()).toBe('Iris');
    await page.getByLabel('Password', { exact: true }).fill('Petrel-by-night-9');
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByRole('alert').filter({ hasText: 'Username / password not valid' }).waitFor();
    const [user] = (await stage.api.send<Record<string, unknown>[]>('GET', 'users')).filter(
      ({ username }) => username === 'Iris',
    );
    expect(user).toMatchObject({ authorizationRole: 'user', securityClearance: 'UNCLASSIFIED', disabled: true });
  });

  it('goes back to the login', async () => {
    await page.goto('/register');
    await page.getByRole('button', { name: 'Go back to Login' }).click();
    await page.waitForURL('**/login');
    await close();
  });
});

describe('the account menu', () => {
  it('says who is signed in with role, clearance and groups', async () => {
    const group = await stage.api.addGroup('Coast', 'SECRET');
    const account = await stage.api.addUser('Mona', { role: 'admin', clearance: 'CONFIDENTIAL', groups: [group] });
    const { page, close } = await open();
    await logIn(page, account);

    await page.getByRole('button', { name: 'Account of Mona' }).click();

    const menu = page.getByRole('dialog', { name: 'Account of Mona' });
    for (const part of ['Admin', 'CONFIDENTIAL', 'Coast', 'Demo'])
      await expect.poll(() => menu.textContent()).toContain(part);
    await close();
  });

  it('changes the password, which ends the other sessions within a second', { tags: 'long' }, async () => {
    const account = await stage.api.addUser('Nils');
    const [here, there] = [await open(phone), await open()];
    await logIn(here.page, account);
    await logIn(there.page, account);

    await here.page.getByRole('button', { name: 'Account of Nils' }).click();
    await here.page.getByRole('menuitem', { name: 'Change password' }).click();
    const dialog = here.page.getByRole('dialog', { name: 'Change password' });
    await dialog.waitFor();
    await expectOnPhone(here.page);
    await dialog.getByLabel('Current password').fill(account.password);
    await dialog.getByLabel('New password', { exact: true }).fill('Shearwater-12-calls');
    await dialog.getByLabel('Repeat the new password').fill('Shearwater-12-calls');
    await dialog.getByRole('button', { name: 'Change' }).click();

    await here.page.getByText('Password changed. Your other sessions were ended.').waitFor();
    await there.page.waitForURL('**/login');
    await there.page.getByText('Your session has ended. Log in to go on.').waitFor();
    await here.page.reload();
    await table(here.page).waitFor();
    await here.close();
    await there.close();
  });

  it('lists the own sessions, revokes another one, and logs out', { tags: 'long' }, async () => {
    const account = await stage.api.addUser('Olga');
    const [here, there] = [await open(phone), await open()];
    await logIn(here.page, account);
    await logIn(there.page, account);

    await here.page.getByRole('button', { name: 'Account of Olga' }).click();
    await here.page.getByRole('menuitem', { name: 'Sessions' }).click();
    const dialog = here.page.getByRole('dialog', { name: 'Your sessions' });
    await dialog.getByText('This session').waitFor();
    await expectOnPhone(here.page);
    await dialog.getByRole('button', { name: /^Revoke the session of/ }).click();
    await here.page.getByText('Session revoked.').waitFor();
    await there.page.waitForURL('**/login');

    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await here.page.getByRole('button', { name: 'Account of Olga' }).click();
    await here.page.getByRole('menuitem', { name: 'Log out' }).click();
    await here.page.waitForURL('**/login');
    await here.page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await here.page.getByText('Your session has ended').count()).toBe(0);
    await here.page.getByText('Logged out.').waitFor();
    expect(await here.page.evaluate(() => localStorage.getItem('password'))).toBeNull();
    await here.close();
    await there.close();
  });

  it('leaves its uploads to no other account, and goes on with them when it is back', { tags: 'long' }, async () => {
    const [group, file] = await Promise.all([
      stage.api.demoGroup(),
      stage.recordings.simulated('leaving.ts', { seconds: 4 }),
    ]);
    const other = await stage.api.addUser('Petra', { role: 'groupAdmin', administers: [group] });
    const made = await stage.api.addMission({ name: 'Leaving', usergroups: [], audience: 'everyone' });
    const { page, context, close } = await open();
    const network = await context.newCDPSession(page);
    const slow = (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, downloadThroughput: -1 },
        uploadThroughput,
      });
    const logOut = async (name: string) => {
      await page.getByRole('button', { name: `Account of ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await page.waitForURL('**/login');
    };
    const activity = async () => {
      await page.getByRole('button', { name: /^Activity/ }).click();
      return page.getByRole('dialog', { name: 'Activity' });
    };
    await logIn(page);
    await adminMode(page);
    await row(page, made.name).getByText(made.name).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = dialog(page, 'Edit mission');
    await form.getByRole('button', { name: /Sensors/ }).click();
    await chooseFiles(page, 'EO/IR', [file]);
    await slow((await stat(file)).size / 60);
    await form.getByRole('button', { name: 'Update' }).click();
    await (await activity()).getByText(/MB\/s/).waitFor();
    await page.keyboard.press('Escape');

    await logOut(ADMIN.username);
    await slow(-1);
    await logIn(page, other);
    const list = await activity();
    await list.getByText(/^Nothing is running/).waitFor();
    expect(await list.getByText('leaving.ts').count()).toBe(0);
    await page.keyboard.press('Escape');
    await logOut(other.username);
    await logIn(page);

    await (await activity()).getByText(/^Interrupted at .*\. Choose the same file to continue\.$/).waitFor();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose leaving.ts again' }).click(),
    ]);
    await chooser.setFiles(file);
    await stage.api.untilReady(made._id);
    await network.detach();
    await close();
  });
});
