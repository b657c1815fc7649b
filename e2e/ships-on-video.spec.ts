/// <reference lib="dom" />
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { recordTraffic } from '../tools/simulator/src/ais/fly-traffic.ts';
import { seriousViolations } from './support/axe.ts';
import { openMission, shoot } from './support/screens.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();
const folder = await mkdtemp(join(tmpdir(), 'osprey-traffic-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The camera of the flight tracks its first ship. */
const TRACKED = 'ARGO TRADER';
const FLIGHT = { seconds: 40, width: 640, height: 360, ships: 6, seed: 1, mission: 'KEA' } as const;

it('Ships in frame are drawn on the video with name and speed, in a row of the timeline and in a list; a card says when a ship was filmed', async () => {
  const eo = await stage.recordings.simulated('eo.ts', FLIGHT);
  const traffic = join(folder, 'traffic.nmea');
  const { seconds, ships, seed } = FLIGHT;
  await recordTraffic({ to: traffic, settings: { lanes: 20 } }, { seconds, ships, seed });
  const made = await stage.api.addMission({
    name: 'Ships-Kea',
    sensors: [
      { name: 'EO', type: 'video' },
      { name: 'AIS', type: 'ais' },
    ],
  });
  await stage.api.upload(made, 'EO', eo);
  await stage.api.upload(made, 'AIS', traffic);
  await stage.api.untilReady(made._id);

  const { page, close } = await stage.signedIn({ width: 1440, height: 900 });
  const view = await openMission(page, 'Ships-Kea');
  const player = view.getByRole('region', { name: 'Player EO' });
  await vi.waitFor(async () => expect(await player.getAttribute('data-frame-time-us')).not.toBeNull(), {
    timeout: 45_000,
  });
  const drawn = player.locator('svg [data-part="ships"]');
  await drawn.getByText(TRACKED).waitFor();
  await expect.poll(() => drawn.textContent()).toMatch(/ARGO TRADER 11\.\d kn/);
  await shoot(page, 'ships-on-video');
  expect(await seriousViolations(page)).toEqual([]);
  await close();
});
