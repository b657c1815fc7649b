/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { pictureOf, shareOf, shoot } from '../tools/test-support/browser/screens.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { stageFor } from './support/stage.ts';

const FFMPEG = '/usr/bin/ffmpeg';
const itWithFfmpeg = existsSync(FFMPEG) ? it : it.skip;

/** A place of a document on the dark chart. */
const PLACE = [0x58, 0x65, 0xe0] as const;

const stage = stageFor({}, { isFine: true });
let page: Page;
let group: string;

const table = () => page.getByRole('treegrid', { name: 'Documents' });
const row = (title: string) =>
  table()
    .getByRole('row')
    .filter({ has: page.getByText(title, { exact: true }) });
const viewer = (title: string) => page.getByRole('region', { name: `Document ${title}` });
const rowCount = (text: string) => page.getByText(text, { exact: true }).waitFor();
const inAddress = (name: string) => new URL(page.url()).searchParams.get(name);

const area = (west: number, south: number, degrees: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + degrees, south],
      [west + degrees, south + degrees],
      [west, south + degrees],
      [west, south],
    ],
  ],
});

/** A PDF whose pages say these words. */
function pdfOf(pages: readonly string[]): string {
  const kids = pages.map((_text, n) => `${3 + 2 * n} 0 R`).join(' ');
  const font = '<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>';
  const each = pages.map((text, n) => {
    const drawn = `BT /F1 40 Tf 40 ${200 - 60 * n} Td (${text}) Tj ET`;
    return `${3 + 2 * n} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 300]/Contents ${4 + 2 * n} 0 R/Resources${font}>>endobj
${4 + 2 * n} 0 obj<</Length ${drawn.length}>>stream
${drawn}
endstream endobj`;
  });
  return `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>endobj
${each.join('\n')}
trailer<</Root 1 0 R>>`;
}

const untilRead = (id: string) =>
  vi.waitUntil(async () => (await stage.api.send<{ state: string }>('GET', `documents/${id}`)).state === 'Ready', {
    timeout: 90_000,
    interval: 100,
  });

beforeAll(async () => {
  const { api } = stage;
  group = await api.addGroup('Coast', 'CONFIDENTIAL');
  const made = [
    await api.addDocument('Report', { name: 'report.pdf', body: pdfOf(['First page', 'Second page']) }),
    await api.addDocument('Harbour', { name: 'harbour.geojson', body: JSON.stringify(area(24.2, 37.6, 0.2)) }),
    await api.addDocument('Table', { name: 'table.csv', body: 'name;speed\nkea;12\n' }, { tags: '["ferry"]' }),
    await api.addDocument(
      'Shared',
      { name: 'shared.txt', body: 'wind 12 kn' },
      { usergroups: JSON.stringify([group]), securityClassification: 'RESTRICTED' },
    ),
  ];
  for (const id of made) await untilRead(id);
  ({ page } = await stage.signedIn({ width: 1600, height: 900 }, ADMIN, '/documents'));
  await row('Report').waitFor();
});

describe('filters of documents', { tags: 'long' }, () => {
  const add = async (name: string) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitem', { name }).click();
    const form = page.getByRole('dialog', { name });
    await form.waitFor();
    return form;
  };
  const clear = async () => {
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await rowCount('4 documents');
  };

  it('narrow by time: what was made since, and nothing before', async () => {
    const since = await add('Time');
    await since.getByRole('button', { name: 'Last 24 hours' }).click();
    await rowCount('4 of 4 documents');
    expect(Number.isNaN(Date.parse(inAddress('start') ?? ''))).toBe(false);
    await clear();

    const until = await add('Time');
    await until.getByLabel('To, date').fill('2020-01-01');
    await until.getByRole('button', { name: 'Apply' }).click();
    await rowCount('0 of 4 documents');
    await row('Report').waitFor({ state: 'detached' });
    await clear();
  });

  it.each([
    ['Tags', 'ferry', 'Table', 'tags'],
    ['Usergroups', 'Coast', 'Shared', 'usergroups'],
  ])('narrow by %s', async (filter, choice, title, parameter) => {
    const form = await add(filter);
    await form.getByRole('option', { name: choice }).click();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });

    await rowCount('1 of 4 documents');
    await row(title).waitFor();
    expect(inAddress(parameter)).toBe(filter === 'Tags' ? choice : group);
    await clear();
  });

  it('narrow by an area, which the link keeps', async () => {
    const form = await add('Area');
    const borders = form.getByRole('group', { name: 'Borders in degrees' });
    for (const [name, degrees] of [
      ['West', '24'],
      ['East', '24.3'],
      ['South', '37.5'],
      ['North', '37.7'],
    ] as const) {
      await borders.getByLabel(name, { exact: true }).fill(degrees);
    }
    await page.keyboard.press('Tab');
    await form.getByRole('button', { name: 'Apply' }).click();
    await form.waitFor({ state: 'detached' });

    await rowCount('1 of 4 documents');
    await row('Harbour').waitFor();
    await page.reload();
    await rowCount('1 of 4 documents');
    await row('Harbour').waitFor();
    await clear();
  });
});

