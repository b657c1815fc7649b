/// <reference lib="dom" />
import { beforeAll, describe, expect, it } from 'vitest';
import { adminMode, resize, row, table } from '../tools/test-support/browser/screens.ts';
import { apiOf } from '../tools/test-support/data/api.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolations, seriousViolationsInBothSchemes } from './support/axe.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor({ OSPREY_ADMIN_PASSWORD: '', OSPREY_SAMPLE_SECONDS: '4' });

describe('the first start', () => {
  let watched: Visitor;
  const link = () => /https?:\/\/\S+\/setup#code=\S+/.exec(stage.server.output())?.[0] ?? '';

  beforeAll(async () => {
    watched = await stage.open();
  });

  it('sends every page to the set-up, and asks for name, password, guests and samples', async () => {
    const { page } = watched;

    for (const path of ['/missions', '/login', '/register']) {
      await page.goto(path);
      await page.waitForURL('**/setup');
    }

    await page.getByRole('heading', { name: 'Set up Osprey' }).waitFor();
    expect(await page.getByLabel('Let guests view UNCLASSIFIED items shared with the Demo group').isChecked()).toBe(
      true,
    );
    expect(await page.getByLabel('Add sample missions').isChecked()).toBe(true);
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    await resize(page, { width: 390, height: 844 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await seriousViolations(page)).toEqual([]);
    await resize(page, { width: 1440, height: 900 });
  });

  it('refuses another code than that of the console', async () => {
    const { page } = watched;

    await page.getByLabel('Set-up code').fill('guessed');
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByLabel('Confirm password').fill(ADMIN.password);
    await page.getByRole('button', { name: 'Set up' }).click();

    await page
      .getByText('The set-up code is not valid. You will find it in the console of the server.')
      .first()
      .waitFor();
  });

  it('makes the first superAdmin with the link of the console', async () => {
    const { page } = watched;
    expect(link()).not.toBe('');

    // A change of the fragment alone would not reload the page.
    await page.goto('about:blank');
    await page.goto(link().replace('localhost', '127.0.0.1'));
    await page.getByText('Filled in from the link in the console.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByLabel('Confirm password').fill(`${ADMIN.password}!`);
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByText('The two passwords differ').waitFor();
    await page.getByLabel('Confirm password').fill(ADMIN.password);
    await page.getByRole('button', { name: 'Set up' }).click();

    await page.waitForURL('**/missions**');
    await page.getByText('Setup complete.').waitFor();
    await page.getByRole('button', { name: 'Account of admin' }).waitFor();
  });

  it('is over for good: the page offers the login alone', async () => {
    const { page, close } = await stage.open();

    await page.goto('/setup');

    await page.getByText('The server is already set up.').waitFor();
    await expect.poll(() => page.getByLabel('Set-up code').count()).toBe(0);
    await close();
  });
});

describe('guests, where they are allowed', () => {
  it('T-012 see what is shared with Demo, and nothing that is for everyone with an account', async () => {
    const api = apiOf(stage.server.address);
    const group = await api.addGroup('G2', 'TOP SECRET');
    await api.addMission({ name: 'M3-secret', securityClassification: 'SECRET', usergroups: [group] });
    await api.addMission({ name: 'M4-everyone', audience: 'everyone' });
    await api.addRecorded({ name: 'M1-demo' }, { 'EO/IR': await stage.recordings.simulated('m1.ts', { seconds: 4 }) });
    const { page, close } = await stage.open();

    await page.goto('/missions');

    await row(page, 'M1-demo').waitFor();
    await expect.poll(() => page.getByText(/^M[34]-/).count()).toBe(0);
    await page.getByRole('button', { name: 'Account of guest' }).waitFor();
    await close();
  });

  it('are what a failed login falls back to', async () => {
    const { page, close } = await stage.open();

    await page.goto('/login');
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByRole('alert').filter({ hasText: 'Username / password not valid' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('username'))).toBe('guest');
    await page.getByRole('button', { name: 'Continue as guest' }).click();

    await row(page, 'M1-demo').waitFor();
    expect(await page.getByRole('switch', { name: 'Admin mode' }).count()).toBe(0);
    await close();
  });
});

describe('the sample missions', () => {
  it('are made by the simulator, marked, and removed after a question', { tags: 'long' }, async () => {
    const { page, close } = await stage.open();
    await page.goto('/login');
    await page.getByLabel('Username').fill(ADMIN.username);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Login' }).click();
    const samples = table(page).getByRole('row').filter({ hasText: 'Sample' });

    // Three flights are drawn and encoded, with the least priority of all that runs.
    await expect.poll(() => samples.filter({ hasText: 'Ready' }).count(), { timeout: 240_000 }).toBe(2);
    expect((await samples.allTextContents()).every((text) => text.includes('UNCLASSIFIED'))).toBe(true);

    await adminMode(page);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Remove sample missions' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Sample missions removed.').waitFor();
    await expect.poll(() => samples.count()).toBe(0);
    await row(page, 'M1-demo').waitFor();
    await close();
  });
});
