/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { dialog, shoot } from '../tools/test-support/browser/screens.ts';
import { seriousViolationsInBothSchemes } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

// Shows the dialog clips/ClipToCaseDialog.tsx FormDialog

const stage = stageFor();
let page: Page;

beforeAll(async () => {
  const group = await stage.api.addGroup('Coast', 'SECRET');
  const kea = await stage.api.addRecorded(
    { name: 'Kea', securityClassification: 'RESTRICTED', usergroups: [group] },
    { 'EO/IR': await stage.recordings.simulated('kea.ts', { seconds: 20 }) },
  );
  await stage.api.send('POST', 'cases', {
    ...{ name: 'Slick off Kea', description: '', securityClassification: 'RESTRICTED', usergroups: [group] },
  });
  ({ page } = await stage.signedIn({ width: 1440, height: 900 }));
  await page.goto(`${stage.server.address}/missions?mission=${kea._id}`);
  await page.getByRole('button', { name: 'Clip to case' }).waitFor();
  await page.getByRole('slider', { name: 'Time' }).waitFor();
});

it('puts the span between In and Out into a case by one key and one dialog', async () => {
  await page.keyboard.press('Home');
  await page.keyboard.press('k');
  await page.keyboard.press('i');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('o');
  await page.getByRole('group', { name: 'Selection' }).getByText('Out').waitFor();
  await page.keyboard.press('c');
  const form = dialog(page, 'Clip to case');
  await form.waitFor();
  await page.getByRole('option', { name: /Slick off Kea/ }).waitFor();
  await shoot(page, 'clip-to-case');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await form.getByLabel('Title').inputValue()).toMatch(/^Kea \d\d:\d\d:\d\d$/);
  await form.getByText(/^Duration (0:10|00:10|10 s)/).waitFor();
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await shoot(page, 'clip-to-case-phone');
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.keyboard.press('Enter');

  await form.waitFor({ state: 'detached' });
  await page.getByRole('alert').filter({ hasText: 'Added to case' }).getByRole('button', { name: 'Open' }).click();
  await page.waitForURL(/\/cases\//);
  await page
    .getByText(/^Kea \d\d:\d\d:\d\d$/)
    .first()
    .waitFor();
});
