/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openMission, openTable, resize, row, shoot, table } from '../tools/test-support/browser/screens.ts';
import { seriousViolations } from './support/axe.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true });

const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;
/** Label bar and top bar, in px. */
const BARS_PX = 64;

let watched: Visitor;
let page: Page;
let view: Locator;

const button = (name: string) => view.getByRole('button', { name, exact: true });
const player = (sensor: string) => view.getByRole('region', { name: `Player ${sensor}` });
const map = () => view.getByRole('region', { name: 'Map', exact: true });
const boxOf = async (element: Locator) => (await element.boundingBox())!;
const widthOf = async (element: Locator) => (await boxOf(element)).width;
const shows = (sensor: string) => player(sensor).and(page.locator('[data-frame-time-us]')).waitFor({ timeout: 45_000 });

/** Share of the page below label bar and top bar that the picture itself has, without bars around it. */
const shareOfPicture = () =>
  player('EO')
    .locator('video')
    .evaluate((element, barsPx) => {
      const { videoWidth, videoHeight } = element as HTMLVideoElement;
      const { width, height } = element.getBoundingClientRect();
      const scale = Math.min(width / videoWidth, height / videoHeight);
      return (videoWidth * videoHeight * scale ** 2) / (innerWidth * (innerHeight - barsPx));
    }, BARS_PX);

beforeAll(async () => {
  const wide = { seconds: 16, width: 640, height: 360 };
  const [one, other] = await Promise.all([
    stage.recordings.simulated('wide.ts', wide),
    stage.recordings.simulated('wide-ir.ts', { ...wide, sensor: 2 }),
  ]);
  const single = await stage.api.addRecorded({ name: 'Large' }, { EO: one });
  await stage.api.addRecorded({ name: 'Large-pair' }, { EO: one, IR: other });
  await stage.api.send('POST', 'bookmarks', {
    ...{ missionIdOrName: single._id, sensorIdOrName: 'EO', position: 0 },
    ...{ startTime: START_US + 8_000_000, title: 'Take-off' },
  });
  watched = await stage.signedIn({ width: 1440, height: 900 });
  page = watched.page;
  view = await openMission(page, 'Large');
  await shows('EO');
});

beforeEach(() => page.keyboard.press('Escape'));

describe('one sensor', () => {
  it.each([
    { width: 1440, height: 900, share: 0.5, folded: 0.56 },
    { width: 1920, height: 1080, share: 0.54, folded: 0.65 },
  ])(
    'has at least $share of a page of $width x $height, next to map and telemetry, and $folded with the timeline folded',
    async ({ share, folded, ...size }) => {
      await resize(page, size);
      await view.getByRole('button', { name: /^Take-off, / }).waitFor();
      await view.getByRole('region', { name: 'Telemetry of EO' }).waitFor();
      await expect.poll(shareOfPicture).toBeGreaterThanOrEqual(share);
      expect(await view.getByTitle('Overview').count()).toBe(0);
      await shoot(page, `picture-first-${size.width}`);

      await button('Timeline').click();
      await expect.poll(shareOfPicture).toBeGreaterThanOrEqual(folded);
      await button('Timeline').click();
      await expect.poll(shareOfPicture).toBeLessThan(folded);
    },
  );

  it('has the map at its upper right corner, which changes places with it by X and by its button', async () => {
    await resize(page, { width: 1440, height: 900 });
    const [large, small] = [await boxOf(player('EO')), await boxOf(map())];
    expect(Math.abs(small.y - large.y)).toBeLessThan(3);
    expect(small.x).toBeGreaterThan(large.x + large.width);
    expect(small.width / large.width).toBeGreaterThan(0.22);
    expect(small.width / large.width).toBeLessThan(0.32);

    await page.keyboard.press('x');
    await expect.poll(() => widthOf(map())).toBeGreaterThan(large.width - 3);
    expect((await boxOf(player('EO'))).x).toBeGreaterThan(large.x + large.width);
    await shoot(page, 'picture-first-exchanged');
    await map().getByRole('button', { name: 'Exchange map and picture' }).click();
    await expect.poll(() => boxOf(player('EO'))).toEqual(large);
  });

  it('lets the map float by dragging, 160 x 240 at 10, 10, and takes it back', async () => {
    const picture = await boxOf(player('EO'));
    const grip = await boxOf(map().getByRole('button', { name: 'Let the map float' }));
    await page.mouse.move(grip.x + 10, grip.y + 10);
    await page.mouse.down();
    await page.mouse.move(grip.x - 40, grip.y + 40, { steps: 4 });
    await page.mouse.up();

    const panel = view
      .locator('.react-draggable')
      .filter({ has: page.getByRole('group', { name: 'Move the map with the arrow keys' }) });
    await panel.waitFor();
    const { x, y, width, height } = await boxOf(panel);
    expect([width, height]).toEqual([160, 240]); // S2-187 S2-188
    // The head of the picture stays in sight above it.
    expect([Math.round(x - picture.x), Math.round(y - picture.y)]).toEqual([10, 36]);

    await button('Close the floating map').click();
    await expect.poll(async () => (await boxOf(map())).x).toBeGreaterThan(picture.x + picture.width);
  });

  it('has an overview of the timeline while a part of it is shown', async () => {
    await button('Zoom in').last().click();
    await view.getByTitle('Overview').waitFor();
    await button('Show the whole mission').click();
    await view.getByTitle('Overview').waitFor({ state: 'detached' });
  });
});

