/// <reference lib="dom" />
import type { Bookmark, CasePart, CaseRow, Mission } from '@osprey/contract';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openMission, openTable, resize, shoot } from '../tools/test-support/browser/screens.ts';
import { FLIGHT } from '../tools/test-support/data/recordings.ts';
import { seriousViolationsInBothSchemes } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true });

const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;
const AT_US = START_US + 10_040_000;
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

let mission: Mission;
let page: Page;
let other: Page;

const frameUs = async (view: Locator) =>
  Number(await view.getByRole('region', { name: 'Player EO' }).getAttribute('data-frame-time-us'));
const parts = (of = page) => of.getByRole('list', { name: 'Parts' }).locator('> li');
const titles = (of = page) => parts(of).getByRole('heading', { level: 3 }).allTextContents();
const theCase = async () => (await stage.api.send<CaseRow[]>('GET', 'cases?search=Slick'))[0]!;
const partsOnServer = async () => stage.api.send<CasePart[]>('GET', `cases/${(await theCase())._id}/parts`);

beforeAll(async () => {
  const { api, recordings } = stage;
  const flight = await recordings.simulated('eo.ts', { ...FLIGHT, bFrames: 2 });
  mission = await api.addRecorded({ name: 'Case-flight', audience: 'everyone' }, { EO: flight });
  const place = { missionIdOrName: mission._id, sensorIdOrName: 'EO', position: 0 };
  await api.send<Bookmark>('POST', 'bookmarks', { ...place, startTime: AT_US, title: 'Slick seen' });
  const reader = await api.addUser('casereader');
  page = (await stage.signedIn(WIDE)).page;
  other = (await stage.signedIn(WIDE, reader, '/cases')).page;
});

