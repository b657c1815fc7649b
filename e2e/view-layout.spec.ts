/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  openMission,
  openTable,
  openTelemetry,
  resize,
  shoot,
  sideBySide,
} from '../tools/test-support/browser/screens.ts';
import { seriousViolations, seriousViolationsInBothSchemes } from './support/axe.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true });

const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;
const SENSORS = ['EO', 'IR', 'Wide', 'Low'];

let watched: Visitor;
let page: Page;
let view: Locator;
let flights: readonly [string, string];

const button = (name: string | RegExp) => view.getByRole('button', { name, exact: typeof name === 'string' });
const player = (sensor: string) => view.getByRole('region', { name: `Player ${sensor}` });
const map = () => view.getByRole('region', { name: 'Map', exact: true });
const splitter = () => view.getByRole('separator', { name: 'Width of the left side' });
const frameUs = async (sensor: string) => Number(await player(sensor).getAttribute('data-frame-time-us'));
const boxOf = async (element: Locator) => (await element.boundingBox())!;
const isPaused = () =>
  player('EO')
    .locator('video')
    .evaluate((video) => (video as HTMLVideoElement).paused);

async function open() {
  view = await openMission(page, 'Four');
  await picture();
}

/** Waits until the first player shows one. */
const picture = () => view.locator('section[aria-label="Player EO"][data-frame-time-us]').waitFor();

