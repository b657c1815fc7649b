/// <reference lib="dom" />
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Mission } from '@osprey/contract';
import type { Locator, Page } from 'playwright-core';
import { simulateToFile } from '../simulator/src/index.ts';
import {
  adminMode,
  chooseFiles,
  dialog,
  dropOnPage,
  openMission,
  openTable,
  row,
  table,
  untilListed,
} from '../test-support/browser/screens.ts';
import { POLARIS, sendShips } from '../test-support/data/ais.ts';
import { type Api, apiOf } from '../test-support/data/api.ts';
import { freeUdpPort } from '../test-support/data/platforms.ts';
import { SMALL } from '../test-support/data/recordings.ts';
import type { RunningServer } from '../test-support/server.ts';
import { onePixelPng, writeMbtiles } from '../test-support/tile-files.ts';
import { type Prepared, untilOnline } from './prepare.ts';

export const WIDTH = 1280;

export type Stage = {
  page: Page;
  server: RunningServer;
  api: Api;
  prepared: Prepared;
  /** Path of a recording for the dialog. */
  recording: string;
  /** Makes KEA-1 send its stream from now on. */
  fly: () => Promise<void>;
};

export type Scene = {
  name: string;
  height?: number;
  /**
   * Brings the page into the state for the picture; returns the part of the page to capture, or null for the whole
   * page.
   */
  show: (stage: Stage) => Promise<Locator | null>;
};

const grid = (page: Page, name: string) => page.getByRole('treegrid', { name });
const line = (page: Page, name: string, text: string) =>
  grid(page, name)
    .getByRole('row')
    .filter({ has: page.getByText(text, { exact: true }) });

const LOOKS = 20;

/** Waits until this part of the page no longer changes: its pictures are loaded and its map is drawn. */
async function untilStill(part: Locator): Promise<void> {
  let before = '';
  for (let look = 0; look < LOOKS; look += 1) {
    const now = (await part.screenshot({ animations: 'disabled' })).toString('base64');
    if (now === before) return;
    before = now;
  }
  throw new Error('The page does not come to rest.');
}

async function showMissions({ page }: Stage): Promise<null> {
  await page.goto('/missions');
  await untilListed(page);
  for (const name of ['PATROL-KEA', 'HARBOUR-WATCH', 'FERRY-LANE', 'CABLE-SURVEY']) {
    await row(page, name).getByText('Ready').waitFor();
  }
  await untilStill(page.getByRole('main'));
  return null;
}

async function showMission({ page }: Stage): Promise<Locator> {
  await page.goto('/missions');
  await untilListed(page);
  const view = await openMission(page, 'PATROL-KEA');
  for (const sensor of ['EO', 'IR']) {
    await view
      .getByRole('region', { name: `Player ${sensor}` })
      .and(view.locator('[data-frame-time-us]'))
      .waitFor();
  }
  // Wait for the map, which is drawn after the picture.
  await view.locator('[data-part="platform-marker"][data-record-time-us]').waitFor();
  return view;
}

async function showKeyFrameOf(view: Locator): Promise<void> {
  await view.page().keyboard.press('ArrowRight');
  await untilStill(view);
}

async function showAdmin({ page }: Stage): Promise<void> {
  await page.goto('/admin');
  await page.getByRole('region', { name: 'Server', exact: true }).getByText('Online').waitFor();
  await page.getByText('1 online').waitFor();
  await table(page).getByText('PATROL-KEA').waitFor();
}

async function inDialog(page: Page, name: string | RegExp): Promise<Locator> {
  const form = dialog(page, name);
  await form.waitFor();
  return form;
}

