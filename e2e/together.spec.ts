/// <reference lib="dom" />
import type { LivePlatform, Mission, Room } from '@osprey/contract';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMission, shoot } from '../tools/test-support/browser/screens.ts';
import { freeUdpPort } from '../tools/test-support/data/platforms.ts';
import { FLIGHT } from '../tools/test-support/data/recordings.ts';
import { seriousViolationsInBothSchemes } from './support/axe.ts';
import { joinInWindow } from './support/calls.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true });

const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;
const SIZE = { width: 1440, height: 900 };
/** The figure is 500 ms on an idle machine; this one runs two browsers and a server together with other tests. */
const TOGETHER_MS = 500 * 4;

let mission: Mission;
let room: Room;
let tove: { id: string; username: string; password: string };
/** Leads in both tests: their call and their page stay. */
let admin: Visitor;
let flyer: LivePlatform;

beforeAll(async () => {
  const { api, recordings } = stage;
  const [eo, ir, group] = await Promise.all([
    recordings.simulated('eo.ts', { ...FLIGHT, bFrames: 2 }),
    recordings.simulated('ir.ts', { ...FLIGHT, sensor: 2 }),
    api.addGroup('Together watch', 'RESTRICTED'),
  ]);
  [mission, tove] = await Promise.all([
    api.addRecorded({ name: 'Shared-flight', audience: 'everyone' }, { EO: eo, IR: ir }),
    api.addUser('Tove', { clearance: 'SECRET', groups: [group] }),
  ]);
  const fields = { usergroups: ['Together watch'], emptyTimeout: 300, maxParticipants: 4 };
  room = await api.send<Room>('POST', 'conference/rooms', { ...fields, name: 'Together' });
  await api.send('POST', 'platforms', {
    ...{ name: 'Together-flyer', securityClassification: 'UNCLASSIFIED', audience: 'everyone' },
    sensors: [{ name: 'EO', url: `udp://127.0.0.1:${await freeUdpPort()}` }],
  });
  flyer = (await api.send<LivePlatform[]>('GET', 'platforms')).find(({ name }) => name === 'Together-flyer')!;
});

// Registered after that of the stage, and so run before it.
afterAll(async () => {
  await admin.close();
  await stage.api.send('DELETE', `conference/rooms/${room._id}`);
  await stage.api.send('DELETE', `platforms/${flyer._id}`);
});

const bar = (page: Page): Locator => page.getByRole('region', { name: 'Looking together in Together' });
const player = (page: Page, sensor: string): Locator => page.getByRole('region', { name: `Player ${sensor}` });
const frameUs = async (page: Page) => Number(await player(page, 'EO').getAttribute('data-frame-time-us'));

/** When the picture of a moment came on screen. */
async function whenAt(page: Page, timeUs: number): Promise<number> {
  await page.waitForFunction(
    (requested) =>
      document.querySelector('section[aria-label="Player EO"]')?.getAttribute('data-frame-time-us') === requested,
    String(timeUs),
    { polling: 'raf' },
  );
  return Date.now();
}

const offUs = async (...pages: [Page, Page]): Promise<number> => {
  const [ahead, behind] = await Promise.all(pages.map(frameUs));
  return Math.abs(ahead! - behind!);
};

/** Where a page left its map: longitude, latitude, zoom. */
const placeOfMap = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const { center, zoom } = JSON.parse(localStorage.getItem('lastMapProps') ?? '{}') as {
      center: number[];
      zoom: number;
    };
    return [...center, zoom];
  });

/** The largest difference of degrees or zoom: what is sent is rounded, the zoom to thousandths. */
const apart = (one: number[], other: number[]): number =>
  Math.max(...one.map((value, at) => Math.abs(value - other[at]!)));

