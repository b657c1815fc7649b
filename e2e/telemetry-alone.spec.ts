/// <reference lib="dom" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mission } from '@osprey/contract';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMission, openTelemetry, shoot } from '../tools/test-support/browser/screens.ts';
import { FLIGHT } from '../tools/test-support/data/recordings.ts';
import { seriousViolations } from './support/axe.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true });

const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;
const SECOND = 1_000_000;
/** The track has a record a second in this span, in seconds after the start of the video. */
const TRACK = { from: 5, to: 25 } as const;

let folder: string;
let alone: Mission;
let beside: Mission;
let watched: Visitor;
let page: Page;

/** A flight as a table: eastwards, away from where the video was taken. */
async function trackFile(): Promise<string> {
  folder = await mkdtemp(join(tmpdir(), 'osprey-track-'));
  const lines = Array.from({ length: TRACK.to - TRACK.from + 1 }, (_, second) => {
    const time = new Date((START_US + (TRACK.from + second) * SECOND) / 1000).toISOString();
    return [time, 37.9, 25 + second / 1000, 1500 + second, 90, 85].join(',');
  });
  const path = join(folder, 'flight.csv');
  await writeFile(path, ['time,13,14,15,5,56', ...lines].join('\n'));
  return path;
}

const button = (view: Locator, name: string | RegExp) => view.getByRole('button', { name, exact: true });
const marker = (view: Locator) => view.locator('[data-part="platform-marker"]');
const markerUs = async (view: Locator) => Number(await marker(view).getAttribute('data-record-time-us'));
const clockText = (view: Locator) => view.locator('[data-part="mission-clock"]').textContent();

async function goTo(view: Locator, text: string) {
  await view.getByRole('button', { name: /^Go to a time/ }).click();
  const form = page.getByRole('dialog', { name: 'Go to a time' });
  await form.getByLabel('Time, UTC').fill(text);
  await form.getByRole('button', { name: 'Go', exact: true }).click();
  await form.waitFor({ state: 'detached' });
}

beforeAll(async () => {
  const [video, track] = await Promise.all([stage.recordings.simulated('eo.ts', FLIGHT), trackFile()]);
  alone = await stage.api.addRecorded({ name: 'Track-alone' }, { Track: track });
  beside = await stage.api.addRecorded({ name: 'Track-beside' }, { Track: track, EO: video });
  watched = await stage.signedIn({ width: 1600, height: 1000 });
  page = watched.page;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a sensor of telemetry alone', () => {
  let view: Locator;

  it('shows a card in place of a picture, its row, its values and the platform on the map', async () => {
    view = await openMission(page, alone.name);
    const player = view.getByRole('region', { name: 'Player Track' });
    await player.getByText('Telemetry only').waitFor();
    await player.getByText(/^1.?500 m$/).waitFor();
    const panel = await openTelemetry(view);
    await panel.getByText('Heading').first().waitFor();
    await expect.poll(() => markerUs(view)).toBe(START_US + TRACK.from * SECOND);

    expect(await view.locator('[data-part="telemetry-stretch"]').count()).toBe(1);
    expect(await view.getByText('No relevant video found.').count()).toBe(0);
    await shoot(page, 'telemetry-alone');
    expect(await seriousViolations(page)).toEqual([]);
  });

  it('plays: clock, marker, trail and values move together', async () => {
    await button(view, 'Play').click();
    await expect.poll(() => markerUs(view)).toBeGreaterThan(START_US + (TRACK.from + 1) * SECOND);
    await button(view, 'Pause').click();

    const panel = view.locator('[data-part="telemetry-panel"]');
    expect(Number(await panel.getAttribute('data-record-time-us'))).toBe(await markerUs(view));
    expect(await view.locator('[data-part="trail"] path[d^="M"]').count()).toBeGreaterThan(0);
  });

  it('seeks to a moment, and steps from record to record', async () => {
    await goTo(view, '09:00:15');
    await expect.poll(() => markerUs(view)).toBe(START_US + 15 * SECOND);

    await page.keyboard.press('.');
    await expect.poll(() => clockText(view)).toContain('09:00:16');
    expect(await markerUs(view)).toBe(START_US + 16 * SECOND);
    await page.keyboard.press(',');
    await page.keyboard.press(',');
    await expect.poll(() => markerUs(view)).toBe(START_US + 14 * SECOND);
  });

  it('plays to its end and begins again from there', async () => {
    await page.keyboard.press('End');
    await expect.poll(() => markerUs(view)).toBe(START_US + TRACK.to * SECOND);

    await button(view, 'Play').click();
    await expect.poll(() => markerUs(view)).toBeLessThan(START_US + 15 * SECOND);
    await page.keyboard.press('k');
  });

  it('fits a phone', { tags: 'long' }, async () => {
    const phone = await stage.signedIn(
      { width: 390, height: 844, touch: true },
      undefined,
      `/missions?mission=${alone._id}`,
    );
    await phone.page.getByText('Telemetry only').waitFor();
    await phone.page.getByText(/^1.?500 m$/).waitFor();
    await shoot(phone.page, 'telemetry-alone-phone');

    const card = (await phone.page.locator('[data-part="telemetry-card"]').boundingBox())!;
    const player = (await phone.page.getByRole('region', { name: 'Player Track' }).boundingBox())!;
    expect(card.x).toBeGreaterThanOrEqual(player.x);
    expect(card.y).toBeGreaterThanOrEqual(player.y + 28);
    expect(card.y + card.height).toBeLessThanOrEqual(player.y + player.height);
    await phone.close();
  });
});

