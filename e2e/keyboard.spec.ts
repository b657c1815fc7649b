/// <reference lib="dom" />
import type { Mission } from '@osprey/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { dialog, row, untilListed, waitForReady } from '../tools/test-support/browser/screens.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { keyboardOf } from './support/keyboard.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor({ OSPREY_ADMIN_PASSWORD: '', OSPREY_REGISTRATION: 'open' });

const NADIR = {
  Username: 'Nadir',
  'First name': 'Nadir',
  'Last name': 'Okeke',
  Email: 'nadir@coast.example',
  Organization: 'Coast',
};

let page: Page;
let keyboard: ReturnType<typeof keyboardOf>;

beforeAll(async () => {
  ({ page } = await stage.open({ width: 1440, height: 900 }));
  keyboard = keyboardOf(page);
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** The steps use the keyboard alone. */
describe('without a mouse', () => {
  it('sets the server up', async () => {
    await page.goto(/https?:\/\/\S+\/setup#code=\S+/.exec(stage.server.output())![0].replace('localhost', '127.0.0.1'));
    await keyboard.enter(page.getByLabel('Password', { exact: true }), ADMIN.password);
    await keyboard.enter(page.getByLabel('Confirm password'), ADMIN.password);
    const samples = page.getByLabel('Add sample missions');
    await keyboard.press(samples, 'Space');
    expect(await samples.isChecked()).toBe(false);
    await keyboard.press(button('Set up'));

    await page.waitForURL('**/missions**');
    await untilListed(page);
  });

  it('reaches the tab below the map, which keeps the focus and names its panel', async () => {
    const vod = page.getByRole('tab', { name: 'VOD' });

    await keyboard.press(vod);

    await page.getByRole('tabpanel', { name: 'VOD' }).waitFor();
    expect(await vod.evaluate((tab) => tab === document.activeElement)).toBe(true);
  });

  it('makes a mission with a recording', async () => {
    const path = await stage.recordings.simulated('keys.ts', { seconds: 6 });
    await keyboard.press(page.getByRole('switch', { name: 'Admin mode' }), 'Space');
    await keyboard.press(button('Add mission'));
    const form = dialog(page, 'New mission');
    await keyboard.enter(form.getByLabel('Name'), 'Keys');
    await keyboard.enter(form.getByLabel('Tags'), 'ferry');
    await keyboard.key('Enter');
    await keyboard.press(form.getByRole('button', { name: 'Next' }));
    await keyboard.press(form.getByRole('button', { name: 'Skip' }));
    const choosing = page.waitForEvent('filechooser');
    await keyboard.press(page.getByRole('button', { name: 'Choose files for EO/IR' }));
    await (await choosing).setFiles(path);
    await page.getByRole('button', { name: 'Remove keys.ts' }).waitFor();
    await keyboard.press(form.getByRole('button', { name: 'Create' }));
    await form.waitFor({ state: 'detached' });

    await waitForReady(page, 'Keys');
  });

  it('looks at what is under way', async () => {
    await keyboard.press(page.getByRole('button', { name: /^Activity/ }));
    const activity = page.getByRole('dialog', { name: 'Activity' });
    await activity.getByText('keys.ts').first().waitFor();
    await keyboard.key('Escape');
    await activity.waitFor({ state: 'detached' });
    expect(await keyboard.hasFocus(page.getByRole('button', { name: /^Activity/ }))).toBe(true);
  });

  it('narrows the table by a filter, and takes it back', async () => {
    await keyboard.press(button('Filter'));
    await keyboard.choose(page.getByRole('menuitem', { name: 'Tags' }));
    const tags = page.getByRole('dialog', { name: 'Tags' });
    await tags.getByRole('option', { name: 'ferry' }).waitFor();
    await keyboard.key('ArrowDown');
    await keyboard.key('Enter');
    await keyboard.key('Escape');
    await expect.poll(() => new URL(page.url()).searchParams.get('tags')).toBe('ferry');
    await keyboard.press(button('Clear'));
    await expect.poll(() => new URL(page.url()).searchParams.get('tags')).toBe(null);
    await row(page, 'Keys').waitFor();
    // The list has the new mission alone, without samples.
    expect((await stage.api.send<Mission[]>('GET', 'missions/brief')).map(({ name }) => name)).toEqual(['Keys']);
  });

  it('opens the mission and its KLV health, and folds them away', async () => {
    await keyboard.reach(row(page, 'Keys'));
    // The row's actions cover its end, and leave its focus outline visible.
    const actions = row(page, 'Keys').locator('.row-actions');
    expect(await actions.evaluate((own) => getComputedStyle(own).clipPath)).toBe('inset(2px)');
    // The cell beside them fades, they never do.
    expect(await actions.evaluate((own) => [getComputedStyle(own).maskImage, getComputedStyle(own).opacity])).toEqual([
      'none',
      '1',
    ]);
    await keyboard.key('Enter');
    const view = page.getByRole('region', { name: 'Mission Keys' });
    await expect.poll(() => keyboard.hasFocus(view)).toBe(true);
    await keyboard.press(view.getByRole('button', { name: 'KLV health' }));
    const health = page.getByRole('region', { name: 'KLV health' });
    await health.getByText('Findings').waitFor();
    await keyboard.press(view.getByRole('button', { name: 'KLV health' }));
    await health.waitFor({ state: 'detached' });
    await keyboard.press(button('Collapse'));
    await button('Open the mission view').waitFor();
  });

  it('signs out, registers a user, and signs in again', async () => {
    await keyboard.press(page.getByRole('button', { name: 'Account of admin' }));
    await keyboard.choose(page.getByRole('menuitem', { name: 'Log out' }));
    await page.waitForURL('**/login**');
    await page.goto('/register');
    for (const [field, text] of Object.entries({ ...NADIR, Password: ADMIN.password })) {
      await keyboard.enter(page.getByLabel(field, { exact: true }), text);
    }
    await keyboard.enter(page.getByLabel('Country', { exact: true }), 'Greece');
    await keyboard.key('ArrowDown');
    await keyboard.key('Enter');
    await keyboard.press(page.getByRole('button', { name: 'Register', exact: true }));
    await page.waitForURL('**/login**');
    await keyboard.enter(page.getByLabel('Username'), 'Nadir');
    await keyboard.enter(page.getByLabel('Password', { exact: true }), ADMIN.password);
    await keyboard.key('Enter');
    await page.waitForURL('**/missions**');
  });
});