/** Elements below an open menu cannot be found by role. */
async function closeMenu() {
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

/** Missions that one test or other asks for, made where one does. */
const made = new Map<string, Promise<unknown>>();
function recorded(name: 'Single' | 'Five'): Promise<unknown> {
  const [one, other] = flights;
  const sensors =
    name === 'Single' ? { EO: one } : { EO: one, IR: other, Wide: one, Low: other, 'Long-name-of-a-fifth': one };
  const mission = made.get(name) ?? stage.api.addRecorded({ name }, sensors);
  made.set(name, mission);
  return mission;
}

beforeAll(async () => {
  const [one, other] = await Promise.all([
    stage.recordings.simulated('one.ts', { seconds: 16 }),
    stage.recordings.simulated('other.ts', { seconds: 16, sensor: 2 }),
  ]);
  await stage.api.addRecorded({ name: 'Four' }, { EO: one, IR: other, Wide: one, Low: other });
  flights = [one, other];
  watched = await stage.signedIn({ width: 1500, height: 1000 });
  page = watched.page;
  await open();
  // The arrangement that the specification gives the widths of.
  await sideBySide(view);
  await openTable(view);
});

// Menus that a failed test left open must not fail the next.
beforeEach(() => page.keyboard.press('Escape'));

describe('four sensors', () => {
  it('are in two columns with the map at the right', async () => {
    for (const sensor of SENSORS) await expect.poll(() => frameUs(sensor)).toBe(START_US);
    const [first, second, third, fourth] = await Promise.all(SENSORS.map((sensor) => boxOf(player(sensor))));
    const place = await boxOf(map());

    expect([second!.y, third!.x, fourth!.x, fourth!.y]).toEqual([first!.y, first!.x, second!.x, third!.y]);
    expect(second!.x).toBeGreaterThanOrEqual(first!.x + first!.width);
    expect(third!.y).toBeGreaterThanOrEqual(first!.y + first!.height);
    expect(place.x).toBeGreaterThanOrEqual(second!.x + second!.width);
    await expect.poll(() => button('4 sensors').count()).toBe(1);
    expect(await seriousViolations(page)).toEqual([]);
    await shoot(page, 'view-four');
  });

  it('keep their heads and labels free of the telemetry over the first one', async () => {
    await resize(page, { width: 1440, height: 900 });
    await button('Float over the video').click();

    const panel = view.getByRole('region', { name: /^Telemetry of/ });
    const bottom = async () => {
      const { y, height } = await boxOf(panel);
      return y + height;
    };
    await expect.poll(async () => (await boxOf(player('Wide'))).y - (await bottom())).toBeGreaterThan(0);
    await button('Dock next to the video').click();
    await resize(page, { width: 1500, height: 1000 });
  });

  it('are explained by a tour, whose card has no serious finding in either scheme', { tags: 'long' }, async () => {
    await page.getByRole('button', { name: /^Account of / }).click();
    await page.getByRole('menuitem', { name: 'Take the tour' }).click();
    const card = page.getByRole('region', { name: 'Video and clock' });
    await card.waitFor();
    expect(await seriousViolationsInBothSchemes(page, card)).toEqual([]);
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
  });

  it('show the same moment whenever the clock is paused', async () => {
    await page.keyboard.press('ArrowRight');
    for (const sensor of SENSORS) await expect.poll(() => frameUs(sensor)).toBe(START_US + 10_000_000);

    await page.keyboard.press('.');
    for (const sensor of SENSORS) await expect.poll(() => frameUs(sensor)).toBe(START_US + 10_040_000);

    await page.keyboard.press('Home');
    for (const sensor of SENSORS) await expect.poll(() => frameUs(sensor)).toBe(START_US);
  });

  it('fill the screen one at a time, with clock, timeline, panels and the label bar in sight', async () => {
    // The page around it is hidden, its landmark too.
    const region = (name: string | RegExp) => page.getByRole('region', { name });
    await page.keyboard.press('f');
    await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
    const { width, height } = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
    await expect.poll(() => boxOf(region('Player EO'))).toEqual({ x: 0, y: 20, width, height: height - 20 });
    await page.mouse.move(700, 400);
    await page.getByRole('slider', { name: 'Timeline' }).waitFor();
    await page
      .getByRole('note', { name: /^Highest classification/ })
      .first()
      .waitFor();
    expect(await page.getByRole('treegrid').count()).toBe(0);

    await page.keyboard.press('t');
    await region(/^Telemetry of EO/).waitFor();
    await page.keyboard.press('m');
    await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await shoot(page, 'view-full-keys');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await shoot(page, 'view-full');

    await page.keyboard.press('2');
    await expect.poll(() => boxOf(region('Player IR'))).toEqual({ x: 0, y: 20, width, height: height - 20 });
    await page.keyboard.press('f');
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();
    await page.getByRole('treegrid', { name: 'Missions' }).waitFor();

    await player('Wide').getByRole('button', { name: 'Full screen' }).click();
    await expect.poll(() => boxOf(region('Player Wide'))).toEqual({ x: 0, y: 20, width, height: height - 20 });
    await region('Player Wide').getByRole('button', { name: 'Leave full screen' }).click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();
    await page.keyboard.press('1');
    await view.getByRole('region', { name: 'Telemetry of EO' }).waitFor();
  });

  it('are put on screen and taken off by the menu of sensors', async () => {
    await button('4 sensors').click();
    await page.getByRole('menuitemcheckbox', { name: 'Low' }).click();
    await closeMenu();
    await expect.poll(() => view.getByRole('region', { name: /^Player/ }).count()).toBe(3);

    await button('4 sensors').click();
    await page.getByRole('menuitemcheckbox', { name: 'Low' }).click();
    await closeMenu();
    await player('Low').waitFor();
    await expect.poll(() => view.getByRole('region', { name: /^Player/ }).count()).toBe(4);
  });
});

describe('Space', () => {
  it('plays and pauses whichever button has the focus, which Enter presses', async () => {
    await button(/^Speed/).click();
    await page.getByRole('menuitemradio', { name: '2×', exact: true }).waitFor();
    await page.keyboard.press('Home');
    await closeMenu();
    expect(await button(/^Speed/).evaluate((element) => element === document.activeElement)).toBe(true);

    await page.keyboard.press('Space');
    await expect.poll(isPaused).toBe(false);
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    await page.keyboard.press('Space');
    await expect.poll(isPaused).toBe(true);

    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: '2×', exact: true }).waitFor();
    await closeMenu();
  });

  it('stays with fields, menus, dialogs and what it ticks', async () => {
    await button(/^Go to a time/).click();
    const form = page.getByRole('dialog', { name: 'Go to a time' });
    await form.getByRole('button', { name: 'Go', exact: true }).focus();
    await page.keyboard.press('Space');
    await form.waitFor({ state: 'detached' });
    await page.getByRole('switch', { name: 'Admin mode' }).focus();
    await page.keyboard.press('Space');
    await expect.poll(() => page.getByRole('switch', { name: 'Admin mode' }).isChecked()).toBe(true);
    await page.keyboard.press('Space');
    await expect.poll(() => page.getByRole('switch', { name: 'Admin mode' }).isChecked()).toBe(false);
    await page.getByRole('searchbox', { name: 'Search missions' }).focus();
    await page.keyboard.press('Space');

    expect(await isPaused()).toBe(true);
    await page.getByRole('searchbox', { name: 'Search missions' }).fill('');
    await page.getByRole('searchbox', { name: 'Search missions' }).blur();
  });
});