describe('documents', { tags: 'long' }, () => {
  it('show their small picture under the pointer, and it goes with the pointer', async () => {
    const icon = row('Report').locator('[data-thumbnail]');
    await expect.poll(() => icon.getAttribute('data-thumbnail')).toMatch(/^\/documents\/[0-9a-f-]{36}\.webp$/);
    const picture = page.getByRole('tooltip').locator('img');
    await icon.hover();
    await picture.waitFor();

    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(100);
    await shoot(page, 'documents-thumbnail');
    await page.getByRole('searchbox', { name: 'Search documents' }).hover();
    await picture.waitFor({ state: 'detached' });
  });

  it('are drawn on the map where they belong', async () => {
    await row('Harbour').click();
    const map = viewer('Harbour').getByRole('region', { name: 'Place of Harbour' });
    await viewer('Harbour').locator('[data-map="ready"]').waitFor();

    await expect.poll(() => shareOf(map, PLACE)).toBeGreaterThan(0.001);
    await shoot(page, 'documents-place');
    await row('Table').click();
    await viewer('Table').waitFor();
    expect(await page.getByRole('region', { name: /^Place of/ }).count()).toBe(0);
  });

  const form = () => page.getByRole('dialog', { name: 'Edit document' });
  const place = () => page.getByRole('dialog', { name: 'Place', exact: true });

  /** Place of the document that is open; it is marked with its label. */
  async function openPlace(): Promise<void> {
    await page.getByRole('button', { name: 'Edit document', exact: true }).click();
    await form().getByRole('button', { name: 'Show on the map' }).click();
    await place().getByText('UNCLASSIFIED', { exact: true }).waitFor();
  }

  async function geometryOf(title: string): Promise<{ type: string } | null | undefined> {
    const rows = await stage.api.send<{ title: string; geometry: { type: string } | null }[]>('GET', 'documents');
    return rows.find((one) => one.title === title)?.geometry;
  }

  it('are given a place by drawing it', { tags: 'long' }, async () => {
    await row('Table').click();
    await viewer('Table').waitFor();
    await openPlace();
    const drawing = place().getByRole('region', { name: 'Area of the filter' });
    // The pointer shows that the tools are there.
    await expect
      .poll(() => drawing.locator('canvas').evaluate((canvas) => getComputedStyle(canvas).cursor))
      .toBe('crosshair');
    const { x, y, width, height } = (await drawing.boundingBox())!;
    await page.mouse.click(x + width * 0.45, y + height * 0.4);
    await page.mouse.move(x + width * 0.5, y + height * 0.5, { steps: 3 });
    await page.mouse.click(x + width * 0.55, y + height * 0.6);
    await place().getByRole('status').getByText(/km/).waitFor();
    await shoot(page, 'documents-place-drawn');
    await place().getByRole('button', { name: 'Apply' }).click();
    await form().getByText('Drawn: Polygon').waitFor();
    await form().getByRole('button', { name: 'Save' }).click();

    await page.getByText('Document Table updated.').waitFor();
    expect(await geometryOf('Table')).toMatchObject({ type: 'Polygon' });
    await viewer('Table').getByRole('region', { name: 'Place of Table' }).waitFor();
  });

  it('lose their place when it is cleared', { tags: 'long' }, async () => {
    await openPlace();
    await place().getByRole('button', { name: 'Clear' }).last().click();
    await form().getByText('No location. Draw one on the map.').waitFor();
    await form().getByRole('button', { name: 'Save' }).click();
    // The form closes once the change is stored; until then roles outside it cannot be found.
    await form().waitFor({ state: 'detached' });

    await viewer('Table').waitFor();
    await viewer('Table').getByRole('region', { name: 'Place of Table' }).waitFor({ state: 'detached' });
    expect(await geometryOf('Table')).toBeNull();
    await page.getByRole('button', { name: 'Close the document' }).click();
  });

  it('of several pages are turned by buttons and keys, and enlarged', { tags: 'long' }, async () => {
    await row('Report').click();
    const reader = viewer('Report');
    const picture = (n: number) => reader.getByRole('img', { name: `Page ${n} of Report` });
    await expect.poll(() => widthOf(picture(1))).toBe(1800);
    await reader.getByText('Page 1 of 2', { exact: true }).waitFor();
    const first = await picture(1).screenshot();

    await reader.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => widthOf(picture(2))).toBe(1800);
    expect((await picture(2).screenshot()).equals(first)).toBe(false);
    expect(await reader.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    const shown = (await picture(2).boundingBox())!.width;
    await reader.getByRole('button', { name: 'Larger' }).click();
    await expect.poll(async () => (await picture(2).boundingBox())!.width).toBeGreaterThan(shown * 1.3);

    await reader.getByRole('region', { name: 'Page 2 of Report' }).press('PageUp');
    await reader.getByText('Page 1 of 2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Close the document' }).click();
  });

  it('that are images are shown in the viewer as they are, and are enlarged', async () => {
    const body = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#000000' } })
      .png()
      .toBuffer();
    const id = await stage.api.addDocument('Buoy', { name: 'buoy.png', body: new Uint8Array(body) });
    await untilRead(id);
    await row('Buoy').click();
    const picture = viewer('Buoy').getByRole('img', { name: 'Picture Buoy' });
    await expect.poll(() => widthOf(picture)).toBe(400);
    expect(await shareOf(picture, [0, 0, 0])).toBeGreaterThan(0.9);

    const shown = (await picture.boundingBox())!.width;
    await viewer('Buoy').getByRole('button', { name: 'Larger' }).click();
    await expect.poll(async () => (await picture.boundingBox())!.width).toBeGreaterThan(shown * 1.3);
    await page.getByRole('button', { name: 'Close the document' }).click();
  });

  itWithFfmpeg('that are MP4 play in the viewer, also from the middle', async () => {
    const source = await stage.recordings.simulated('clip.ts', { seconds: 6, fps: 15, ships: 1 });
    const clip = source.replace(/\.ts$/, '.mp4');
    execFileSync(FFMPEG, ['-v', 'error', '-i', source, '-map', '0:v', '-c', 'copy', '-movflags', '+faststart', clip]);
    const id = await stage.api.addDocument('Clip', { name: 'clip.mp4', body: new Uint8Array(readFileSync(clip)) });
    await untilRead(id);
    await row('Clip').click();
    const video = viewer('Clip').getByLabel('Video Clip');
    await expect.poll(() => video.evaluate(hasPicture)).toBe(true);
    const first = await pictureOf(video);

    await video.press('Space');
    await expect.poll(() => video.evaluate((element) => (element as HTMLVideoElement).currentTime)).toBeGreaterThan(1);
    await video.press('Space');
    expect(await pictureOf(video)).not.toEqual(first);
    await video.evaluate((element) => {
      (element as HTMLVideoElement).currentTime = 5;
    });
    await expect
      .poll(() =>
        video.evaluate((element) => {
          const { seeking, readyState, error, currentTime } = element as HTMLVideoElement;
          return { seeking, hasPicture: readyState >= 2, failed: error !== null, currentTime };
        }),
      )
      .toEqual({ seeking: false, hasPicture: true, failed: false, currentTime: 5 });
    await shoot(page, 'documents-mp4');
  });
});

const widthOf = (image: Locator) =>
  image.evaluate((element) => {
    const { complete, naturalWidth } = element as HTMLImageElement;
    return complete ? naturalWidth : 0;
  });

const hasPicture = (element: Element) => (element as HTMLVideoElement).readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
