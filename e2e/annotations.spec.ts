/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousViolations } from './support/axe.ts';
import { stageFor, type Visitor } from './support/stage.ts';

// Shows the dialog annotations/DeleteAnnotations.tsx ConfirmDialog
// Shows the dialog annotations/dialog/AnnotationDialog.tsx FormDialog

const stage = stageFor({}, { isShared: true });

let drawer: Visitor;
let page: Page;
let other: Page;

const table = (of: Page) => of.getByRole('treegrid', { name: 'Annotations' });
const row = (of: Page, title: string) =>
  table(of)
    .getByRole('row')
    .filter({ has: of.getByText(title, { exact: true }) });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });

async function openTab(of: Page): Promise<void> {
  await of.getByRole('tab', { name: 'Annotations' }).click();
  await table(of).waitFor();
}

beforeAll(async () => {
  await stage.api.addMission({ name: 'ANNOTATED', audience: 'everyone' });
  drawer = await stage.signedIn();
  page = drawer.page;
  const nadia = await stage.api.addUser('nadia', {});
  other = (await stage.signedIn({}, nadia)).page;
  await openTab(page);
  await openTab(other);
});

describe('an annotation', () => {
  it('is drawn, saved, seen by another, hidden, deleted and taken back', async () => {
    await page.getByRole('toolbar').getByRole('button', { name: 'Add annotation' }).click();
    const made = dialog('New annotation');
    await made.getByLabel('Title').fill('Search area');
    await made.getByRole('tab', { name: 'Map' }).click();
    await made.locator('[data-map=ready]').waitFor();
    expect(await made.locator('.maplibregl-ctrl-scale').textContent()).toMatch(/^[\d.]+\s(nm|ft)$/);
    const ok = made.getByRole('button', { name: /^(?:Create|Save)$/ });
    expect(await ok.isEnabled()).toBe(false);

    const canvas = (await made.locator('canvas').boundingBox())!;
    const press = (x: number, y: number) => page.mouse.click(canvas.x + x, canvas.y + y);
    await made.getByRole('button', { name: 'Polygon', exact: true }).click();
    for (const [x, y] of [
      [200, 150],
      [400, 150],
      [400, 300],
    ] as const)
      await press(x, y);
    // The new side would cross the first one.
    await press(300, 100);
    await made.getByText('A polygon may not cross itself: the last change was undone.').waitFor();
    await press(220, 320);
    await page.keyboard.press('Enter');
    await made.getByText('1 shape. A polygon may not cross itself.').waitFor();
    await made.getByLabel('Shape title').fill('Sector North');
    await page.keyboard.press('Control+z');
    expect(await seriousViolations(page)).toEqual([]);

    await ok.click();
    await page.getByText('Annotation Search area created.').waitFor();
    await row(page, 'Search area').waitFor();
    await row(other, 'Search area').waitFor();

    await row(other, 'Search area').getByRole('checkbox', { name: 'Hide Search area on the map' }).check();
    expect(await other.evaluate(() => localStorage.getItem('hiddenAnnotations'))).toMatch(/^\["[0-9a-f-]{36}"\]$/);
    expect(await page.evaluate(() => localStorage.getItem('hiddenAnnotations'))).toBeNull();

    await row(page, 'Search area').getByText('Search area', { exact: true }).click();
    await page.getByRole('button', { name: 'Delete annotation' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Annotation deleted successfully').waitFor();
    await row(other, 'Search area').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(other, 'Search area').waitFor();
  });
});