describe('the table', () => {
  const drawer = () => view.locator('[data-part="table-drawer"]');

  it('is one bar, and opens over the lower half by key, by button and by dragging, with the focus in its rows', async () => {
    await resize(page, { width: 1440, height: 900 });
    await expect.poll(async () => (await boxOf(drawer())).height).toBe(26);
    expect(await table(page).isVisible()).toBe(false);

    await page.keyboard.press('Control+ArrowDown');
    await table(page).waitFor();
    const whole = await boxOf(view);
    await expect.poll(async () => Math.round((await boxOf(drawer())).height)).toBe(Math.round(whole.height / 2));
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('row');
    await shoot(page, 'picture-first-table');
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await table(page).waitFor({ state: 'hidden' });
    expect(await view.isVisible()).toBe(true);

    await button('Open table').click();
    await table(page).waitFor();
    await button('Close table').click();
    await table(page).waitFor({ state: 'hidden' });

    const closed = await boxOf(drawer());
    await page.mouse.move(closed.x + closed.width / 2, closed.y + 13);
    await page.mouse.down();
    await page.mouse.move(closed.x + closed.width / 2, closed.y - 60, { steps: 4 });
    await page.mouse.up();
    await table(page).waitFor();
  });

  it('stays open for the mission that is chosen, after a reload too, until Escape', async () => {
    await openTable(view);
    await row(page, 'Large-pair').getByText('Large-pair', { exact: true }).click();
    view = page.getByRole('region', { name: 'Mission Large-pair' });
    await shows('IR');
    await table(page).waitFor();

    await page.reload();
    await table(page).waitFor();
    await view.focus();
    await page.keyboard.press('Escape');
    await table(page).waitFor({ state: 'hidden' });
    expect(await view.isVisible()).toBe(true);
    // The next Escape would close the mission if the view kept the focus.
    await view.evaluate((focused) => (focused as HTMLElement).blur());
  });
});

describe('two sensors', () => {
  it('have the leading one large, and the other below the map; a number changes their places', async () => {
    await shows('EO');
    const [large, tile, chart] = [await boxOf(player('EO')), await boxOf(player('IR')), await boxOf(map())];
    expect(large.width).toBeGreaterThan(3 * tile.width);
    expect(tile.y).toBeGreaterThan(chart.y + chart.height);
    await shoot(page, 'picture-first-pair');

    await page.keyboard.press('2');
    await expect.poll(() => boxOf(player('IR'))).toEqual(large);
    expect(await widthOf(player('EO'))).toBe(tile.width);
    await page.keyboard.press('1');
    await expect.poll(() => boxOf(player('EO'))).toEqual(large);
  });

  it('are equal side by side, one click away, which is remembered', async () => {
    await button('Side by side').click();
    await expect.poll(() => widthOf(player('EO'))).toBe(await widthOf(player('IR')));
    await shoot(page, 'side-by-side');
    await page.reload();
    await shows('IR');
    expect(await widthOf(player('EO'))).toBe(await widthOf(player('IR')));
    await button('Side by side').click();
    await expect.poll(async () => (await widthOf(player('EO'))) / (await widthOf(player('IR')))).toBeGreaterThan(3);
    expect(watched.errors).toEqual([]);
  });
});

it('leaves a phone as it is: no bar and no table below the picture', async () => {
  const phone = await stage.signedIn({ width: 390, height: 844, touch: true });
  const small = await openMission(phone.page, 'Large');
  await small.getByRole('region', { name: 'Player EO' }).waitFor();
  expect(Math.round(await widthOf(small.getByRole('region', { name: 'Player EO' })))).toBe(390);
  expect(await small.locator('[data-part="table-drawer"]').count()).toBe(0);
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await shoot(phone.page, 'picture-first-phone');
  await phone.close();
});