describe('cases', () => {
  it('are filled from the mission view by keyboard, ordered without a mouse, and lead back to the very frame', async () => {
    await other.getByText('No cases yet').waitFor();
    let view = await openMission(page, 'Case-flight');
    await vi.waitFor(async () => expect(await frameUs(view)).toBe(START_US), { timeout: 45_000 });

    // A bookmark begins a new case.
    await view
      .locator('[data-part="pins"]')
      .getByRole('button', { name: /^Slick seen, / })
      .waitFor();
    await openTable(view);
    await page.getByRole('tab', { name: 'Bookmarks' }).click();
    await page.getByRole('treegrid', { name: 'Bookmarks' }).getByText('Slick seen').hover();
    await page.getByRole('button', { name: 'Add Slick seen to a case' }).focus();
    await page.keyboard.press('Enter');
    const adding = page.getByRole('dialog', { name: 'Add to case' });
    await adding.getByRole('combobox', { name: 'Case' }).waitFor();
    await shoot(page, 'case-add');
    await adding.getByRole('button', { name: 'New case' }).click();
    const form = page.getByRole('dialog', { name: 'New case' });
    await form.getByLabel('Name').fill('Slick off Kea');
    await form.getByRole('combobox', { name: 'Usergroup' }).click();
    await page.getByRole('option', { name: /^Everyone/ }).click();
    await page.keyboard.press('Escape');
    await shoot(page, 'case-new');
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Case Slick off Kea created').waitFor();
    // The other one has it without a reload.
    await other.getByRole('treegrid', { name: 'Cases' }).getByText('Slick off Kea').waitFor();

    // The span between In and Out comes to it.
    await view.getByRole('button', { name: 'Play' }).focus();
    await page.keyboard.press('i');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => frameUs(view)).toBe(START_US + 10_000_000);
    await page.keyboard.press('o');
    await view.getByRole('button', { name: 'Add the span to a case' }).click();
    await adding.getByRole('combobox', { name: 'Case' }).fill('slick');
    await page.getByRole('option', { name: /Slick off Kea/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await adding.getByLabel('Remark').fill('The ship turns here.');
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText(/^Added to case \d+\.$/).waitFor();
    await page.getByRole('alert').filter({ hasText: 'Added to case' }).getByRole('button', { name: 'Open' }).click();

    await page.getByRole('heading', { level: 1, name: /Slick off Kea/ }).waitFor();
    await expect.poll(() => titles()).toEqual(['Slick seen', 'EO, 09:00:00 to 09:00:10 Z']);
    await page.locator('[data-map="ready"]').waitFor();
    await page.getByText('The ship turns here.').waitFor();

    // A note whose HTML is shown as text.
    await page.getByRole('button', { name: 'Add a note' }).click();
    const note = page.getByRole('dialog', { name: 'New note' });
    await note.getByLabel('Title').fill('Course');
    await note.getByRole('textbox', { name: 'Text' }).fill('She keeps **north** of <b>Kea</b>.');
    await shoot(page, 'case-note');
    await note.getByRole('button', { name: 'Add', exact: true }).click();
    await parts().getByText('north').and(page.locator('strong')).waitFor();
    await parts().getByText('<b>Kea</b>').waitFor();

    // To the beginning, by keys; the other reader sees it there.
    await other.getByText('Slick off Kea').click();
    await expect.poll(() => titles(other)).toEqual(['Slick seen', 'EO, 09:00:00 to 09:00:10 Z', 'Course']);
    await parts().last().focus();
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowUp');
    const ordered = ['Course', 'Slick seen', 'EO, 09:00:00 to 09:00:10 Z'];
    await expect.poll(() => titles()).toEqual(ordered);
    await expect.poll(async () => (await partsOnServer()).map(({ title }) => title)).toEqual(ordered);
    await expect.poll(() => titles(other)).toEqual(ordered);
    expect(await other.getByRole('button', { name: 'Add a note' }).count()).toBe(0);

    // Only the other's comment is theirs.
    await other.getByRole('textbox', { name: 'Comment' }).fill('Who was on watch?');
    await other.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByText('Who was on watch?').waitFor();
    await shoot(page, 'case-page');
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    await resize(page, PHONE);
    await shoot(page, 'case-page-phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    await resize(page, WIDE);

    // Frozen and signed, without a mouse.
    await page.getByRole('button', { name: 'Export the case' }).focus();
    await page.keyboard.press('Enter');
    const exporting = page.getByRole('dialog', { name: /^Export case/ });
    await exporting.getByText(/^([0-9a-f]{4} ){15}[0-9a-f]{4}$/).waitFor();
    await shoot(page, 'case-export');
    await exporting.getByRole('button', { name: 'Export' }).focus();
    await page.keyboard.press('Enter');
    const version = page.getByRole('list', { name: 'Exported versions' }).getByRole('listitem');
    await version.getByText(/^Ready, /).waitFor();
    await version.getByText(/^[0-9a-f]{64}$/).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      version.getByRole('link', { name: 'Download version 1' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/\.zip$/);
    await version.getByText(/downloaded once/).waitFor();
    await shoot(page, 'case-exports');
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);

    await page.getByRole('link', { name: 'Open the moment of Slick seen' }).click();
    view = page.getByRole('region', { name: 'Mission Case-flight' });
    await expect.poll(() => frameUs(view)).toBe(AT_US);
  });

  it('are in a list with label and parts, are deleted with Undo, and leave the page of a reader', async () => {
    await page.getByRole('link', { name: 'Cases' }).first().click();
    const list = page.getByRole('treegrid', { name: 'Cases' });
    await list.getByText('Slick off Kea').waitFor();
    await shoot(page, 'cases-list');
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    await resize(page, PHONE);
    await shoot(page, 'cases-list-phone');
    await resize(page, WIDE);
    await page.getByRole('searchbox', { name: 'Search cases' }).fill('nothing like it');
    await page.getByText('No case matches').waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();

    const remove = async () => {
      await list.getByText('Slick off Kea').hover();
      await list.getByRole('button', { name: 'Delete Slick off Kea' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No cases yet').waitFor();
    };
    await remove();
    await other.getByText('The case you had open is no longer available to you.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await list.getByText('Slick off Kea').waitFor();
    await remove();
    expect(await stage.api.send<CaseRow[]>('GET', 'cases')).toEqual([]);
  });
});