it('who follows sees the mission, the second, the sensors and the map of the leader, and where they point', async () => {
  const [first, other] = await Promise.all([stage.signedIn(SIZE), stage.signedIn(SIZE, tove)]);
  admin = first;
  const [one, two] = [admin.page, other.page];
  const [call] = await Promise.all([joinInWindow(admin, room), joinInWindow(other, room)]);
  await bar(one).getByRole('button', { name: 'Lead' }).click();
  await bar(one).getByText('You lead in room Together. Open a mission').waitFor();
  await bar(two).getByText('admin leads in room Together. You are not following.').waitFor();
  await bar(two).getByRole('button', { name: 'Follow' }).click();
  await bar(two).getByText('You are not following: admin shows nothing that you can see now').waitFor();

  await openMission(one, 'Shared-flight');
  await two.getByRole('region', { name: 'Mission Shared-flight' }).waitFor();
  await bar(two).getByText('You are following admin in room Together.').waitFor();
  await expect.poll(() => frameUs(two)).toBe(START_US);
  await one.getByRole('list', { name: 'Also looking at this mission' }).getByRole('img', { name: 'Tove' }).waitFor();
  await two.getByRole('list', { name: 'Also looking at this mission' }).getByRole('img', { name: 'admin' }).waitFor();
  await one.bringToFront();
  await one.keyboard.press('ArrowRight');
  const [ledMs, followedMs] = await Promise.all([one, two].map((page) => whenAt(page, START_US + 10_000_000)));
  if (process.env.OSPREY_FIGURES) console.log('followed after', followedMs! - ledMs!, 'ms');
  expect(followedMs! - ledMs!).toBeLessThan(TOGETHER_MS);
  await shoot(one, 'together-leader');
  await shoot(two, 'together-follower');
  expect(await seriousViolationsInBothSchemes(two)).toEqual([]);

  await one.keyboard.press('Space');
  await expect.poll(() => frameUs(two)).toBeGreaterThan(START_US + 12_000_000);
  await expect.poll(() => offUs(one, two)).toBeLessThan(TOGETHER_MS * 1000);
  await one.keyboard.press('Space');
  await expect.poll(() => offUs(one, two)).toBe(0);
  const map = (await one.getByRole('region', { name: 'Map', exact: true }).boundingBox())!;
  const place = await placeOfMap(one);
  const grip = { x: map.x + map.width * 0.3, y: map.y + map.height * 0.55 };
  await one.mouse.move(grip.x, grip.y);
  await one.mouse.down();
  await one.mouse.move(grip.x + 80, grip.y + 40, { steps: 4 });
  await one.mouse.up();
  await expect.poll(async () => apart(await placeOfMap(one), place)).toBeGreaterThan(0.001);
  await expect.poll(async () => apart(await placeOfMap(one), await placeOfMap(two))).toBeLessThan(0.001);
  await one.getByRole('button', { name: '2 sensors' }).click();
  await one.getByRole('menuitemcheckbox', { name: 'IR' }).click();
  await one.keyboard.press('Escape');
  await player(two, 'IR').waitFor({ state: 'detached' });

  await two.bringToFront();
  await bar(two).getByRole('button', { name: 'Point' }).click();
  await player(two, 'EO').hover();
  await player(one, 'EO').locator('[data-pointer="Tove"]').waitFor();
  await shoot(one, 'together-pointer');
  await two.getByRole('region', { name: 'Map', exact: true }).hover();
  await one.getByRole('region', { name: 'Map', exact: true }).locator('[data-pointer="Tove"]').waitFor();
  await two.keyboard.press('b');
  await two
    .getByRole('dialog', { name: /Create Bookmark/ })
    .getByLabel('Title')
    .fill('Seen together');
  await two.keyboard.press('Enter');
  await one
    .locator('[data-part="pins"]')
    .getByRole('button', { name: /^Seen together, / })
    .waitFor();

  await two.keyboard.press('ArrowRight');
  await two.getByText('You are no longer following.').waitFor();
  await bar(two).getByRole('button', { name: 'Follow' }).click();
  await expect.poll(() => offUs(one, two)).toBe(0);
  await call.getByRole('button', { name: 'Share the screen' }).click();
  await call.getByRole('alertdialog', { name: 'Share your screen' }).getByRole('button', { name: 'Share' }).click();
  await call.getByRole('button', { name: 'Stop sharing' }).waitFor();
  const { _id, name } = mission;
  await stage.api.send('PUT', 'missions', { _id, name, securityClassification: 'SECRET' });
  await bar(one).getByText('The label of room Together is RESTRICTED: this mission, SECRET, is not shown').waitFor();
  await bar(two).getByText('You are not following: admin shows nothing that you can see now').waitFor();
  await call.getByText('Sharing has ended: a page of Osprey in this browser shows SECRET').waitFor();
  await call.getByRole('button', { name: 'Share the screen' }).click();
  await call.getByText('which is above the label of the room, RESTRICTED. Close it first.').waitFor();
  await shoot(one, 'together-refused');
  await other.close();
});

it('a call is a strip over the missions on a phone, where one follows too, and goes by the keyboard alone', {
  tags: 'long',
}, async () => {
  await stage.api.send('PUT', 'missions', {
    ...{
      _id: mission._id,
      name: mission.name,
      securityClassification: 'UNCLASSIFIED',
      reason: 'The recording shows nothing',
    },
  });
  const other = await stage.signedIn({ width: 390, height: 844, touch: true }, tove);
  const call = other.page;
  await call.goto(`/conference#room=${room._id}`);
  await call.getByRole('heading', { name: 'Before you join' }).waitFor();
  await call.getByRole('button', { name: 'Join', exact: true }).focus();
  await call.keyboard.press('Enter');
  await call.getByRole('toolbar', { name: 'Conference' }).waitFor();
  const missions = call.frameLocator('iframe[title="Missions"]');
  const inside = missions.getByRole('region', { name: 'Looking together in Together' });
  await inside.getByRole('button', { name: 'Follow' }).click();
  await missions.getByRole('region', { name: 'Mission Shared-flight' }).waitFor();
  await expect
    .poll(() => missions.getByRole('region', { name: 'Player EO' }).getAttribute('data-frame-time-us'))
    .toBe(String(await frameUs(admin.page)));
  await missions.getByRole('list', { name: 'Also looking at this mission' }).waitFor();
  await shoot(call, 'call-strip-phone');
  await admin.page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Live' }).click();
  await admin.page.getByRole('row', { name: /Together-flyer/ }).click();
  await missions
    .getByRole('region', { name: 'Live view' })
    .locator(`[data-sensor-id="${flyer.sensors[0]!._id}"]`)
    .waitFor();
  await inside.getByText('You are following admin in room Together.').waitFor();
  await shoot(call, 'call-live-phone');
  expect(await seriousViolationsInBothSchemes(call)).toEqual([]);

  const press = async (name: string) => {
    await call.getByRole('button', { name, exact: true }).focus();
    await call.keyboard.press('Enter');
  };
  await press('Chat');
  await call.keyboard.type('Seen');
  await call.keyboard.press('Enter');
  await call.getByRole('log').getByText('Seen').waitFor();
  await call.keyboard.press('Escape');
  await expect.poll(() => call.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Chat');
  await press('Show the people');
  await call.getByRole('button', { name: 'Show the missions' }).waitFor();
  await shoot(call, 'call-whole-phone');
  await press('Show the missions');
  await press('Leave');
  await call.getByText('You left the room.').waitFor();
  await other.close();
});
