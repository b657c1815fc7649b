/// <reference lib="dom" />
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { containerFile, withTracks } from '../apps/server/test/containers.ts';
import { takeApart, written } from '../apps/server/test/remux.ts';
import { zipOf } from '../apps/server/test/zip-writer.ts';
import {
  adminMode,
  dialog,
  openMission,
  openTelemetry,
  row,
  shoot,
  waitForReady,
} from '../tools/test-support/browser/screens.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true });

const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;

let watched: Visitor;
let page: Page;
let form: Locator;
let paths: string[];
let one: Buffer;
let other: Buffer;

/** The pictures of a recording alone: its telemetry would date it before a manifest does. */
const picturesOf = (bytes: Buffer): Buffer => {
  const pictures = takeApart(bytes).filter(({ isVideo }) => isVideo);
  return written(
    { streams: [{ pid: 256, kind: 'h264' }] },
    pictures.map((unit) => ({ ...unit, pid: 256 })),
  );
};

type Dropped = { name: string; type: string; bytes: Buffer };

const button = (name: string) => form.getByRole('button', { name, exact: true });
const drop = () => form.getByText('Drop *.ts files, *.zip HLS archives or manifests');

/** Lets files go over the drop area, as a drag from a folder does. */
async function dropFiles(files: readonly Dropped[]) {
  const plain = files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString('base64') }));
  const dataTransfer = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const { name, type, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type }));
    }
    return transfer;
  }, plain);
  await drop().dispatchEvent('dragover', { dataTransfer });
  await drop().dispatchEvent('drop', { dataTransfer });
  for (const { name } of files) await form.getByRole('button', { name: `Remove ${name}` }).waitFor();
}

async function openSensorsStep(name: string) {
  await page.goto(`/missions?search=${name}`);
  await page.getByText('No missions match').waitFor();
  await page.getByRole('button', { name: 'Add mission' }).click();
  form = dialog(page, 'New mission');
  await form.getByLabel('Name').fill(name);
  await button('Next').click();
  await button('Skip').click();
  await drop().waitFor();
}

async function create(name: string) {
  await button('Create').click();
  await form.waitFor({ state: 'detached' });
  await waitForReady(page, name);
  return stage.api.untilReady(name);
}

beforeAll(async () => {
  paths = await Promise.all([
    stage.recordings.simulated('one.ts', { seconds: 4 }),
    stage.recordings.simulated('other.ts', { seconds: 4, seed: 2 }),
  ]);
  [one, other] = (await Promise.all(paths.map((path) => readFile(path)))) as [Buffer, Buffer];
  watched = await stage.signedIn({ width: 1600, height: 900 });
  page = watched.page;
  page.on('dialog', (question) => void question.accept());
  await adminMode(page);
});

