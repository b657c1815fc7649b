/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { dialog, openTable, shoot } from '../tools/test-support/browser/screens.ts';
import { seriousViolationsInBothSchemes } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

// Shows the dialog clips/ExportDialog.tsx FormDialog

const stage = stageFor();
let page: Page;

const clock = () => page.getByRole('slider', { name: 'Time' });

beforeAll(async () => {
  const kea = await stage.api.addRecorded(
    { name: 'Kea', securityClassification: 'RESTRICTED', usergroups: [await stage.api.addGroup('Coast', 'SECRET')] },
    { 'EO/IR': await stage.recordings.simulated('kea.ts', { seconds: 20 }) },
  );
  ({ page } = await stage.signedIn({ width: 1440, height: 900 }));
  await page.goto(`${stage.server.address}/missions?mission=${kea._id}`);
  await page.getByRole('button', { name: 'Export clip' }).waitFor();
  await clock().waitFor();
});

it('saves the span between In and Out by keys alone, and ffprobe reads it', async () => {
  await page.keyboard.press('Home');
  await page.keyboard.press('k');
  await page.keyboard.press('i');
  await page.getByRole('group', { name: 'Selection' }).getByText('In').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('o');
  await page.getByRole('group', { name: 'Selection' }).getByText('Out').waitFor();
  const form = dialog(page, 'Export clip');
  await page.getByRole('button', { name: 'Export clip' }).click();
  await form.waitFor(); // S2-166 S2-423
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await page.keyboard.press('e');
  await form.getByText(/^(0:10|00:10|10 s)/).waitFor();
  await form.getByText(/key frame/).waitFor();
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
  await shoot(page, 'clip-dialog');
  await page.setViewportSize({ width: 390, height: 844 });
  await shoot(page, 'clip-dialog-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await form.getByRole('checkbox', { name: /verification file/ }).uncheck();
  await form.getByRole('checkbox', { name: /Keep it/ }).check();
  await form.getByLabel('Title').fill('Hand-over');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);

  await page.getByText(/^Exporting clip osprey_RESTRICTED_Kea_EO-IR_.*\.ts\.\.\.$/).waitFor();
  await openTable(page.getByRole('region', { name: 'Mission Kea' }));
  await page.getByRole('tab', { name: 'Clips' }).click();
  await page.getByRole('row', { name: /Hand-over/ }).waitFor();
  await shoot(page, 'clips-tab');
  expect(download.suggestedFilename()).toMatch(/^osprey_RESTRICTED_Kea_EO-IR_\d{8}-\d{6}_10s\.ts$/);
  const folder = await mkdtemp(join(tmpdir(), 'osprey-clip-'));
  try {
    const path = join(folder, 'clip.ts');
    await copyFile(await download.path(), path);
    const probed = execFileSync('ffprobe', ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', path]);
    const { format, streams } = JSON.parse(probed.toString());
    expect(Math.abs(Number(format.duration) - 10)).toBeLessThan(1);
    expect(streams.map(({ codec_type }: { codec_type: string }) => codec_type)).toContain('data');
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('saves an MP4 that a video element plays from In to Out', async () => {
  await page.getByRole('button', { name: 'Export clip' }).click();
  const form = dialog(page, 'Export clip');
  await form.getByRole('combobox', { name: 'What to export' }).click();
  await page.getByRole('option', { name: /MP4/ }).click();
  await form.getByText(/^H\.264: every browser/).waitFor();
  // Between two key frames, so that pictures before In come along.
  const In = form.getByLabel('In', { exact: true });
  const startMs = Date.parse(`2026-01-01T${await In.inputValue()}Z`);
  const after = (seconds: number) => new Date(startMs + seconds * 1000).toISOString().slice(11, 23);
  await In.fill(after(1.52));
  await form.getByLabel('Out', { exact: true }).fill(after(5));
  await shoot(page, 'clip-dialog-mp4');
  await page.setViewportSize({ width: 390, height: 844 });
  await shoot(page, 'clip-dialog-mp4-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    form.getByRole('button', { name: 'Export' }).click(),
  ]);

  expect(download.suggestedFilename()).toMatch(/^osprey_RESTRICTED_Kea_EO-IR_.*\.mp4$/);
  const played = await page.evaluate(playedOf, (await readFile(await download.path())).toString('base64'));
  expect(played.duration).toBeCloseTo(3.48, 2);
  expect(played.width).toBeGreaterThan(0);
  expect(played.firstTime).toBeLessThan(0.05);
  expect(played.middleTime).toBeCloseTo(played.duration / 2, 1);
  expect(played.middle).not.toBe(played.first);
});

/**
 * Runs in the page: properties that a video element reports for a file, and its pictures at the beginning and in the
 * middle.
 */
async function playedOf(base64: string) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const video = document.createElement('video');
  video.muted = true;
  const frame = () =>
    new Promise<number>((done) => video.requestVideoFrameCallback((_, { mediaTime }) => done(mediaTime)));
  const picture = () => {
    const canvas = document.createElement('canvas');
    canvas.getContext('2d')!.drawImage(video, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL();
  };
  const failed = new Promise<never>((_, fail) => {
    video.onerror = () => fail(new Error(video.error?.message));
  });
  const beginning = frame();
  video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/mp4' }));
  const firstTime = await Promise.race([beginning, failed]);
  const first = picture();
  const middle = frame();
  video.currentTime = video.duration / 2;
  const middleTime = await Promise.race([middle, failed]);
  const { duration, videoWidth: width } = video;
  return { duration, width, firstTime, first, middleTime, middle: picture() };
}
