/// <reference lib="dom" />
import type { Bookmark, Mission } from '@osprey/contract';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openMission, openTable, resize, shoot } from '../tools/test-support/browser/screens.ts';
import { FLIGHT } from '../tools/test-support/data/recordings.ts';
import { seriousViolations } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

// Shows the dialog bookmarks/BookmarkDialog.tsx FormDialog
// Shows the dialog bookmarks/BookmarksDialog.tsx PlainDialog

const stage = stageFor({}, { isShared: true });

const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;

let mission: Mission;
let page: Page;
let view: Locator;
let other: Page;
let otherView: Locator;

const pin = (within: Locator, name: RegExp) => within.locator('[data-part="pins"]').getByRole('button', { name });
const frameUs = async (within: Locator, sensor: string) =>
  Number(await within.getByRole('region', { name: `Player ${sensor}` }).getAttribute('data-frame-time-us'));
const timeOf = async (title: string) => {
  const all = await stage.api.send<Bookmark[]>('GET', `bookmarks?missionIdOrName=${mission._id}`);
  return all.find((one) => one.title === title)?.time;
};

beforeAll(async () => {
  const { api, recordings } = stage;
  const [eo, ir] = await Promise.all([
    recordings.simulated('eo.ts', { ...FLIGHT, bFrames: 2 }),
    recordings.simulated('ir.ts', { ...FLIGHT, sensor: 2 }),
  ]);
  mission = await api.addRecorded({ name: 'Marked-flight', audience: 'everyone' }, { EO: eo, IR: ir });
  const account = await api.addUser('marker');
  page = (await stage.signedIn({ width: 1440, height: 900 })).page;
  view = await openMission(page, 'Marked-flight');
  await vi.waitFor(async () => expect(await frameUs(view, 'EO')).toBe(START_US), { timeout: 45_000 });
  other = (await stage.signedIn({ width: 1440, height: 900 }, account)).page;
  otherView = await openMission(other, 'Marked-flight');
  await vi.waitFor(async () => expect(await frameUs(otherView, 'EO')).toBe(START_US), { timeout: 45_000 });
});

beforeEach(() => page.keyboard.press('Escape'));

