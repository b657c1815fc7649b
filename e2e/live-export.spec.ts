/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import type { Download } from 'playwright-core';
import { expect, it } from 'vitest';
import { dialog, shoot } from '../tools/test-support/browser/screens.ts';
import { seriousViolationsInBothSchemes } from './support/axe.ts';
import { liveSceneOn } from './support/live.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();
const live = liveSceneOn(stage);
const { view, openLive, isPlaying, shownUs } = live;

/** Seconds of pictures in a file, and the kinds of its streams. */
async function probed(download: Download): Promise<{ seconds: number; kinds: string[] }> {
  const path = await download.path();
  const answer = execFileSync('ffprobe', ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', path]);
  const { format, streams } = JSON.parse(answer.toString());
  return {
    seconds: Number(format.duration),
    kinds: streams.map(({ codec_type }: { codec_type: string }) => codec_type),
  };
}

async function shootEverywhere(name: string) {
  const { page } = live;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 1440, height: 900 });
    await shoot(page, `${name}-${colorScheme}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot(page, `${name}-phone-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

it('exports from Live what is kept of a stream, then the span between In and Out of its running recording', async () => {
  await openLive();
  await isPlaying();
  const { page } = live;
  const retained = view().getByRole('button', { name: 'Export what is kept of this stream' });
  await view()
    .getByText(/^\d+ s of \d+ s$/)
    .waitFor();
  expect(await view().getByRole('button', { name: 'Set In here' }).count()).toBe(0);
  await shootEverywhere('live-kept');

  const [ring] = await Promise.all([page.waitForEvent('download'), retained.click()]);

  await page.getByText(/^Exporting the last .* of OSP-21 EO, .*: all that is kept of it\.$/).waitFor();
  expect(ring.suggestedFilename()).toMatch(/^osprey_UNCLASSIFIED_OSP-21_EO_\d{8}-\d{6}_\d+s\.ts$/);
  const whole = await probed(ring);
  expect(whole.seconds).toBeGreaterThan(2);
  expect(whole.kinds).toContain('video');

  await stage.api.send('POST', 'platforms/control?command=start', { platformName: 'OSP-21', record: true });
  await view().getByRole('button', { name: 'Export clip' }).waitFor();
  const begunUs = await shownUs();
  await expect.poll(shownUs).toBeGreaterThan(begunUs + 3_000_000);
  await page.keyboard.press('i');
  await view().getByRole('group', { name: 'Selection' }).getByText('In').waitFor();
  const inUs = await shownUs();
  await expect.poll(shownUs).toBeGreaterThan(inUs + 6_000_000);
  await page.keyboard.press('o');
  await view().getByRole('group', { name: 'Selection' }).getByText('Out').waitFor();
  await shootEverywhere('live-recorded');
  // A picture on the screen is on the disk some seconds later.
  const outUs = await shownUs();
  await expect.poll(shownUs).toBeGreaterThan(outUs + 4_000_000);
  await page.keyboard.press('e');
  const form = dialog(page, 'Export clip');
  await form.getByRole('checkbox', { name: /verification file/ }).uncheck();
  await form.getByRole('checkbox', { name: /Keep it/ }).check();
  await form.getByLabel('Title').fill('Hand-over');
  await form.getByText(/key frame/).waitFor();
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
  await shoot(page, 'live-clip-dialog');
  const [clip] = await Promise.all([
    page.waitForEvent('download'),
    form.getByRole('button', { name: 'Export' }).click(),
  ]);

  expect(clip.suggestedFilename()).toMatch(/^osprey_UNCLASSIFIED_OSP-21-\d{8}-\d{6}_EO_\d{8}-\d{6}_\d+s\.ts$/);
  const cut = await probed(clip);
  expect(cut.seconds).toBeGreaterThan(5);
  expect(cut.seconds).toBeLessThan(12);
  await page.getByRole('tab', { name: 'Clips' }).click();
  await page.getByRole('row', { name: /Hand-over/ }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/live');
  await stage.api.send('POST', 'platforms/control?command=stop', { platformName: 'OSP-21', stopMission: true });
});

it('has the floating map and the timeline by their buttons and keys, and the ships by a filter', async () => {
  await openLive();
  await isPlaying();
  const { page } = live;
  const panel = (name: string) =>
    view().getByRole('toolbar', { name: 'Panels' }).getByRole('button', { name, exact: true });
  const timeline = view().getByRole('slider', { name: 'Mission timeline' });
  await timeline.waitFor();
  await panel('Timeline').click();
  await timeline.waitFor({ state: 'detached' });
  await panel('Timeline').click();
  await timeline.waitFor();

  await page.keyboard.press('Shift+M');
  await view().getByRole('button', { name: 'Close the floating map' }).waitFor();
  expect(await panel('Map').getAttribute('aria-pressed')).toBe('false');
  await shootEverywhere('live-floating');
  await view().getByRole('button', { name: 'Close the floating map' }).click();

  const ships = view().getByRole('button', { name: /^Filter of ships/ });
  await ships.click();
  await dialog(page, 'Filter of ships').waitFor();
  await shoot(page, 'live-ships');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await ships.click();
  await dialog(page, 'Filter of ships').getByRole('button', { name: 'Close the filter of ships' }).waitFor();
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
  await shoot(page, 'live-ships-phone');
});
