/// <reference lib="dom" />
import type { Mission } from '@osprey/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { tableScroller, watchForBlanks } from '../tools/test-support/browser/blanks.ts';
import { adminMode, resize, row, shoot, table } from '../tools/test-support/browser/screens.ts';
import { seriousViolations } from './support/axe.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true });

/** Enough for the table to draw a part of them only. */
const MANY = 150;
/** The figure is 200 ms on an idle machine; a busy one fails at three times that. */
const BLANK_MS = 3 * 200;
const PLACE = { lon: 24.295, lat: 37.672 };

let watched: Visitor;
let page: Page;
let recorded: Mission;
let group: string;

const head = (column: string) => table(page).getByRole('columnheader', { name: column });
const missionRows = () => table(page).getByRole('row').and(page.locator('[aria-level="1"]'));
const names = async () => {
  const texts = await missionRows().locator('[role="gridcell"]:nth-of-type(3)').allTextContents();
  return texts.map((text) => text.replace(/Sample$/, ''));
};
const count = () => page.getByRole('tabpanel').getByRole('status').last();
/** Read in the page itself: its driver's address lags. */
const inAddress = (...keys: string[]) =>
  page.evaluate((requested) => requested.map((key) => new URLSearchParams(location.search).get(key)), keys);
const stored = (...keys: string[]) =>
  page.evaluate((requested) => requested.map((key) => localStorage.getItem(key)), keys);
const addFilter = async (name: string) => {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
};
const clearFilters = async () => {
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect.poll(() => count().textContent()).toMatch(/^\d+ missions$/);
};

beforeAll(async () => {
  const { api } = stage;
  group = await api.addGroup('Coast', 'CONFIDENTIAL');
  const batch = Array.from({ length: MANY }, (_, index) => index);
  for (const index of batch) await api.addMission({ name: `Bulk-${String(index).padStart(3, '0')}` });
  await api.addMission({
    name: 'Greek',
    description: 'Ferries at Kea',
    country_code: 'GR',
    country_name: 'Greece',
    tags: ['ferry', 'night'],
    rating: 4,
    usergroups: [group],
    securityClassification: 'CONFIDENTIAL',
    platform: { name: 'Heron', type: 'Plane', presentation: { color: '#c04000' } },
  });
  recorded = await api.addRecorded(
    { name: 'Recorded' },
    { 'EO/IR': await stage.recordings.simulated('recorded.ts', { seconds: 6 }) },
  );
  watched = await stage.signedIn({ width: 1800, height: 1000 });
  page = watched.page;
  await row(page, 'Recorded').waitFor();
});