/** Shows two shapes off the island, with the larger one selected. */
async function showAnnotations({ page, api }: Stage): Promise<null> {
  const corners = [
    [24.13, 37.53],
    [24.19, 37.51],
    [24.18, 37.45],
    [24.1, 37.44],
    [24.08, 37.49],
    [24.13, 37.53],
  ];
  const drift = [
    [24.06, 37.4],
    [24.13, 37.41],
    [24.19, 37.39],
    [24.23, 37.42],
  ];
  await api.send('POST', 'annotations', {
    title: 'Search area 2',
    annotationType: 'GeoJson',
    securityClassification: 'UNCLASSIFIED',
    audience: 'everyone',
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { featureTitle: 'Search area 2' },
        geometry: { type: 'Polygon', coordinates: [corners] },
      },
      {
        type: 'Feature',
        properties: { featureTitle: 'Drift line', stroke: '#5BA4F5' },
        geometry: { type: 'LineString', coordinates: drift },
      },
    ],
  });
  await page.goto('/missions');
  await untilListed(page);
  await page.getByRole('tab', { name: 'Annotations' }).click();
  await line(page, 'Annotations', 'Search area 2').click();
  await page.getByRole('button', { name: 'Edit annotation' }).click();
  const edited = dialog(page, 'Edit annotation');
  await edited.getByRole('tab', { name: 'Map' }).click();
  await edited.locator('[data-map=ready]').waitFor();
  await edited.getByRole('option', { name: /^Search area 2/ }).click();
  await untilStill(edited);
  return null;
}

