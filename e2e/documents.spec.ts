/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Dialog, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { pictureOf, resize, shoot } from '../tools/test-support/browser/screens.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolations, seriousViolationsInBothSchemes } from './support/axe.ts';
import { type Stage, stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor();

let watched: Visitor;
let page: Page;
let other: Page;
let group: string;

const table = (of = page) => of.getByRole('treegrid', { name: 'Documents' });
const row = (title: string, of = page) =>
  table(of)
    .getByRole('row')
    .filter({ has: of.getByText(title, { exact: true }) })
    // A column is called Locked, as one of the documents is.
    .filter({ hasNot: of.getByRole('columnheader') });
const dialog = () => page.getByRole('dialog', { name: /^(?:New|Edit) document/ });

/** A page of a PDF that says something, and would run a script where scripts run. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 300]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length 62>>stream
BT /F1 28 Tf 40 200 Td (Kea harbour report) Tj ET
endstream endobj
trailer<</Root 1 0 R>>`;

/** The greatest length of a description. */
const HARBOUR = 'Two ships at the mole'.padEnd(127, ', and more behind them');

const send: Stage['api']['addDocument'] = (...sent) => stage.api.addDocument(...sent);

const timeOf = (video: Locator) => video.evaluate((element) => (element as HTMLVideoElement).currentTime);
const isShown = (video: Locator) =>
  video.evaluate((element) => (element as HTMLVideoElement).readyState >= HTMLMediaElement.HAVE_CURRENT_DATA);

async function openDocuments(of: Page, query = '') {
  await of.goto(`/documents${query}`);
  await table(of).waitFor();
}

beforeAll(async () => {
  group = await stage.api.addGroup('Coast', 'CONFIDENTIAL');
  const olga = await stage.api.addUser('olga', { groups: [group], clearance: 'CONFIDENTIAL' });
  // For the pages of the table: they hold no text.
  for (let n = 1; n <= 22; n += 1) await send(`Log ${n}`, { name: `log-${n}.bin`, body: new Uint8Array([0, n]) });
  await send(
    'Harbour',
    { name: 'harbour.pdf', body: PDF },
    { documentType: 'Report', description: HARBOUR, platformName: 'OSP-21' },
  );
  await send('Locked', { name: 'locked.csv', body: 'name;speed\nkea;12\n' }, { restricted: 'true', tags: '["ferry"]' });
  watched = await stage.signedIn({ width: 1600, height: 900 }, ADMIN, '/documents');
  page = watched.page;
  await table(page).waitFor();
  ({ page: other } = await stage.signedIn({ width: 1280, height: 800 }, olga, '/documents'));
});

describe('documents', () => {
  it('are in a table by pages, newest first, with the lock and a menu entry', async () => {
    await page.getByRole('link', { name: 'Docs' }).first().waitFor();
    await row('Locked').getByRole('img', { name: 'Locked (only admins can change it)' }).waitFor();
    await row('Harbour').getByText('Mission Report').waitFor();
    for (const name of ['Type', 'Title', 'Description', 'Platform', 'Label', 'Locked', 'Author', 'Created']) {
      expect(await table().getByRole('columnheader', { name }).count(), name).toBe(1);
    }
    await page.getByText('1 – 20 of 24').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('21 – 24 of 24').waitFor();
    await row('Log 1').waitFor();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await row('Harbour').waitFor();
    await shoot(page, 'documents-dark');
  });

  it('are found by words, also by those inside, and the link keeps the search', async () => {
    await expect
      .poll(
        async () =>
          (await stage.api.send<{ state: string }[]>('GET', 'documents?search=Kea')).map(({ state }) => state),
        {
          timeout: 60_000,
        },
      )
      .toContain('Ready');
    await page.getByRole('searchbox', { name: 'Search documents' }).fill('harbour report');
    await page.getByText('1 of 24 documents').waitFor();
    await row('Harbour').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('harbour report');

    await openDocuments(other, '?search=mole');
    await other.getByText('1 of 24 documents').waitFor();
    await row('Harbour', other).waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('24 documents').waitFor();
  });

  it('open in a viewer next to the table: a PDF as a picture, a text as text', async () => {
    await row('Harbour').click();
    const viewer = page.getByRole('region', { name: 'Document Harbour' });
    const picture = viewer.getByRole('img', { name: 'Picture Harbour' });
    await picture.waitFor();
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1800);
    await shoot(page, 'documents-viewer-dark');

    await row('Locked').click();
    await page.getByRole('region', { name: 'Text of Locked' }).getByText('kea;12').waitFor();
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close the document' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('document')).toBeNull();
  });

  it('are added with a dropped file, and appear on another screen without reload', async () => {
    await openDocuments(other);
    await page.getByRole('button', { name: 'Add document' }).click();
    await dialog().waitFor();
    await expect.poll(() => dialog().getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);

    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['GIF89a'], 'Small craft.gif', { type: 'image/gif' }));
      return data;
    });
    await dialog().getByText('Drop a file of any kind').dispatchEvent('drop', { dataTransfer: transfer });
    await dialog().getByText('Small craft.gif').waitFor();
    await expect.poll(() => dialog().getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Small craft');
    await dialog().getByRole('combobox', { name: 'Document type' }).getByText('Image').waitFor();
    await dialog().getByRole('textbox', { name: 'Title' }).fill('No/slash');
    await dialog().getByText('Title can only contain letters, numbers, spaces, underscores, and hyphens').waitFor();
    await dialog().getByRole('textbox', { name: 'Title' }).fill('Small craft 1426');
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    await shoot(page, 'documents-dialog-dark');
    await dialog().getByRole('button', { name: 'Create' }).click();

    await page.getByText('Document Small craft 1426 created.').waitFor();
    await row('Small craft 1426').waitFor();
    await row('Small craft 1426', other).waitFor();
  });

  it('are changed by one and seen by the other', { tags: 'long' }, async () => {
    await row('Small craft 1426').hover();
    await row('Small craft 1426').getByRole('button', { name: 'Edit Small craft 1426' }).click();
    await dialog().getByRole('textbox', { name: 'Description' }).fill('Stern side');
    await dialog().getByRole('button', { name: 'Save' }).click();

    await page.getByText('Document Small craft 1426 updated.').waitFor();
    await row('Small craft 1426', other).getByText('Stern side').waitFor();
  });

  it('are locked for those who may not change them', async () => {
    await row('Locked', other).hover();

    await expect.poll(() => row('Locked', other).getByRole('button', { name: 'Edit Locked' }).isDisabled()).toBe(true);
    await expect
      .poll(() => row('Locked', other).getByRole('button', { name: 'Delete Locked' }).isDisabled())
      .toBe(true);
    expect(
      await row('Small craft 1426', other)
        .getByRole('button', { name: /^Delete/ })
        .isDisabled(),
    ).toBe(false);
  });

  it('are saved by a download with the bytes that came', async () => {
    await row('Locked').hover();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      row('Locked').getByRole('button', { name: 'Download Locked' }).click(),
    ]);

    expect(download.suggestedFilename()).toBe('locked.csv');
    expect(readFileSync(await download.path(), 'utf8')).toBe('name;speed\nkea;12\n');
  });

  it('go to the bin and come back by undo', async () => {
    await row('Small craft 1426', other).hover();
    await row('Small craft 1426', other)
      .getByRole('button', { name: /^Delete/ })
      .click();
    await other.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    // Under the pointer it does not disappear by itself.
    await other.getByRole('button', { name: 'Undo' }).hover();
    await row('Small craft 1426').waitFor({ state: 'detached' });
    await other.getByRole('button', { name: 'Undo' }).click();
    await row('Small craft 1426').waitFor();

    await page.getByRole('button', { name: 'Deleted documents' }).click();
    const bin = page.getByRole('dialog', { name: 'Deleted documents' });
    await bin.getByText('Nothing was deleted in the last 30 days.').waitFor();
    await bin.getByRole('button', { name: 'Close', exact: true }).first().click();
    await bin.waitFor({ state: 'detached' });
  });

  it('are reached by keyboard: arrows move, Enter opens', async () => {
    await row('Small craft 1426').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-index'))).toBe('1');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: /^Document / }).waitFor();
    await page.getByRole('button', { name: 'Close the document' }).press('Enter');
    await page.getByRole('region', { name: /^Document / }).waitFor({ state: 'detached' });
  });

  it('play where they are transport streams: the picture in the viewer moves', { tags: 'long' }, async () => {
    const path = await stage.recordings.real();
    await send('Flight', { name: basename(path), body: new Uint8Array(readFileSync(path)) });
    await row('Flight').click();
    const video = page.getByRole('region', { name: 'Document Flight' }).getByLabel('Video Flight');
    await expect.poll(() => isShown(video)).toBe(true);
    const first = await pictureOf(video);

    // The controls are the browser's own: a key plays and pauses.
    await video.press('Space');
    await expect.poll(() => timeOf(video)).toBeGreaterThan(1);
    await video.press('Space');

    expect(await pictureOf(video)).not.toEqual(first);
    await shoot(page, 'documents-stream-dark');
    await page.getByRole('button', { name: 'Close the document' }).click();
  });

  it('T-060 never run in the browser, opened from the client or by their address', { tags: 'long' }, async () => {
    const marks = (kind: string) => `document.title='ran';localStorage.setItem('ran','${kind} '+document.cookie)`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="${marks('svg')}"><script>${marks('svg')}</script></svg>`;
    const hostile = [
      { title: 'Page', name: 'page.html', body: `<script>${marks('html')}</script>` },
      { title: 'Drawing', name: 'drawing.svg', body: svg },
      { title: 'Paper', name: 'paper.pdf', body: PDF },
    ];
    const alerts: string[] = [];
    const refuse = (shown: Dialog) => {
      alerts.push(shown.message());
      void shown.dismiss();
    };
    page.on('dialog', refuse);
    for (const { title, ...file } of hostile) {
      const id = await send(title, file);
      await page.goto(`/documents?document=${id}`);
      const viewer = page.getByRole('region', { name: `Document ${title}` });
      await viewer.waitFor();
      await viewer.getByText('The document is being read.').waitFor({ state: 'detached' });
      if (title === 'Page') await viewer.getByText('<script>').waitFor();
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.goto(`/api/documents/${id}/content`).catch(() => null),
      ]);
      expect(saved.suggestedFilename()).toBe(file.name);
      expect(await page.title(), file.name).not.toBe('ran');
    }

    page.off('dialog', refuse);
    expect(await page.evaluate(() => localStorage.getItem('ran'))).toBeNull();
    expect(alerts).toEqual([]);
    expect((await watched.context.cookies()).map(({ httpOnly }) => httpOnly)).toEqual([true]);
    expect(await page.evaluate(() => document.cookie)).toBe('');
  });

  it('of any size say how far they are, and resume where they stopped after the page was reloaded', {
    tags: 'long',
  }, async () => {
    const bytes = Buffer.alloc(6_000_000, 'wind from the north ');
    const path = join(stage.server.dataFolder, 'log of a year.bin');
    await writeFile(path, bytes);
    const network = await watched.context.newCDPSession(page);
    const slow = (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, downloadThroughput: -1 },
        uploadThroughput,
      });
    const create = async () => {
      await page.getByRole('button', { name: 'Add document' }).click();
      await dialog()
        .getByText(/are full-text searchable; \.doc and \.xls only by these fields\.$/)
        .waitFor();
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        dialog().getByRole('button', { name: 'Choose files for Documents' }).click(),
      ]);
      await chooser.setFiles(path);
      await dialog().getByText('log of a year.bin').waitFor();
      await dialog().getByRole('button', { name: 'Create' }).click();
    };
    await openDocuments(page);
    // On its way for longer than a busy machine takes to reload the page.
    await slow(bytes.length / 30);
    await create();
    await dialog()
      .getByRole('status')
      .getByText(/^Sending log of a year\.bin: [1-9]\d* %$/)
      .waitFor();
    await expect
      .poll(() => dialog().getByRole('progressbar', { name: 'File' }).getAttribute('aria-valuenow').then(Number))
      .toBeGreaterThan(10);
    await shoot(page, 'documents-sending');

    // The form that is being sent is not saved yet.
    page.once('dialog', (question) => void question.accept());
    await page.reload();
    await table().waitFor();
    await slow(-1);
    const goesOn = page.waitForRequest((request) => request.method() === 'PATCH');
    await create();

    expect(Number((await goesOn).headers()['upload-offset'])).toBeGreaterThan(0);
    await page.getByText('Document log of a year created.').waitFor();
    const [made] = await stage.api.send<{ sizeBytes: number }[]>('GET', 'documents?search=log%20of%20a%20year');
    expect(made?.sizeBytes).toBe(bytes.length);
    await network.detach();
  });

  it('below 960 px keep type, title, label and time', async () => {
    const heads = () => table(other).getByRole('columnheader').allTextContents();
    const narrow = ['', 'Title', 'Label', 'Created', 'Actions'];
    // The first is that of the boxes by which several are chosen.
    const whole = ['', 'Type', 'Title', 'Description', 'Platform', 'Label', 'Locked', 'Author', 'Created', 'Actions'];
    for (const [width, names] of [
      [959, narrow],
      [600, narrow],
      [960, whole],
    ] as const) {
      await resize(other, { width, height: 800 });
      await expect.poll(heads, { message: `${width} px` }).toEqual(names);
      expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await resize(other, { width: 1280, height: 800 });
  });

  it('S1-357 have title, time and label on a phone; opened, they show the rest', { tags: 'long' }, async () => {
    const view = { width: 390, height: 844, touch: true, scheme: 'light' } as const;
    const phone = await stage.signedIn(view, ADMIN, '/documents');
    await row('Harbour', phone.page).waitFor({ state: 'attached' });

    const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await expect.poll(() => table(phone.page).getByRole('columnheader', { name: 'Author' }).count()).toBe(0);
    expect(await seriousViolations(phone.page)).toEqual([]);
    await shoot(phone.page, 'documents-phone-light');
    await row('Harbour', phone.page).click();
    const viewer = phone.page.getByRole('region', { name: 'Document Harbour' });
    for (const [name, value] of [
      ['Description', HARBOUR],
      ['Platform', 'OSP-21'],
      ['Author', ADMIN.username],
      ['Locked', '–'],
      ['Created', /^[A-Z][a-z]{2} \d{1,2} \d{4}, \d\d:\d\d$/],
    ] as const) {
      const reported = viewer.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd[1]');
      await reported.filter({ hasText: value }).waitFor();
      // All of it can be read, since a finger shows no tooltip.
      const cut = await reported.evaluate((element) => [
        element.scrollWidth - element.clientWidth,
        element.scrollHeight - element.clientHeight,
      ]);
      expect([name, ...cut]).toEqual([name, 0, 0]);
    }
    expect(await seriousViolations(phone.page)).toEqual([]);
    await shoot(phone.page, 'documents-phone-viewer-light');
  });

  it('leave the page without an error, a foreign request or a broken policy', () => {
    expect(watched.foreign).toEqual([]);
    expect(watched.violations).toEqual([]);
    expect(watched.errors).toEqual([]);
  });
});