describe('bookmarks', () => {
  it('B, a title and Enter make a pin, which another user has within 1 s and which leads every player to its frame', async () => {
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => frameUs(view, 'EO')).toBe(START_US + 10_000_000);
    await page.keyboard.press('.');
    await expect.poll(() => frameUs(view, 'EO')).toBe(START_US + 10_040_000);
    await page.keyboard.press('b');
    const dialog = page.getByRole('dialog', { name: /Create Bookmark/ });
    await dialog.getByLabel('Title').waitFor();
    await shoot(page, 'bookmark-dialog');
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.type('Take-off');
    const made = page.waitForResponse(
      (one) => one.url().endsWith('/api/bookmarks') && one.request().method() === 'POST',
    );
    await page.keyboard.press('Enter');
    await made;
    const answered = performance.now();
    await pin(otherView, /^Take-off, /).waitFor();
    expect(performance.now() - answered).toBeLessThan(1000);
    expect(await timeOf('Take-off')).toBe(START_US + 10_040_000);
    await pin(view, /^Take-off, /).waitFor();

    await pin(otherView, /^Take-off, /).click();
    for (const sensor of ['EO', 'IR']) {
      await expect.poll(() => frameUs(otherView, sensor)).toBe(START_US + 10_040_000);
    }
  });

  it('Shift+B marks at once; its title is typed in place, and Alt with an arrow leads back to the one before', async () => {
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => frameUs(view, 'EO')).toBe(START_US + 20_040_000);
    await page.keyboard.press('Shift+B');
    await expect
      .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value))
      .toBe('Mark 1');
    await shoot(page, 'quick-mark');
    await page.keyboard.type('Small craft leaves stern');
    await page.keyboard.press('Enter');
    await pin(view, /^Small craft leaves stern, /).waitFor();
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(() => frameUs(view, 'EO')).toBe(START_US + 10_040_000);
    await page.keyboard.press(']');
    await expect.poll(() => frameUs(view, 'EO')).toBe(START_US + 20_040_000);
  });

  it('the tab lists them with pictures, arrow keys lead along, and what was deleted comes back by Undo', async () => {
    await openTable(view);
    await page.getByRole('tab', { name: 'Bookmarks' }).click();
    const rows = page.getByRole('treegrid', { name: 'Bookmarks' });
    await rows.getByText('Take-off').click();
    await expect.poll(() => frameUs(view, 'EO')).toBe(START_US + 10_040_000);
    await rows.getByRole('row').filter({ hasText: 'Take-off' }).focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => frameUs(view, 'EO')).toBe(START_US + 20_040_000);
    await expect.poll(() => rows.locator('img').count()).toBe(2);
    await shoot(page, 'bookmarks-tab');
    expect(await seriousViolations(page)).toEqual([]);
    await rows.getByRole('checkbox', { name: 'Choose Take-off' }).check();
    await page
      .getByRole('toolbar', { name: /selected$/ })
      .getByRole('button', { name: 'Delete' })
      .click();
    await pin(otherView, /^Take-off, /).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await pin(otherView, /^Take-off, /).waitFor();
    await page.getByRole('tab', { name: 'VOD' }).click();
    await view.getByRole('button', { name: 'Close table' }).click();
  });

  it('In and Out are set by I and O, and the list opens from the control bar', async () => {
    // The tab that was chosen last has keys of its own.
    await view.getByRole('button', { name: 'Play' }).focus();
    await page.keyboard.press('i');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('o');
    await view.getByRole('group', { name: 'Selection' }).waitFor();
    await shoot(page, 'selection');
    await view.getByRole('button', { name: 'Bookmarks', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Bookmarks' });
    await dialog.getByText('Take-off').waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
    await shoot(page, 'bookmarks-dialog');
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('a link opens the very frame', async () => {
    const [bookmark] = await stage.api.send<Bookmark[]>('GET', `bookmarks?missionIdOrName=${mission._id}`);
    await page.goto(`/missions?mission=${mission._id}&bookmark=${bookmark!._id}`);
    await expect.poll(() => frameUs(view, 'EO')).toBe(START_US + 10_040_000);
    await expect.poll(() => new URL(page.url()).searchParams.has('bookmark')).toBe(false);
  });

  it('on a phone a tap on the round button marks, held it sets In and then Out, its menu exports, and a swipe deletes a pin until Undo', async () => {
    await resize(page, { width: 390, height: 844 });
    const round = view.getByRole('button', { name: 'Mark this moment' });
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => frameUs(view, 'EO')).toBe(START_US + 20_040_000);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => frameUs(view, 'EO')).toBe(START_US + 30_040_000);
    await round.click();
    await expect
      .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value))
      .toBe('Mark 1');
    await shoot(page, 'phone-mark');
    await page.keyboard.press('Enter');
    await expect.poll(() => timeOf('Mark 1')).toBe(START_US + 30_040_000);
    for (const end of ['In', 'Out']) {
      await round.hover();
      await page.mouse.down();
      await view.getByRole('slider', { name: end, exact: true }).waitFor();
      await page.mouse.up();
    }
    await view.getByRole('button', { name: 'More marks' }).click();
    await page.getByRole('menuitem', { name: 'Take a snapshot' }).waitFor();
    await shoot(page, 'phone-mark-menu');
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Export clip' }).click();
    await page.getByRole('dialog', { name: 'Export clip' }).waitFor();
    await page.keyboard.press('Escape');
    await view.getByRole('tab', { name: /^Pins/ }).click();
    const row = view.getByRole('list', { name: 'Pins' }).getByRole('listitem').filter({ hasText: 'Take-off' });
    await row.waitFor();
    await shoot(page, 'phone-pins');
    expect(await seriousViolations(page)).toEqual([]);
    const { x, y, width, height } = (await row.boundingBox())!;
    await page.mouse.move(x + width - 120, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + height / 2, { steps: 5 });
    await shoot(page, 'phone-swipe');
    await page.mouse.up();
    await row.waitFor({ state: 'detached' });
    await expect.poll(() => timeOf('Take-off')).toBeUndefined();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => timeOf('Take-off')).toBe(START_US + 10_040_000);
  });
});
