/// <reference lib="dom" />
import { beforeAll, describe, expect, it } from 'vitest';
import {
  addMission,
  adminMode,
  logIn,
  openMission,
  openTelemetry,
  pictureOf,
  readShownTimes,
  row,
  shoot,
  waitForReady,
} from '../tools/test-support/browser/screens.ts';
import { stageFor, type Visitor } from './support/stage.ts';

/** A record of the same instant may differ from its frame by the rounding of 90 kHz ticks. */
const SAME_INSTANT_US = 1000;

const stage = stageFor({}, { isShared: true });

describe('a recording, from the file to the moving map', () => {
  let watched: Visitor;

  beforeAll(async () => {
    watched = await stage.open();
  });

  it('is dropped into a new mission and shown Ready in the table', async () => {
    const { page } = watched;

    // The note disappears by itself, and may be gone when the table has come.
    await Promise.all([page.getByText('User admin authenticated.').waitFor(), logIn(page)]);
    await adminMode(page);
    await addMission(page, 'Huntsville', [await stage.recordings.real()]);
    await page.getByText('Mission Huntsville added.').waitFor();
    await waitForReady(page, 'Huntsville');

    await expect.poll(() => row(page, 'Huntsville').textContent()).toContain('UNCLASSIFIED');
  });

  it('plays, and the aircraft moves on the map', async () => {
    const { page } = watched;
    const view = await openMission(page, 'Huntsville');
    const video = view.locator('video');
    const marker = view.getByRole('region', { name: 'Map', exact: true }).locator('[data-part="platform-marker"]');
    await marker.waitFor();
    const before = { picture: await pictureOf(video), place: await marker.getAttribute('transform') };

    await view.getByRole('button', { name: 'Play', exact: true }).click();

    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 2);
    await expect.poll(() => marker.getAttribute('transform')).not.toBe(before.place);
    expect(await pictureOf(video)).not.toEqual(before.picture);
  });

  it('shows footprint, panel, marker and overlay of the very frame on screen', async () => {
    const { page } = watched;
    const view = page.getByRole('region', { name: 'Mission Huntsville' });
    await openTelemetry(view);
    await view.getByRole('button', { name: 'Pause', exact: true }).click();
    const sensorId = (await view.locator('section[data-sensor-id]').getAttribute('data-sensor-id')) ?? '';
    const seen = new Set<number>();

    for (let step = 0; step < 5; step += 1) {
      await view.getByRole('button', { name: 'One frame back' }).click();
      await page.waitForFunction(
        ([id, known]) => {
          const player = document.querySelector(`section[data-sensor-id="${id}"]`);
          return !(known as number[]).includes(Number(player?.getAttribute('data-frame-time-us')));
        },
        [sensorId, [...seen]] as const,
      );
      const { frame, ...records } = await page.evaluate(readShownTimes, sensorId);
      seen.add(frame);

      expect(new Set(Object.values(records)).size, JSON.stringify({ frame, ...records })).toBe(1);
      expect(frame - records.panel).toBeGreaterThanOrEqual(-SAME_INSTANT_US);
      expect(frame - records.panel).toBeLessThan(150_000);
    }
    expect(seen.size).toBe(5);
    await shoot(page, 'recording');
  });

  it('asks only its own server and meets no error', () => {
    expect(watched.foreign).toEqual([]);
    expect(watched.errors).toEqual([]);
  });
});