describe('the panels', () => {
  it('come and go by their buttons, the map by M too, and stay so', { tags: 'long' }, async () => {
    const track = () => view.getByRole('slider', { name: 'Mission timeline' });

    await page.keyboard.press('m');
    await map().waitFor({ state: 'detached' });
    expect(await button('Map').getAttribute('aria-pressed')).toBe('false');
    await page.keyboard.press('m');
    await map().waitFor();
    await button('Map').click();
    await map().waitFor({ state: 'detached' });
    await button('Timeline').click();
    await track().waitFor({ state: 'detached' }); // S2-160
    await page.reload();
    await picture();
    expect([await map().count(), await track().count()]).toEqual([0, 0]);

    await button('Map').click();
    await button('Timeline').click();
    await map().waitFor();
    await track().waitFor();
  });

  it('are made wider by dragging between them or by arrows, and stay so', { tags: 'long' }, async () => {
    const before = await boxOf(map());
    const handle = await boxOf(splitter());
    const y = handle.y + handle.height / 2;
    await page.mouse.move(handle.x + handle.width / 2, y);
    await page.mouse.down();
    await page.mouse.move(handle.x - 60, y, { steps: 4 });
    await page.mouse.move(handle.x - 120, y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await boxOf(map())).width).toBeGreaterThan(before.width + 80);

    const [dragged, moment] = [await boxOf(map()), await frameUs('EO')];
    await splitter().focus();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await boxOf(map())).width).toBeLessThan(dragged.width - 40);
    expect(await frameUs('EO')).toBe(moment);

    const left = await splitter().getAttribute('aria-valuenow');
    await page.reload();
    await splitter().waitFor();
    await expect.poll(() => splitter().getAttribute('aria-valuenow')).toBe(left);
  });

  it('let telemetry be docked and float again by keys, and its button keeps the focus', { tags: 'long' }, async () => {
    await openTelemetry(view);
    await button('Float over the video').focus();
    for (const name of ['Dock next to the video', 'Float over the video']) {
      await page.keyboard.press('Enter');
      await expect.poll(() => button(name).evaluate((own) => own === document.activeElement)).toBe(true);
    }
  });

  it('are parted where the pointer lets go, also next to docked telemetry, and each arrangement at its own place', {
    tags: 'long',
  }, async () => {
    const share = async () => Number(await splitter().getAttribute('aria-valuenow'));
    const before = await share();
    await openTelemetry(view);
    const handle = await boxOf(splitter());
    const y = handle.y + handle.height / 2;
    const [from, to] = [handle.x + handle.width / 2, handle.x - 150];
    await page.mouse.move(from, y);
    await page.mouse.down();
    await page.mouse.move(from - 20, y);
    await page.mouse.move(to, y, { steps: 4 });
    await page.mouse.up();

    await expect.poll(async () => Math.abs((await boxOf(splitter())).x + 2 - to)).toBeLessThan(8);
    await button('Float over the video').click();
    const four = await splitter().getAttribute('aria-valuenow');
    await button('4 sensors').click();
    for (const sensor of SENSORS.slice(1)) await page.getByRole('menuitemcheckbox', { name: sensor }).click();
    await closeMenu();
    await expect.poll(() => splitter().getAttribute('aria-valuenow')).toBe('48');
    await button('4 sensors').click();
    for (const sensor of SENSORS.slice(1)) await page.getByRole('menuitemcheckbox', { name: sensor }).click();
    await closeMenu();
    await expect.poll(() => splitter().getAttribute('aria-valuenow')).toBe(four);

    // Panels over the pictures need their height.
    await splitter().focus();
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowRight');
        return share();
      })
      .toBeGreaterThanOrEqual(before);
  });

  it('leave the keys alone while KLV health is in their place: a hidden video does not play', {
    tags: 'long',
  }, async () => {
    await button('KLV health').click();
    await view.getByRole('region', { name: 'KLV health' }).waitFor();

    for (const key of ['Space', 'l', 'l', 'm', '?']) await page.keyboard.press(key);
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });
    await button('KLV health').click();

    await map().waitFor();
    expect(await button('Speed 1×').isVisible()).toBe(true);
  });

  it('fold to their bar, which counts the sensors, and open again', { tags: 'long' }, async () => {
    await button('Collapse').click();
    await player('EO').waitFor({ state: 'detached' });
    await expect.poll(() => button('4 sensors').isVisible()).toBe(true);
    await page.reload();
    await button('Open the mission view').click();
    await picture();
  });
});

