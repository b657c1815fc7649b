/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { seriousViolationsInBothSchemes } from './support/axe.ts';
import { dialog, shoot } from './support/screens.ts';
import { stageFor } from './support/stage.ts';

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

it('saves what lies between In and Out by keys alone, and ffprobe reads it', async () => {
  await page.keyboard.press('Home');
  await page.keyboard.press('k');
  await page.keyboard.press('i');
  await page.getByRole('group', { name: 'Selection' }).getByText('In').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('o');
  await page.getByRole('group', { name: 'Selection' }).getByText('Out').waitFor();
  await page.keyboard.press('e');
  const form = dialog(page, 'Export clip');
  await form.getByText(/^(0:10|00:10|10 s)/).waitFor();
  await form.getByText(/key frame/).waitFor();
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
  await shoot(page, 'clip-dialog');
  await page.setViewportSize({ width: 390, height: 844 });
  await shoot(page, 'clip-dialog-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await form.getByRole('checkbox', { name: /checksums/ }).uncheck();
  await form.getByRole('checkbox', { name: /Keep it/ }).check();
  await form.getByLabel('Title').fill('Hand-over');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);

  await page.getByText(/^Exporting clip osprey_RESTRICTED_Kea_EO-IR_.*\.ts\.\.\.$/).waitFor();
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
