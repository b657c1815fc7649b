/// <reference lib="dom" />
import type { DocumentRow, SnapshotMark } from '@osprey/contract';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openMission, resize, shoot } from '../tools/test-support/browser/screens.ts';
import { FLIGHT } from '../tools/test-support/data/recordings.ts';
import { seriousViolations } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

// Shows the dialog snapshots/SnapshotDialog.tsx FormDialog

const stage = stageFor({}, { isShared: true });
const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;

let missionId: string;
let page: Page;
let view: Locator;

const frameUs = async () =>
  Number(await view.getByRole('region', { name: 'Player EO' }).getAttribute('data-frame-time-us'));

beforeAll(async () => {
  const flight = await stage.recordings.simulated('eo.ts', { ...FLIGHT, bFrames: 2 });
  ({ _id: missionId } = await stage.api.addRecorded({ name: 'Kept-frames', audience: 'everyone' }, { EO: flight }));
  page = (await stage.signedIn({ width: 1440, height: 900 })).page;
  view = await openMission(page, 'Kept-frames');
  await vi.waitFor(async () => expect(await frameUs()).toBe(START_US), { timeout: 45_000 });
});

describe('snapshots', () => {
  it('S keeps the frame on screen as a document with a pin, and the document leads back to that very frame', async () => {
    await page.keyboard.press('ArrowRight');
    await expect.poll(frameUs).toBe(START_US + 10_000_000);
    await page.keyboard.press('.');
    await expect.poll(frameUs).toBe(START_US + 10_040_000);
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog', { name: /Create snapshot/ });
    const picture = dialog.getByRole('img', { name: 'Picture on screen' });
    const widthOf = (part: Locator) => part.evaluate((own) => own.getBoundingClientRect().width);
    await expect.poll(() => widthOf(picture)).toBe(160); // S2-421
    expect(await widthOf(dialog.locator('figure'))).toBe(180); // S2-420
    await dialog.getByRole('switch', { name: 'With overlays' }).check();
    await dialog.getByRole('img', { name: 'Picture with overlays' }).waitFor();
    await shoot(page, 'snapshot-dialog');
    expect(await seriousViolations(page, { within: dialog })).toEqual([]);
    await resize(page, { width: 390, height: 844 });
    await shoot(page, 'snapshot-dialog-phone');
    await resize(page, { width: 1440, height: 900 });
    await dialog.getByLabel('Title').fill('Bow wave');
    await dialog.getByRole('button', { name: 'Take snapshot' }).click();
    await page.getByText('Snapshot Bow wave created.').waitFor();
    await view
      .locator('[data-part="pins"]')
      .getByRole('button', { name: /^Bow wave, / })
      .waitFor();

    const [mark] = await stage.api.send<SnapshotMark[]>('GET', `snapshots?missionIdOrName=${missionId}`);
    expect(mark!.time).toBe(START_US + 10_040_000);
    const document = await stage.api.send<DocumentRow>('GET', `documents/${mark!._id}`);
    expect(document).toMatchObject({ snapshot: 'server', overlays: true });

    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('Picture from the recording').waitFor();
    await page.getByText('Second picture with overlays, drawn by the browser').waitFor();
    await page.getByRole('button', { name: 'Next picture' }).click();
    const second = page.getByRole('img', { name: 'Picture with overlays, drawn by the browser, Bow wave' });
    await expect.poll(() => second.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await shoot(page, 'snapshot-viewer');
    await page.getByRole('link', { name: 'Open the moment' }).click();
    view = page.getByRole('region', { name: 'Mission Kept-frames' });
    await expect.poll(frameUs).toBe(START_US + 10_040_000);
  });

  it('Shift+S takes one at once', async () => {
    await page.keyboard.press('Shift+S');
    await page.getByText(/^Snapshot Snapshot \d{6} created\.$/).waitFor();
  });
});