describe('the drop area of a sensor', () => {
  it('takes a .zip HLS archive, which becomes the streams of its playlist', async () => {
    const playlist = ['#EXTM3U', '#EXT-X-TARGETDURATION:4', '#EXTINF:4,', 'a/1.ts', '#EXT-X-ENDLIST'].join('\n');
    const zip = zipOf([
      { name: 'index.m3u8', data: Buffer.from(playlist) },
      { name: 'a/1.ts', data: one },
    ]);
    // Bandwidth low enough for the table to show the upload before it ends.
    const network = await watched.context.newCDPSession(page);
    const slow = (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, downloadThroughput: -1 },
        uploadThroughput,
      });

    await openSensorsStep('Archive');
    await dropFiles([{ name: 'flight.zip', type: 'application/zip', bytes: zip }]);
    await shoot(page, 'dialog-archive');
    await slow(zip.length / 20);
    await button('Create').click();
    await row(page, 'Archive')
      .getByText(/^Uploading \d+ %/)
      .first()
      .waitFor();
    await slow(-1);
    await network.detach();
    await waitForReady(page, 'Archive');
    const { sensors, startTime } = await stage.api.untilReady('Archive');

    expect(sensors[0]?.assets.map(({ name }) => name)).toContain('flight.ts');
    expect(startTime).toBe(START_US);
  });

  it('takes a manifest, which orders the uploaded files, checks them and says when they were', {
    tags: 'long',
  }, async () => {
    const begun = Date.parse('2026-03-02T06:00:00Z');
    const [first, second] = [picturesOf(one), picturesOf(other)];
    const manifest = {
      files: [
        {
          name: 'z.ts',
          startTime: new Date(begun).toISOString(),
          sha256: createHash('sha256').update(first).digest('hex'),
        },
        { name: 'a.ts', startTime: new Date(begun + 60_000).toISOString() },
      ],
    };

    await openSensorsStep('Manifest');
    await dropFiles([
      { name: 'a.ts', type: 'video/mp2t', bytes: second },
      { name: 'z.ts', type: 'video/mp2t', bytes: first },
      { name: 'flight.json', type: 'application/json', bytes: Buffer.from(JSON.stringify(manifest)) },
    ]);
    await create('Manifest');

    // The manifest may arrive last: then the files are put in order again.
    await expect.poll(async () => (await stage.api.mission('Manifest')).startTime).toBe(begun * 1000);
    await expect
      .poll(async () => Math.round(((await stage.api.mission('Manifest')).endTime! - begun * 1000) / 1e6))
      .toBe(64);
  });

  it('takes an MP4 as a drone saves it, which plays with the telemetry in it', async () => {
    const units = takeApart(one).filter(({ isVideo }) => !isVideo);
    const samples = units.map(({ bytes, ptsTicks }, n) => ({
      bytes,
      ticks: (units[n + 1]?.ptsTicks ?? ptsTicks + 3600) - ptsTicks,
    }));
    const pictures = containerFile('pictures.mp4', ['-i', paths[0]!, '-map', '0:v', '-c', 'copy']);
    const mp4 = withTracks(pictures, [{ handler: 'meta', coding: 'mett', timescale: 90_000, samples }]);

    await openSensorsStep('Container');
    await form.getByText('MP4, MOV and MKV recordings, telemetry files').waitFor();
    await dropFiles([{ name: 'DJI_0001.MP4', type: 'video/mp4', bytes: mp4 }]);
    await shoot(page, 'dialog-container');
    const { sensors, startTime } = await create('Container');

    expect(sensors[0]).toMatchObject({ timeSource: 'klv', assets: [{ kind: 'mp4', name: 'DJI_0001.MP4' }] });
    expect(startTime).toBe(START_US);
    const view = await openMission(page, 'Container');
    const video = view.locator('video').first();
    await expect.poll(() => video.evaluate((element) => (element as HTMLVideoElement).videoWidth)).toBeGreaterThan(0);
    await openTelemetry(view);
    const shown = page.locator('[data-part="telemetry-panel"]');
    await expect
      .poll(async () => Number(await shown.getAttribute('data-record-time-us')))
      .toBeGreaterThanOrEqual(START_US);
    await shoot(page, 'view-container');
  });

  it('takes plain text as the telemetry of a recording that has none', async () => {
    const csv = ['time,13,14,5', ...[0, 1, 2, 3].map((second) => `2026-06-01T09:00:0${second}Z,37.6,24.3,90`)].join(
      '\n',
    );
    const bare = paths[0]!.replace('one.ts', 'bare.ts');
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', paths[0]!, '-map', '0:v', '-c', 'copy', bare]);

    await openSensorsStep('Sidecar');
    await dropFiles([
      { name: 'bare.ts', type: 'video/mp2t', bytes: await readFile(bare) },
      { name: 'track.csv', type: 'text/plain', bytes: Buffer.from(csv) },
    ]);
    const { _id, sensors } = await create('Sidecar');

    await expect
      .poll(async () => {
        const health = await stage.api.send<{ sets: number }>('GET', `sensors/klv-health/${_id}/${sensors[0]!._id}`);
        return health.sets;
      })
      .toBe(4);
  });

  it('takes more files for a sensor that is there, and sends them at once', { tags: 'long' }, async () => {
    await page.goto('/missions?search=Archive');
    await row(page, 'Archive').hover();
    await row(page, 'Archive').getByRole('button', { name: 'Edit Archive' }).click();
    form = dialog(page, 'Edit mission');
    await form.getByRole('listitem').filter({ hasText: 'Sensors' }).getByRole('button').click();
    await drop().waitFor();
    const sent = page.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.url().includes('/api/uploads'),
    );
    await dropFiles([{ name: 'later.ts', type: 'video/mp2t', bytes: other }]);
    await button('Update').click();

    expect((await sent).ok()).toBe(true);
    await expect
      .poll(async () => (await stage.api.mission('Archive')).sensors[0]?.assets.map(({ name }) => name))
      .toContain('later.ts');
  });
});