describe('the missions table', () => {
  it('is from the beginning where it will be with its rows', async () => {
    const other = await watched.another();
    await other.addInitScript(() => {
      const tops = new Set<number>();
      Object.assign(window, { tops });
      new MutationObserver(() => {
        const grid = document.querySelector('[role=treegrid]')?.getBoundingClientRect();
        if (grid?.width) tops.add(Math.round(grid.top));
      }).observe(document, { subtree: true, childList: true });
    });
    await other.goto('/missions');
    await row(other, 'Recorded').waitFor();

    expect(await other.evaluate(() => [...(window as unknown as { tops: Set<number> }).tops])).toHaveLength(1);
    await other.close();
  });

  it('has all columns, and shows what each mission holds', async () => {
    for (const column of [
      'State',
      'Name',
      'Description',
      'Platform',
      'Label',
      'Country',
      'Start time',
      'End time',
      'Rating',
      'Views',
    ]) {
      expect(await head(column).count(), column).toBe(1);
    }
    await expect.poll(() => row(page, 'Recorded').textContent()).toContain('Jun 01 2026, 09:00');
    await page.getByRole('searchbox', { name: 'Search missions' }).fill('Greek');
    await row(page, 'Greek').waitFor();
    const text = await row(page, 'Greek').textContent();
    for (const part of ['Created', 'Ferries at Kea', 'Heron', 'CONFIDENTIAL', 'Greece']) expect(text).toContain(part);
    await row(page, 'Greek').getByRole('img', { name: '4 of 5 stars' }).waitFor();
    await clearFilters();
  });

  it('puts the newest first, and draws only the rows near those on screen', async () => {
    await expect.poll(async () => (await names())[0]).toBe('Recorded');

    await expect.poll(() => missionRows().count()).toBeLessThan(80);
    expect(await table(page).getAttribute('aria-rowcount')).toBe(String(MANY + 3));
  });

  it('scrolls through all of them, no row blank for longer than 200 ms', async () => {
    await head('Name').getByRole('button').click();
    await expect.poll(async () => (await names())[0]).toBe('Bulk-000');
    const scroller = tableScroller(page);
    const box = (await scroller.boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + box.height - 60);
    const seen = await watchForBlanks(scroller);

    for (let turn = 0; turn < 22; turn += 1) await page.mouse.wheel(0, 600);
    await row(page, 'Recorded').waitFor();
    await row(page, 'Greek').waitFor();
    for (const pull of [-3000, 2000, -40_000]) await page.mouse.wheel(0, pull);
    await row(page, 'Bulk-000').waitFor();
    const { longestMs, looks } = await seen.evaluate((found) => {
      found.stop = true;
      return found;
    });

    expect(looks).toBeGreaterThan(20);
    expect(longestMs).toBeLessThanOrEqual(BLANK_MS);
  });

  it('sorts by a column, both ways, and keeps the order in the address', async () => {
    await page.goto('/missions');
    await head('Name').getByRole('button').click();
    await expect.poll(async () => (await names())[0]).toBe('Bulk-000');
    await expect.poll(() => head('Name').getAttribute('aria-sort')).toBe('ascending');
    await head('Name').getByRole('button').click();
    await expect.poll(async () => (await names())[0]).toBe('Recorded');

    await expect.poll(() => inAddress('sort')).toEqual(['-name']);
    await page.reload();
    await expect.poll(async () => (await names())[0]).toBe('Recorded');
    await head('Rating').getByRole('button').click();
    await expect.poll(async () => (await names())[0]).toBe('Greek');
  });

  it('opens a mission to its sensors', async () => {
    await page.goto('/missions?search=Recorded');
    await row(page, 'Recorded').getByRole('button', { name: 'Show sensors of Recorded' }).click();

    const sensor = table(page).getByRole('row').and(page.locator('[aria-level="2"]'));
    await sensor.waitFor();
    const text = await sensor.textContent();
    expect(text).toContain('EO/IR');
    expect(text).toContain('320 × 240');
    await row(page, 'Recorded').getByRole('button', { name: 'Hide sensors of Recorded' }).click();
    await sensor.waitFor({ state: 'detached' });
  });

  it('shows the picture of a mission that is Ready', async () => {
    await expect.poll(async () => (await stage.api.mission(recorded._id)).thumbnail, { interval: 500 }).not.toBeNull();
    await page.reload();

    const picture = row(page, 'Recorded').getByRole('img', { name: 'Picture of Recorded' });
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  });

  it('hides columns and remembers it', { tags: 'long' }, async () => {
    await page.goto('/missions');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Country' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => head('Country').count()).toBe(0);

    await page.reload();
    await row(page, 'Recorded').waitFor();
    expect(await head('Country').count()).toBe(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'All columns' }).click();
    await head('Country').waitFor();
  });
});

