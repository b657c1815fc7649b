/// <reference lib="dom" />
import type { Room } from '@osprey/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMission } from '../tools/test-support/browser/screens.ts';
import { FLIGHT } from '../tools/test-support/data/recordings.ts';
import { expectPictures, joinInWindow, joinRoom, tile, videoFrames } from './support/calls.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true, hasSlowCameras: true });

/** How long the network is away: longer than any part of a page waits before it looks. */
const CUT_MS = 10_000;
const NAMES = ['Arvid', 'Berta', 'Caspar', 'Dagny', 'Eskil'];
/** Share of pictures that players may lose on an idle machine; on a busy one at most three times that. */
const LOST = 0.05 * (process.env.OSPREY_FIGURES ? 1 : 3);

type Account = { username: string; password: string };

let room: Room;
let people: Account[];

beforeAll(async () => {
  const { api } = stage;
  const group = await api.addGroup('Calls watch', 'RESTRICTED');
  people = await Promise.all(NAMES.map((name) => api.addUser(name, { clearance: 'RESTRICTED', groups: [group] })));
  const fields = { usergroups: ['Calls watch'], emptyTimeout: 300, maxParticipants: 6 };
  room = await api.send<Room>('POST', 'conference/rooms', { ...fields, name: 'Calls' });
});
// Registered after that of the stage, and so run before it.
afterAll(() => stage.api.send('DELETE', `conference/rooms/${room._id}`));

it('a call goes on by itself after the network was away for 10 s', { tags: 'long' }, async () => {
  const [admin, other] = await Promise.all([stage.signedIn(), stage.signedIn({}, people[0])]);
  const [one, two] = await Promise.all([joinInWindow(admin, room), joinInWindow(other, room)]);
  await Promise.all([expectPictures(one, 'Arvid'), expectPictures(two, 'admin')]);

  await other.context.setOffline(true);
  const away = new Promise((resolve) => setTimeout(resolve, CUT_MS));
  await two.getByText('The connection to the server was lost. Joining again.').waitFor();
  await tile(one, 'Arvid').waitFor({ state: 'detached' });
  await away;
  await other.context.setOffline(false);

  await two.getByText('The connection to the server was lost. Joining again.').waitFor({ state: 'detached' });
  await Promise.all([expectPictures(one, 'Arvid'), expectPictures(two, 'admin')]);
  await Promise.all([admin.close(), other.close()]);
});

/** A small camera of its own: six machines are one here, and thirty pictures are sent and drawn at the same time. */
const withSmallCamera = (page: Page, nth: number) =>
  page.addInitScript((nth) => {
    const devices = navigator.mediaDevices;
    const ask = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (requested) => {
      if (!requested?.video) return ask(requested);
      const cameras = (await devices.enumerateDevices()).filter(({ kind }) => kind === 'videoinput');
      return ask({ ...requested, video: { width: 160, height: 120, frameRate: 5, deviceId: cameras[nth]!.deviceId } });
    };
  }, nth);

it('six people see each other, and a seventh reads that the room is full', { tags: 'long' }, async () => {
  const calls: Page[] = [];
  const visitors: Visitor[] = [];
  for (const account of [undefined, ...people]) {
    const visitor = await stage.signedIn({}, account, '/about');
    visitors.push(visitor);
    const { page } = visitor;
    await withSmallCamera(page, calls.length);
    await joinRoom(page, room);
    calls.push(page);
  }

  for (const [index, call] of calls.entries()) {
    for (const name of ['admin', ...NAMES].filter((_, at) => at !== index)) {
      await tile(call, name).locator('audio').waitFor({ state: 'attached' });
      await expect
        .poll(() =>
          tile(call, name)
            .getByText(/connecting|no connection/)
            .count(),
        )
        .toBe(0);
      await expectPictures(call, name);
    }
  }
  const phrases = await Promise.all(
    calls.map((call) => call.getByRole('note', { name: /^Six words: / }).getAttribute('aria-label')),
  );
  expect(new Set(phrases).size).toBe(1);
  const late = await stage.api.addUser('Frode', { clearance: 'RESTRICTED', groups: [await groupId()] });
  const seventh = await stage.signedIn({}, late, '/about');
  await seventh.page.goto(`/conference#room=${room._id}`);
  await seventh.page.getByRole('button', { name: 'Join', exact: true }).click();
  await seventh.page.getByText('Room Calls is full: 6 people are in it.').waitFor();
  await Promise.all([...visitors, seventh].map((visitor) => visitor.close()));
});

const groupId = async () => (await stage.api.groups()).find(({ name }) => name === 'Calls watch')!._id;

it('players lose hardly any pictures while a call runs', { tags: 'long' }, async () => {
  const eo = await stage.recordings.simulated('eo.ts', { ...FLIGHT, bFrames: 2 });
  await stage.api.addRecorded({ name: 'Flight-in-a-call', audience: 'everyone' }, { EO: eo });
  const [admin, other] = await Promise.all([
    stage.signedIn({ width: 1440, height: 900 }),
    stage.signedIn({}, people[0]),
  ]);
  const [one, two] = await Promise.all([joinInWindow(admin, room), joinInWindow(other, room)]);
  await Promise.all([expectPictures(one, 'Arvid'), expectPictures(two, 'admin')]);
  await admin.page.bringToFront();
  await openMission(admin.page, 'Flight-in-a-call');
  const player = admin.page.getByRole('region', { name: 'Player EO' });
  const timeUs = async () => Number(await player.getAttribute('data-frame-time-us'));
  const video = player.locator('video').first();
  await expect.poll(timeUs).toBeGreaterThan(0);
  const start = await timeUs();
  await admin.page.keyboard.press('Space');
  await expect.poll(timeUs).toBeGreaterThan(start + 2_000_000);
  const before = await videoFrames(video);
  await expect.poll(timeUs).toBeGreaterThan(start + 22_000_000);
  const after = await videoFrames(video);

  const [total, dropped] = [after.total - before.total, after.dropped - before.dropped];
  console.log(`of ${total} pictures ${dropped} were lost during a call`);
  expect(total).toBeGreaterThan(400);
  expect(dropped / total).toBeLessThan(LOST);
  await expectPictures(two, 'admin');
  await Promise.all([admin.close(), other.close()]);
});