describe('the floating map', () => {
  const panel = () =>
    view
      .locator('.react-draggable')
      .filter({ has: page.getByRole('group', { name: 'Move the map with the arrow keys' }) });
  const head = () => panel().getByRole('group', { name: 'Move the map with the arrow keys' });

  it('opens next to the other one, is dragged, resized and closed, by mouse and by keys, and remembered', async () => {
    await openTelemetry(view);
    // A test before this one may have left it floating.
    if (await button('Dock next to the video').isVisible()) await button('Dock next to the video').click();
    await button('Float over the video').click();
    const telemetry = page.getByRole('region', { name: /^Telemetry of/ });
    await view.locator('.react-draggable').filter({ has: telemetry }).waitFor(); // S2-158
    await button('Dock next to the video').click();
    await button('Floating map').click();
    await head().waitFor(); // S2-162
    await expect
      .poll(() => panel().getByRole('region', { name: 'Map', exact: true }).getAttribute('data-map'))
      .toBe('ready');
    const first = await boxOf(panel());
    expect([first.width, first.height]).toEqual([160, 240]);

    await page.mouse.move(first.x + 120, first.y + 14);
    await page.mouse.down();
    await page.mouse.move(first.x + 160, first.y + 30, { steps: 4 });
    await page.mouse.move(first.x + 200, first.y + 54, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => Math.round((await boxOf(panel())).x - first.x)).toBe(80);
    await expect.poll(async () => Math.round((await boxOf(panel())).y - first.y)).toBe(40);

    const moved = await boxOf(panel());
    const [right, bottom] = [moved.x + moved.width, moved.y + moved.height];
    await page.mouse.move(right - 2, bottom - 2);
    await page.mouse.down();
    await page.mouse.move(right + 40, bottom + 20, { steps: 4 });
    await page.mouse.move(right + 58, bottom + 38, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => Math.round((await boxOf(panel())).width - moved.width)).toBe(60);
    await expect.poll(async () => Math.round((await boxOf(panel())).height - moved.height)).toBe(40);
    // The map fills its panel again at once.
    const chart = panel().locator('canvas.maplibregl-canvas');
    await expect
      .poll(async () => Math.round((await boxOf(panel())).width - (await boxOf(chart)).width), { timeout: 2000 })
      .toBeLessThanOrEqual(2);

    await head().focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(async () => Math.round((await boxOf(panel())).x - moved.x)).toBe(-16);
    await expect.poll(async () => Math.round((await boxOf(panel())).height - moved.height)).toBe(56);
    const last = await boxOf(panel());
    await shoot(page, 'view-floating-map');
    await page.reload();
    await head().waitFor();
    await expect.poll(() => boxOf(panel())).toEqual(last);

    await head().getByRole('button', { name: 'Close the floating map' }).click();
    await panel().waitFor({ state: 'detached' });
  });

  it('comes back into a window that became smaller', { tags: 'long' }, async () => {
    await button('Floating map').click();
    await head().waitFor();
    await head().focus();
    for (let press = 0; press < 60; press += 1) await page.keyboard.press('ArrowRight');
    await resize(page, { width: 1100, height: 900 });

    const room = () => boxOf(view.locator('[data-part="floats"]'));
    await expect
      .poll(async () => {
        const [all, own] = [await room(), await boxOf(panel())];
        return own.x + own.width <= all.x + all.width + 1;
      })
      .toBe(true);
    await head().getByRole('button', { name: 'Close the floating map' }).click();
    await panel().waitFor({ state: 'detached' });
    await resize(page, { width: 1500, height: 1000 });
  });
});