describe('the filters', () => {
  it('narrow by time in 24 hours, never in the future, and live in the address and in storage', async () => {
    await page.goto('/missions');
    await addFilter('Time');
    const form = page.getByRole('dialog', { name: 'Time' });
    await form.getByLabel('From, date').fill('2026-06-01');
    await form.getByRole('group', { name: 'From' }).getByLabel('Time (UTC, 24 h)').fill('25:00');
    await form.getByText('Use HH:mm, 00:00 to 23:59').waitFor();
    await form.getByRole('group', { name: 'From' }).getByLabel('Time (UTC, 24 h)').fill('08:30');
    await form.getByLabel('To, date').fill('2999-01-01');
    await form.getByText('Times in the future cannot be chosen').waitFor();
    await expect.poll(() => form.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await form.getByLabel('To, date').fill('2026-06-01');
    await form.getByRole('button', { name: 'Apply' }).click();

    await expect.poll(names).toEqual(['Recorded']);
    await expect.poll(() => count().textContent()).toBe(`1 of ${MANY + 2} missions`);
    await expect.poll(() => inAddress('start')).toEqual(['2026-06-01T08:30:00.000Z']);
    const timeSelection = async () => JSON.parse((await stored('timeSelection'))[0] ?? '{}');
    await expect.poll(timeSelection).toEqual({
      start: Date.parse('2026-06-01T08:30:00Z') * 1000,
      end: Date.parse('2026-06-02T00:00:00Z') * 1000 - 1000,
    });
    await clearFilters();
    await expect.poll(() => stored('timeSelection')).toEqual([null]);
  });

  it('narrow by tags, country and usergroups together, and are there again on the next visit', async () => {
    for (const [filter, choice] of [
      ['Tags', 'ferry'],
      ['Country', 'Greece'],
      ['Usergroups', 'Coast'],
    ] as const) {
      await addFilter(filter);
      await page.getByRole('dialog', { name: filter }).getByRole('option', { name: choice }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: filter }).waitFor({ state: 'detached' });
    }
    await expect.poll(names).toEqual(['Greek']);
    // The first filter alone leaves this one mission: the others are in force when they are in the address.
    await expect.poll(() => inAddress('tags', 'country_codes', 'usergroups')).toEqual(['ferry', 'GR', group]);
    await expect
      .poll(() => stored('filterTags', 'filterCountries', 'filterUsergroups'))
      .toEqual(['["ferry"]', '["GR"]', JSON.stringify([group])]);
    await expect.poll(names).toEqual(['Greek']);

    await page.goto('/about');
    await page.goto('/missions');
    await expect.poll(names).toEqual(['Greek']);
    await shoot(page, 'filters');
    await clearFilters();
  });

  it('narrow by an area, drawn on a map or given by its borders', { tags: 'long' }, async () => {
    await addFilter('Area');
    const dialog = page.getByRole('dialog', { name: 'Area' });
    await dialog.getByText('Please select an area on the map to filter missions.').waitFor();
    const borders = dialog.getByRole('group', { name: 'Borders in degrees' });
    for (const [name, degrees] of [
      ['West', PLACE.lon - 0.2],
      ['East', PLACE.lon + 0.2],
      ['South', PLACE.lat - 0.2],
      ['North', PLACE.lat + 0.2],
    ] as const) {
      await borders.getByLabel(name, { exact: true }).fill(String(degrees));
    }
    await page.keyboard.press('Tab');
    await shoot(page, 'area-filter');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });

    await expect.poll(names).toEqual(['Recorded']);
    await expect.poll(() => inAddress('aoiMode')).toEqual(['sensorArea']);
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('queryFilter'))).toContain('Polygon');
    await clearFilters();
  });

  it('narrow by a rectangle or a polygon that the mouse draws', async () => {
    const around = (degrees: number) =>
      JSON.stringify({
        type: 'Polygon',
        coordinates: [
          [
            [PLACE.lon - degrees, PLACE.lat - degrees],
            [PLACE.lon + degrees, PLACE.lat - degrees],
            [PLACE.lon + degrees, PLACE.lat + degrees],
            [PLACE.lon - degrees, PLACE.lat + degrees],
            [PLACE.lon - degrees, PLACE.lat - degrees],
          ],
        ],
      });
    await page.goto(`/missions?geometry=${encodeURIComponent(around(2))}&aoiMode=sensorArea`);
    await row(page, 'Recorded').waitFor();
    await expect.poll(names).toEqual(['Recorded']);
    const dialog = page.getByRole('dialog', { name: 'Area' });
    const drawing = dialog.getByRole('region', { name: 'Area of the filter' });
    const openDrawing = async () => {
      await page.getByRole('button', { name: /^Change the filter Area/ }).click();
      // The pointer shows that the tools are there.
      await expect
        .poll(() => drawing.locator('canvas').evaluate((canvas) => getComputedStyle(canvas).cursor))
        .toBe('crosshair');
      return (await drawing.boundingBox())!;
    };
    const size = () => dialog.getByRole('status').textContent();

    const { x, y, width, height } = await openDrawing();
    const whole = await size();
    await page.mouse.click(x + width * 0.45, y + height * 0.4);
    await page.mouse.move(x + width * 0.5, y + height * 0.5, { steps: 3 });
    await page.mouse.click(x + width * 0.55, y + height * 0.6);
    await expect.poll(size).not.toBe(whole);
    await shoot(page, 'area-drawn');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(names).toEqual(['Recorded']);
    await expect.poll(() => inAddress('geometry')).not.toEqual([around(2)]);

    await openDrawing();
    await dialog.getByRole('button', { name: 'Polygon' }).click();
    const before = await size();
    // Esc cancels a shape that is begun, and the dialog stays.
    await page.mouse.click(x + width * 0.3, y + height * 0.1);
    await page.keyboard.press('Escape');
    for (const [right, down] of [
      [0.05, 0.1],
      [0.2, 0.1],
      [0.1, 0.3],
    ] as const) {
      await page.mouse.move(x + width * right, y + height * down, { steps: 2 });
      await page.mouse.click(x + width * right, y + height * down);
    }
    // A click on the last corner again ends the polygon.
    await page.mouse.click(x + width * 0.1, y + height * 0.3);
    await expect.poll(size).not.toBe(before);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No missions match').waitFor();
    await clearFilters();
  });

  it('say which to drop when nothing is left', { tags: 'long' }, async () => {
    await page.goto('/missions?search=nothing-like-this&tags=ferry');

    await page.getByText('No missions match').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await row(page, 'Recorded').waitFor();
  });

  it('are taken from a shared link', async () => {
    await page.goto('/missions?country_codes=GR&sort=name');

    await expect.poll(names).toEqual(['Greek']);
    await page.getByRole('button', { name: /^Change the filter Country/ }).waitFor();
    await clearFilters();
  });
});