/** Scenes in the order in which they are taken; those that change data come last. */
export const scenes: readonly Scene[] = [
  { name: 'missions', show: showMissions },
  { name: 'annotations', show: showAnnotations },
  {
    name: 'account',
    async show({ page }) {
      await page.goto('/documents');
      await grid(page, 'Documents').waitFor();
      await page.getByRole('button', { name: 'Account of admin' }).click();
      await page.getByRole('menuitem', { name: 'Sessions' }).click();
      const form = await inDialog(page, 'Your sessions');
      await form.getByText('This session').waitFor();
      return form;
    },
  },
  {
    name: 'new-mission',
    async show({ page, recording }) {
      await page.goto('/missions');
      await untilListed(page);
      await adminMode(page);
      await page.getByRole('button', { name: 'Add mission' }).click();
      const form = await inDialog(page, 'New mission');
      await form.getByLabel('Name').fill('PATROL-ANDROS');
      await form.getByLabel('Description').fill('Search north of Andros');
      await form.getByRole('button', { name: 'Next' }).click();
      await form.getByRole('button', { name: 'Skip' }).click();
      await chooseFiles(page, 'EO/IR', [recording]);
      return form;
    },
  },
  {
    name: 'add-missions',
    async show({ page, recording }) {
      const folder = join(dirname(recording), 'Andros');
      for (const [name, sensor] of [
        ['morning/EO/part-1.ts', 1],
        ['morning/IR/part-1.ts', 2],
        ['evening/EO/part-1.ts', 1],
      ] as const) {
        const startUs = Date.UTC(2026, 4, 14, name.startsWith('morning') ? 6 : 18) * 1000;
        const options = { startUs, sensor, mission: `ANDROS ${name.split('/')[0]!.toUpperCase()}` };
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await simulateToFile({ ...SMALL, seconds: 2, ...options }, join(folder, name));
      }
      await page.goto('/missions');
      await untilListed(page);
      await dropOnPage(page, [folder]);
      const form = await inDialog(page, 'Add missions');
      await form.getByRole('button', { name: 'Create 2 missions' }).waitFor();
      return form;
    },
  },
  {
    name: 'label-reason',
    async show({ page }) {
      await page.goto('/missions');
      await untilListed(page);
      await row(page, 'FERRY-LANE').hover();
      await row(page, 'FERRY-LANE').getByRole('button', { name: 'Edit FERRY-LANE' }).click();
      const form = await inDialog(page, 'Edit mission');
      await form.getByRole('combobox', { name: 'Usergroup' }).click();
      await page.getByRole('option', { name: 'Everyone (all users)' }).click();
      await page.keyboard.press('Escape');
      await form.getByText(/^Lowering the label or opening the mission to more people needs a reason\./).waitFor();
      await form.getByLabel('Reason').fill('Shown to the harbour office');
      return form;
    },
  },
  {
    name: 'mission',
    height: 880,
    async show(stage) {
      const view = await showMission(stage);
      await showKeyFrameOf(view);
      return null;
    },
  },
  {
    name: 'klv-health',
    height: 720,
    async show(stage) {
      const { page } = stage;
      const view = await showMission(stage);
      await view.getByRole('button', { name: 'KLV health' }).click();
      const health = view.getByRole('region', { name: 'KLV health' });
      await health.getByText('Findings').waitFor();
      await untilStill(page.getByRole('main'));
      return null;
    },
  },
  {
    name: 'clips',
    async show(stage) {
      const { page } = stage;
      await showMission(stage);
      for (const key of ['Home', 'i', 'ArrowRight', 'o', 'e']) await page.keyboard.press(key);
      await dialog(page, 'Export clip')
        .getByText(/key frame/)
        .waitFor();
      return inDialog(page, 'Export clip');
    },
  },
  {
    name: 'keys',
    async show(stage) {
      const view = await showMission(stage);
      await view.page().keyboard.press('?');
      return inDialog(stage.page, 'Keyboard shortcuts');
    },
  },
  {
    name: 'find-by-place',
    async show({ page }) {
      const shape = { type: 'Circle', centre: [24.29394, 37.68303], radiusM: 600 };
      await page.goto(`/find?shape=${encodeURIComponent(JSON.stringify(shape))}`);
      const results = page.getByRole('region', { name: 'When it was seen' });
      const first = results.getByRole('button', { name: /^Play / }).first();
      await results.locator('img').first().waitFor();
      await page.locator('[data-map="ready"]').waitFor();
      await first.hover();
      await untilStill(results);
      return null;
    },
  },
  {
    name: 'documents',
    height: 720,
    async show({ page }) {
      await page.goto('/documents');
      await line(page, 'Documents', 'Patrol report').click();
      const viewer = page.getByRole('region', { name: 'Document Patrol report' });
      await viewer.getByRole('img', { name: 'Picture Patrol report' }).waitFor();
      await untilStill(viewer);
      return null;
    },
  },
  {
    name: 'admin',
    height: 900,
    async show(stage) {
      await showAdmin(stage);
      // The rate appears only after two measurements.
      await stage.page.getByRole('img', { name: /^Processor: \d+ % now/ }).waitFor();
      return null;
    },
  },
  {
    name: 'license',
    async show(stage) {
      const { page } = stage;
      await showAdmin(stage);
      await page.getByRole('button', { name: 'Update licence' }).click();
      const form = await inDialog(page, 'Update licence');
      await form.getByRole('tab', { name: 'Options' }).click();
      await form.getByText('Export of missions and clips').waitFor();
      return form;
    },
  },
  {
    name: 'platforms-file',
    async show(stage) {
      const { page, server, prepared } = stage;
      await showAdmin(stage);
      await page.getByRole('button', { name: 'Upload configuration' }).click();
      const path = join(server.dataFolder, 'platforms.yml');
      await writeFile(path, prepared.changedPlatforms);
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Choose files for the configuration' }).click(),
      ]);
      await chooser.setFiles([path]);
      const form = await inDialog(page, 'Platform configuration');
      await form.getByRole('button', { name: 'Apply' }).waitFor();
      return form;
    },
  },
  {
    name: 'health',
    height: 860,
    async show({ page }) {
      await page.goto('/admin/health');
      await page.getByRole('listitem').filter({ hasText: 'Database' }).first().waitFor();
      return null;
    },
  },
  {
    name: 'users',
    height: 760,
    async show({ page }) {
      await page.goto('/users');
      await line(page, 'Users', 'group-admin').click();
      await page.getByRole('complementary', { name: 'User group-admin' }).getByLabel('Company').waitFor();
      return null;
    },
  },
  {
    name: 'roles',
    height: 760,
    async show({ page }) {
      await page.goto('/users');
      await page.getByRole('button', { name: 'Add user' }).click();
      const form = await inDialog(page, 'New user');
      await form.getByRole('combobox', { name: 'Role' }).click();
      await page.getByRole('option', { name: 'Group admin' }).waitFor();
      return null;
    },
  },
  {
    name: 'usergroups',
    height: 800,
    async show({ page }) {
      await page.goto('/usergroups');
      await line(page, 'Usergroups', 'Coast watch').click();
      const detail = page.getByRole('complementary', { name: 'Usergroup Coast watch' });
      await detail.getByText('operator', { exact: true }).waitFor();
      return null;
    },
  },
  {
    name: 'activity',
    height: 640,
    async show({ page, server }) {
      const analyst = apiOf(server.address, { username: 'analyst', password: 'Kestrel-analyst-over-sea' });
      for (const name of ['FERRY-LANE', 'PATROL-KEA']) await analyst.mission(name);
      await page.goto('/useractivity');
      await grid(page, 'User activity').getByRole('row').filter({ hasText: 'analyst' }).first().waitFor();
      return null;
    },
  },
  {
    name: 'audit',
    height: 640,
    async show({ page }) {
      await page.goto('/useractivity');
      await page.getByRole('button', { name: 'Audit', exact: true }).click();
      await grid(page, 'Audit').locator('[role=row][data-index="0"]').waitFor();
      return null;
    },
  },
  {
    name: 'storage',
    height: 640,
    async show({ page, api }) {
      const rule = { days: 365, platform: 'ROV-2' };
      await page.goto('/storage?tab=retention');
      await page.getByRole('button', { name: 'Add rule' }).click();
      const form = await inDialog(page, 'New retention rule');
      await form.getByLabel('Days').fill(String(rule.days));
      await form.getByLabel('Platform').fill(rule.platform);
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('table', { name: 'Retention rules' }).getByText(rule.platform).waitFor();
      await form.waitFor({ state: 'detached' });
      await api.send('DELETE', 'missions', { missions: ['NIGHT-TRANSIT'] });
      await page.getByText('The rule was saved.').waitFor({ state: 'detached' });
      return null;
    },
  },
  {
    name: 'units',
    height: 700,
    async show({ page }) {
      await page.goto('/missions');
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Units and coordinates' }).click();
      const shown = await inDialog(page, 'Units and coordinates');
      await shown.getByText('Decimal degrees').waitFor();
      return shown;
    },
  },
  {
    name: 'map-layers',
    height: 480,
    async show({ page, server }) {
      const folder = join(server.dataFolder, 'tiles');
      await mkdir(folder, { recursive: true });
      const bytes = onePixelPng(40, 90, 120);
      writeMbtiles(
        join(folder, 'aegean-charts.mbtiles'),
        { name: 'Aegean charts', format: 'png', minzoom: '5', maxzoom: '14' },
        [{ z: 5, x: 18, y: 12, bytes }],
      );
      await page.goto('/storage?tab=tiles');
      await page.getByRole('table', { name: 'Map layers' }).getByText('Aegean charts').waitFor();
      return null;
    },
  },
  {
    name: 'backups',
    height: 560,
    async show({ page }) {
      await page.goto('/backups');
      await page.getByRole('button', { name: 'Create backup' }).click();
      await grid(page, 'Backups')
        .getByRole('row')
        .filter({ hasText: 'manual' })
        .filter({ hasText: /Verified/ })
        .waitFor();
      await page.getByText(/^Backup .* begins\.$/).waitFor({ state: 'detached' });
      return null;
    },
  },
  {
    name: 'live',
    async show({ page, api, fly }) {
      await fly();
      await untilOnline(api);
      await page.goto('/live');
      const player = page.getByRole('region', { name: 'Player KEA-1 EO' });
      await player.getByText('LIVE', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Show KEA-1' }).waitFor();
      await player.getByRole('button', { name: /^Playback/ }).click();
      await page.getByRole('menuitemradio', { name: /^WebRTC/ }).waitFor();
      return null;
    },
  },
  {
    name: 'platforms',
    height: 560,
    async show({ page, api, fly }) {
      await fly();
      await untilOnline(api);
      await page.goto('/platforms');
      await line(page, 'Platforms', 'KEA-1').getByText('Online').waitFor();
      await page.getByRole('button', { name: 'Show sensors of KEA-1' }).click();
      await page.getByText(/H\.264 640 × 360/).waitFor();
      return null;
    },
  },
  {
    name: 'bookmarks',
    height: 880,
    async show(stage) {
      const { page, api } = stage;
      const [kea] = await api.send<Mission[]>('GET', 'missions/brief?search=PATROL-KEA');
      const sensor = kea!.sensors[0]!._id;
      for (const [title, position] of [
        ['Take-off', 1],
        ['Small craft leaves stern', 3],
      ] as const) {
        await api.send('POST', 'bookmarks', { missionIdOrName: kea!._id, sensorIdOrName: sensor, title, position });
      }
      await openTable(await showMission(stage));
      await page.getByRole('tab', { name: 'Bookmarks' }).click();
      await grid(page, 'Bookmarks').getByText('Take-off').click();
      await untilStill(page.getByRole('main'));
      return null;
    },
  },
  {
    name: 'cases',
    height: 880,
    async show({ page, api }) {
      const [kea] = await api.send<Mission[]>('GET', 'missions/brief?search=PATROL-KEA');
      const sensor = kea!.sensors[0]!;
      const place = { missionIdOrName: kea!._id, sensorIdOrName: sensor._id };
      const craft = { ...place, title: 'Craft alongside the ferry', position: 2 };
      const { _id: bookmarkId } = await api.send<{ _id: string }>('POST', 'bookmarks', craft);
      const documents = await api.send<{ _id: string; title: string }[]>('GET', 'documents?search=Patrol');
      const made = await api.send<{ _id: string }>('POST', 'cases', {
        ...{
          name: 'Collision off Kea',
          description: 'What three sources show of the morning of 1 June',
          audience: 'everyone',
        },
        securityClassification: 'UNCLASSIFIED',
        parts: [
          { kind: 'bookmark', bookmarkId, remark: 'First picture in which both are in sight.' },
          {
            ...{ kind: 'track', sensorId: sensor._id, title: 'The way of the ferry', remark: '' },
            ...{ startTime: kea!.startTime, endTime: kea!.endTime },
          },
          ...documents.slice(0, 1).map(({ _id }) => ({ kind: 'document', documentId: _id, remark: '' })),
          { kind: 'note', title: 'What is still open', text: 'Who saw the craft **before 09:00 Z**?' },
        ],
      });
      await page.goto(`/cases/${made._id}`);
      await page.getByRole('list', { name: 'Parts' }).getByText('What is still open').waitFor();
      await page.locator('[data-map="ready"]').waitFor();
      await untilStill(page.getByRole('main'));
      return null;
    },
  },
  {
    name: 'conference',
    height: 640,
    async show({ page, api }) {
      const limits = { emptyTimeout: 600, maxParticipants: 6 };
      await api.send('POST', 'conference/rooms', { ...limits, name: 'Watch floor', usergroups: ['Coast watch'] });
      await api.send('POST', 'conference/rooms', { ...limits, name: 'Open briefing', usergroups: ['Demo'] });
      await page.goto('/missions');
      await page.getByRole('button', { name: 'Conference, 0 in use' }).click();
      const dialog = page.getByRole('dialog', { name: 'Conference rooms' });
      await dialog.getByRole('button', { name: 'Join Watch floor' }).waitFor();
      return null;
    },
  },
  {
    // This scene comes late, since it adds a platform that earlier pictures must not show.
    name: 'ships',
    async show({ page, api }) {
      const port = await freeUdpPort();
      await api.send('POST', 'platforms', {
        ...{ name: 'HARBOUR', type: 'Ship', securityClassification: 1, audience: 'everyone', autostart: true },
        sensors: [{ name: 'AIS', type: 'ais', url: `udp://127.0.0.1:${port}` }],
      });
      const stop = sendShips(port);
      await api.send('POST', 'shiplists', {
        ...{ name: 'Tankers to watch', colour: '#e879c7', securityClassification: 1, audience: 'everyone' },
        ships: [
          { mmsi: POLARIS.mmsi, note: 'no papers' },
          { mmsi: 355_906_000, note: '' },
        ],
      });
      try {
        await page.goto('/live');
        await page.getByRole('tab', { name: 'AIS' }).click();
        await page.getByRole('img', { name: 'On the ship list Tankers to watch' }).first().waitFor();
        await line(page, 'Ships', 'POLARIS BAY').click();
        await page.getByRole('region', { name: 'Map' }).locator('svg').getByText('POLARIS BAY').first().waitFor();
      } finally {
        stop();
      }
      return null;
    },
  },
];