describe('one sensor', () => {
  it('is left of the map', { tags: 'long' }, async () => {
    await recorded('Single');
    await page.goto('/missions?search=Single');
    view = await openMission(page, 'Single');
    await picture();

    await map().waitFor();
    await expect
      .poll(async () => {
        const { width, height } = await boxOf(player('EO'));
        return width / height;
      })
      .toBeCloseTo(16 / 9, 1);
    const [left, right] = [await boxOf(player('EO')), await boxOf(map())];
    expect(left.x + left.width).toBeLessThanOrEqual(right.x);
    await expect.poll(() => button('1 sensor').count()).toBe(1);
    expect(watched.errors).toEqual([]);
  });
});

it('goes from edge to edge in a window that is low and narrow, over the timeline', { tags: 'long' }, async () => {
  await recorded('Single');
  await resize(page, { width: 1024, height: 700 });
  await page.goto('/missions?search=Single');
  view = await openMission(page, 'Single');
  await picture();

  const timeline = () => view.getByRole('region', { name: 'Mission timeline' });
  await expect
    .poll(async () => Math.round((await boxOf(player('EO'))).width - (await boxOf(timeline())).width))
    .toBeLessThanOrEqual(2);
  await expect.poll(async () => (await boxOf(player('EO'))).width).toBeGreaterThan(900);

  // A page at 200 %, or a tablet: the buttons break into lines.
  await resize(page, { width: 720, height: 700 });
  for (const name of ['Timeline', 'Take a snapshot', 'Close the mission']) {
    await expect.poll(async () => (await boxOf(button(name))).x).toBeLessThan(690);
  }

  // A phone in landscape: nothing of these is below the fold, or over the picture.
  for (const size of [
    { width: 740, height: 360 },
    { width: 844, height: 390 },
  ]) {
    await resize(page, size);
    const shown = ['Play', 'Mark this moment', 'Close the mission'].map(button);
    for (const part of [player('EO'), timeline(), ...shown]) {
      await expect
        .poll(async () => {
          const { x, y, width, height } = await boxOf(part);
          return x >= 0 && x + width <= size.width && y + height <= size.height;
        })
        .toBe(true);
    }
    const picture = await boxOf(player('EO'));
    expect((await boxOf(timeline())).x).toBeGreaterThanOrEqual(picture.x + picture.width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
  }
  await resize(page, { width: 1500, height: 1000 });
});

it('names the platform on the map by its mission where it has no name of its own', { tags: 'long' }, async () => {
  await recorded('Single');
  await page.goto('/missions?search=Single');
  view = await openMission(page, 'Single');

  await map().getByRole('img', { name: 'Single', exact: true }).waitFor();
});

it('leads from any sensor to any other on a phone, in one line', { tags: 'long' }, async () => {
  await recorded('Five');
  const phone = await stage.signedIn({ width: 390, height: 844, touch: true });
  const small = await openMission(phone.page, 'Five');
  const sensors = small.getByRole('group', { name: 'Sensor', exact: true });
  await small.getByRole('region', { name: 'Player EO' }).waitFor();
  expect((await boxOf(sensors)).height).toBeLessThan(60);

  await sensors.getByRole('button', { name: 'Long-name-of-a-fifth' }).tap();
  await small.getByRole('region', { name: 'Player Long-name-of-a-fifth' }).waitFor();
  await sensors.getByRole('button', { name: 'Low' }).tap();

  await small.getByRole('region', { name: 'Player Low' }).waitFor();
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await phone.close();
});

describe('two fingers on the timeline', () => {
  const track = (where: Locator) => where.getByRole('slider', { name: 'Mission timeline' });

  async function pinch(target: Page, where: Locator, [from, to]: [from: number, to: number]) {
    // The mouse that opened the mission may rest over a button, whose tip then covers the track.
    await target.mouse.move(1, 1);
    await target.getByRole('tooltip').waitFor({ state: 'detached' });
    const { x, y, width, height } = (await track(where).boundingBox())!;
    const session = await target.context().newCDPSession(target);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number | null) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          apart === null
            ? []
            : [-1, 1].map((side, id) => ({ x: x + width / 2 + (side * apart) / 2, y: y + height / 2, id })),
      });
    await touch('touchStart', from);
    for (let step = 1; step <= 5; step += 1) await touch('touchMove', from + ((to - from) * step) / 5);
    await touch('touchEnd', null);
    await session.detach();
  }

  it('zoom in and out on a tablet, and leave the clock where it is', { tags: 'long' }, async () => {
    await recorded('Single');
    const tablet = await stage.signedIn({ width: 1100, height: 900, touch: true });
    const small = await openMission(tablet.page, 'Single');
    await small.getByText('16 s of 16 s').waitFor();
    await expect
      .poll(() => small.getByRole('region', { name: 'Player EO' }).getAttribute('data-frame-time-us'))
      .toBe(String(START_US));

    await pinch(tablet.page, small, [80, 320]);
    await small.getByText('4 s of 16 s').waitFor();
    await pinch(tablet.page, small, [320, 60]);
    await small.getByText('16 s of 16 s').waitFor();

    expect(await small.getByRole('region', { name: 'Player EO' }).getAttribute('data-frame-time-us')).toBe(
      String(START_US),
    );
    await tablet.close();
  });

  it('zoom on a phone, where one finger scrubs', { tags: 'long' }, async () => {
    await recorded('Single');
    const phone = await stage.signedIn({ width: 390, height: 844, touch: true });
    const small = await openMission(phone.page, 'Single');
    const picture = small.getByRole('region', { name: 'Player EO' });
    await expect.poll(() => picture.getAttribute('data-frame-time-us')).toBe(String(START_US));
    const labels = () => track(small).locator('svg text').allTextContents();
    const before = await labels();

    await pinch(phone.page, small, [60, 240]);
    await expect.poll(labels).not.toEqual(before);
    expect(await picture.getAttribute('data-frame-time-us')).toBe(String(START_US));
    await pinch(phone.page, small, [300, 30]);
    await expect.poll(labels).toEqual(before);

    const { x, y, width, height } = (await track(small).boundingBox())!;
    await phone.page.touchscreen.tap(x + width * 0.75, y + height / 2);
    await expect
      .poll(async () => Math.round((Number(await picture.getAttribute('data-frame-time-us')) - START_US) / 1e6))
      .toBe(12);
    await phone.close();
  });
});