describe('the fields of a mission', () => {
  /** Each time a warning is shown for a sensor without files; elements below the message cannot be found by role. */
  async function warnedOfNoFiles() {
    const warning = page.getByRole('alertdialog', { name: 'Warning' });
    await warning.getByText('Fields/EO/IR does not have files to upload').waitFor();
    await warning.getByRole('button', { name: 'OK' }).click();
    await warning.waitFor({ state: 'detached' });
  }

  it('country, tags, rating and platform are edited in the dialog and shown in the table', async () => {
    await stage.api.addMission({ name: 'Fields' });
    await page.goto('/missions?search=Fields');
    await row(page, 'Fields').hover();
    await row(page, 'Fields').getByRole('button', { name: 'Edit Fields' }).click();
    form = dialog(page, 'Edit mission');
    await form.getByLabel('Country').fill('Gree');
    await page.getByRole('option', { name: 'Greece' }).click();
    await form.getByLabel('Tags').fill('night shift');
    await page.keyboard.press('Enter');
    await form.getByRole('radio', { name: '4 Stars' }).focus();
    await form.locator('label').filter({ hasText: '4 Stars' }).click();
    await shoot(page, 'dialog-edit-general');
    await form.getByRole('listitem').filter({ hasText: 'Presentation' }).getByRole('button').click();
    await form.getByLabel('Platform name').fill('Heron');
    await form.getByRole('combobox', { name: 'Platform type' }).click();
    await page.getByRole('option', { name: 'Helicopter' }).click();
    await form.getByRole('button', { name: 'Colour #A3D14B' }).click();
    await form.getByLabel('Sort order').fill('7');
    await shoot(page, 'dialog-edit-presentation');
    await button('Update').click();
    await form.waitFor({ state: 'detached' });
    await warnedOfNoFiles();

    const cells = row(page, 'Fields');
    await cells.getByRole('img', { name: '4 of 5 stars' }).waitFor();
    await cells.getByText('Heron').waitFor();
    await cells.getByText('Greece').waitFor();
    const flag = cells.locator('img[src*="GR"]');
    await expect.poll(() => flag.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    expect(await stage.api.mission('Fields')).toMatchObject({
      country_code: 'GR',
      tags: ['night shift'],
      rating: 4,
      sortOrder: 7,
      platform: { name: 'Heron', type: 'Helicopter', presentation: { color: '#a3d14b' } },
    });
  });

  it('are taken back as they were typed: rating and country can be cleared', async () => {
    await row(page, 'Fields').hover();
    await row(page, 'Fields').getByRole('button', { name: 'Edit Fields' }).click();
    form = dialog(page, 'Edit mission');
    await form.getByLabel('Country').fill('');
    await form.locator('label').filter({ hasText: '4 Stars' }).click();
    await button('Update').click();
    await form.waitFor({ state: 'detached' });
    await warnedOfNoFiles();

    await row(page, 'Fields').getByRole('img', { name: '4 of 5 stars' }).waitFor({ state: 'detached' });
    expect(await stage.api.mission('Fields')).toMatchObject({ country_code: null, rating: 0 });
  });
});