describe('telemetry alone with a video', () => {
  let view: Locator;
  const eoUs = async () =>
    Number(await view.getByRole('region', { name: 'Player EO' }).getAttribute('data-frame-time-us'));

  it('leaves the lead to the picture until a user chooses, and follows it', async () => {
    await page.goto(`/missions?mission=${beside._id}&t=2026-06-01T09:00:10.000Z`);
    view = page.getByRole('region', { name: `Mission ${beside.name}` });
    await expect.poll(eoUs).toBe(START_US + 10 * SECOND);
    await view.getByRole('region', { name: 'Telemetry of EO' }).waitFor();

    await expect.poll(() => markerUs(view)).toBe(START_US + 10 * SECOND);
    const track = view.getByRole('region', { name: 'Player Track' });
    await expect.poll(() => track.getAttribute('data-frame-time-us')).toBe(String(START_US + 10 * SECOND));
  });

  it('moves the marker to its own platform when it is chosen, and steps the video along', async () => {
    const before = await marker(view).getAttribute('transform');
    await page.keyboard.press('1');
    await expect.poll(() => marker(view).getAttribute('transform')).not.toBe(before);
    expect(await marker(view).isVisible()).toBe(true);
    await expect.poll(() => new URL(page.url()).searchParams.get('sensor')).toBe(beside.sensors[0]!._id);

    await page.keyboard.press('.');
    await expect.poll(eoUs).toBe(START_US + 11 * SECOND);
    await shoot(page, 'telemetry-beside-video');
  });

  it('leaves the marker to the video where it has no record, and plays on over its end', {
    tags: 'long',
  }, async () => {
    await goTo(view, '09:00:24');
    await expect.poll(eoUs).toBe(START_US + 24 * SECOND);
    await button(view, 'Play').click();
    await expect.poll(eoUs).toBeGreaterThan(START_US + 27 * SECOND);
    await page.keyboard.press('k');

    await view.getByText('Nothing recorded at this moment').waitFor();
    expect(await marker(view).isVisible()).toBe(true);
    expect(await markerUs(view)).toBeGreaterThan(START_US + 26 * SECOND);
  });

  it('meets no error', () => {
    expect(watched.errors).toEqual([]);
    expect(watched.violations).toEqual([]);
  });
});