describe('long names of sensors', () => {
  const names = ['Sensor-1-rather-long', 'Sensor-2-rather-long', 'Forward-looking-camera-of-the-left-wing-1'];

  it('are distinguished in the rows of the timeline, each whole in its hint', { tags: 'long' }, async () => {
    const file = await stage.recordings.simulated('short.ts', { seconds: 2 });
    await stage.api.addRecorded({ name: 'Long' }, Object.fromEntries(names.map((name) => [name, file])));
    const own = await stage.signedIn({ width: 1440, height: 900 });
    const timeline = (await openMission(own.page, 'Long')).getByRole('region', { name: 'Mission timeline' });

    for (const name of names) {
      const label = timeline.getByLabel(`${name}, Time by KLV`);
      await label.waitFor();
      // The visible part of the name: each number is shown.
      const seen = await label.evaluate((row) => {
        const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
        let text = '';
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const { right } = node.parentElement!.getBoundingClientRect();
          for (let at = 0; at < node.textContent!.length; at += 1) {
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            if (range.getBoundingClientRect().right <= right + 0.5) text += node.textContent![at];
          }
        }
        return text;
      });
      expect(seen).toMatch(/^(?:Sensor-1|Sensor-2|Forward.*wing-1)/);
    }
    await shoot(own.page, 'view-long-names');
    const last = own.page.getByRole('region', { name: `Player ${names[2]}` });
    const end = async (element: Locator) => {
      const { x, width } = await boxOf(element);
      return x + width;
    };
    // The head keeps its label and what can be done in the picture.
    expect(await end(last.getByRole('button', { name: 'Full screen' }))).toBeLessThanOrEqual(await end(last));
    await own.close();
  });
});