describe('sharing, editing and deleting', () => {
  it('asks for a selection first', async () => {
    await page.goto('/missions');
    await adminMode(page);
    const bar = page.getByRole('toolbar', { name: 'Missions' });

    await bar.getByRole('button', { name: 'Share' }).click();
    await page.getByText('Please select mission / sensor to share...').waitFor();
    await bar.getByRole('button', { name: 'Edit' }).click();
    await page.getByText('Please select mission / sensor to edit...').waitFor();
  });

  it('shares a link that holds the address alone', async () => {
    const opened: string[] = [];
    const session = await watched.context.newCDPSession(page);
    await session.send('Page.enable');
    session.on('Page.frameRequestedNavigation', ({ url }) => opened.push(url));
    session.on('Page.frameScheduledNavigation', ({ url }) => opened.push(url));
    await page.goto('/missions?search=Recorded');
    // The columns are wider than this window: what can be done with a row stays in view.
    await resize(page, { width: 1280, height: 800 });
    await row(page, 'Recorded').hover();
    const share = row(page, 'Recorded').getByRole('button', { name: 'Share Recorded' });
    const { x, width } = (await share.boundingBox())!;
    expect(x + width).toBeLessThan(1280);

    const byMail = page.getByRole('link', { name: 'Send by e-mail' });
    await share.click();
    const link = await page.getByLabel('Link to this view').inputValue();
    expect(link).toBe(`${stage.server.address}/missions?mission=${recorded._id}`);
    await page.getByRole('button', { name: 'Copy link' }).and(page.locator(':focus')).waitFor();
    await shoot(page, 'share');
    await byMail.click();

    const shared = () =>
      opened.filter((url) => url.startsWith('mailto:')).map((url) => decodeURIComponent(url.split('body=')[1]!));
    const mission = `${stage.server.address}/missions?mission=${recorded._id}`;
    await expect.poll(() => new Set(shared())).toEqual(new Set([mission]));

    await row(page, 'Recorded').getByRole('button', { name: 'Show sensors of Recorded' }).click();
    const sensor = table(page).getByRole('row').and(page.locator('[aria-level="2"]'));
    await sensor.hover();
    await sensor.getByRole('button', { name: 'Share EO/IR' }).click();
    await byMail.click();
    await expect
      .poll(() => new Set(shared()))
      .toEqual(new Set([mission, `${mission}&sensor=${recorded.sensors[0]!._id}`]));
    await row(page, 'Recorded').getByRole('button', { name: 'Hide sensors of Recorded' }).click();
    await resize(page, { width: 1800, height: 1000 });
    await session.detach();
  });

  it('deletes several after naming them, and takes it back', async () => {
    await page.goto('/missions?search=Bulk-01');
    await expect.poll(async () => (await names()).length).toBe(10);
    await table(page).getByRole('checkbox', { name: 'Choose Bulk-010' }).check();
    await table(page).getByRole('checkbox', { name: 'Choose Bulk-011' }).check();
    const bar = page.getByRole('toolbar', { name: '2 selected' });
    await bar.getByRole('button', { name: 'Delete' }).click();
    const question = page
      .getByRole('dialog', { name: 'Delete 2 missions?' })
      .or(page.getByRole('alertdialog', { name: 'Delete 2 missions?' }));
    await expect.poll(() => question.textContent()).toMatch(/Bulk-01[01], Bulk-01[01].*Can be restored for 30 days\./);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
    await question.getByRole('button', { name: 'Delete 2' }).click();

    await page.getByText(/^Missions Bulk-01[01], Bulk-01[01] deleted\.$/).waitFor();
    // Under the pointer it does not disappear by itself.
    await page.getByRole('button', { name: 'Undo' }).hover();
    await expect.poll(async () => (await names()).length).toBe(8);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/^Missions .* restored\.$/).waitFor();
    await expect.poll(async () => (await names()).length).toBe(10);
  });

  it('shows to others what was made, changed or deleted elsewhere, without a reload', async () => {
    await page.goto('/missions?search=Elsewhere');
    await page.getByText('No missions match').waitFor();

    const made = await stage.api.addMission({ name: 'Elsewhere' });
    await row(page, 'Elsewhere').waitFor();
    await stage.api.send('PUT', 'missions', { _id: made._id, name: 'Elsewhere', description: 'Changed words' });
    await row(page, 'Elsewhere').getByText('Changed words').waitFor();
    await stage.api.send('DELETE', 'missions', { missions: [made._id] });

    await row(page, 'Elsewhere').waitFor({ state: 'detached' });
  });

  it('shows the steps of processing in the state cell while they happen', async () => {
    const path = await stage.recordings.simulated('growing.ts', { seconds: 12 });
    const made = await stage.api.addMission({ name: 'Growing', sensors: [{ name: 'EO/IR', type: 'video' }] });
    await page.goto('/missions?search=Growing');
    await row(page, 'Growing').waitFor();
    await page.getByRole('status', { name: 'Server state: Online' }).waitFor();
    await page.evaluate(() => {
      const seen = new Set<string>();
      (window as unknown as { seen: Set<string> }).seen = seen;
      new MutationObserver(() => {
        for (const bar of document.querySelectorAll('[role="treegrid"] [role="progressbar"]'))
          seen.add(bar.getAttribute('aria-label') ?? '');
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });

    await stage.api.upload(made, 'EO/IR', path);

    await row(page, 'Growing').getByText('Ready', { exact: true }).waitFor();
    const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
    expect(
      seen.some((step) => /^(Uploading|Reading|Read|Processing|Computing the area|Area .* sq\. km)$/.test(step)),
    ).toBe(true);
  });
});

describe('who may not manage', () => {
  it('sees neither admin mode nor missions in state Created', async () => {
    const account = await stage.api.addUser('Ulf');
    const other = await stage.signedIn({}, account);
    await row(other.page, 'Recorded').waitFor();

    expect(await other.page.getByRole('switch', { name: 'Admin mode' }).count()).toBe(0);
    expect(await other.page.getByText('Bulk-000').count()).toBe(0);
    await row(other.page, 'Recorded').hover();
    await row(other.page, 'Recorded').getByRole('button', { name: 'Share Recorded' }).waitFor();
    expect(
      await row(other.page, 'Recorded')
        .getByRole('button', { name: /^(Edit|Delete)/ })
        .count(),
    ).toBe(0);
    await other.close();
  });
});
