import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { tlogFile } from '../apps/server/test/flight-logs.ts';
import { dialog, openMission, resize, shoot } from '../tools/test-support/browser/screens.ts';
import { itWithData, testData } from '../tools/test-support/test-data.ts';
import { seriousViolations } from './support/axe.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor({}, { isShared: true });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'osprey-telemetry-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Files that are taken for telemetry of the one sensor of a mission, with a video that has none. */
async function missionWith(name: string, files: Record<string, string | Uint8Array>): Promise<void> {
  const { _id } = await stage.api.addRecorded({ name }, { EO: testData('field/plain-3s.ts') });
  for (const [file, content] of Object.entries(files)) {
    await writeFile(join(folder, file), content);
    await stage.api.upload(await stage.api.mission(_id), 'EO', join(folder, file));
    await stage.api.untilReady(_id);
  }
}

const point = (n: number) => `<trkpt lat="50.000${n}" lon="8.000${n}"><time>2023-11-14T22:13:2${n}Z</time></trkpt>`;

describe('telemetry files of a video', () => {
  itWithData('are lined up and exchanged in the health report, which follows, and put back', async () => {
    await missionWith('Telemetry-files', {
      'years-away.gpx': `<gpx><trk><trkseg>${[0, 1, 2, 3].map(point).join('')}</trkseg></trk></gpx>`,
      'p4p.srt': '1\n00:00:00,000 --> 00:00:01,000\nGPS(8.2090,47.4692,18)\n',
    });
    const { page } = await stage.signedIn({ width: 1440, height: 900 });
    const view = await openMission(page, 'Telemetry-files');
    await view.getByRole('button', { name: 'KLV health', exact: true }).click();
    const files = page.getByRole('region', { name: 'Telemetry files' });
    await files.getByText('4 records, 0 of them within the video').waitFor();
    await shoot(page, 'telemetry-files-desk');

    await files.getByRole('button', { name: 'Line up years-away.gpx with the video' }).click();
    const form = dialog(page, 'Line up years-away.gpx');
    expect(await seriousViolations(page, { within: form })).toEqual([]);
    await shoot(page, 'line-up-desk');
    await resize(page, { width: 390, height: 844 });
    await shoot(page, 'line-up-phone');
    await form.getByRole('slider').press('ArrowRight');
    await form.getByRole('button', { name: 'Line up', exact: true }).click();
    await files.getByText('4 records, 3 of them within the video').waitFor();
    await files.scrollIntoViewIfNeeded();
    await shoot(page, 'telemetry-files-phone');
    await resize(page, { width: 1440, height: 900 });

    await files.getByRole('button', { name: 'Exchange latitude and longitude of p4p.srt' }).click();
    await files.getByText('Latitude first (exchanged by a user)').waitFor();
    // The message about the line-up, whose Undo would take back that, is shown until its time has passed.
    await page.getByText('Latitude and longitude of p4p.srt are exchanged.').waitFor();
    // Notes come one after the other: that of the move before has an Undo of its own.
    await page.getByText('Latitude and longitude of p4p.srt are exchanged.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await files.getByText('Longitude first as published for this form (assumed)').waitFor();
    await shoot(page, 'telemetry-files-lined-up');
  });

  itWithData(
    'may be the log of an autopilot, of which the health report says what is missing',
    { tags: 'long' },
    async () => {
      const still = { longitude: 8, altitude: 120, speed: 9, fix: 3, roll: 1, pitch: 2, yaw: 30 };
      const moments = [0, 1, 2].map((seconds) => ({ seconds, latitude: 50 + seconds / 1000, ...still }));
      const log = tlogFile({ startMs: Date.UTC(2023, 10, 14), moments });
      await missionWith('Autopilot', { 'flight.tlog': log.subarray(0, -3) });
      const { page } = await stage.signedIn({ width: 1440, height: 900 });
      const view = await openMission(page, 'Autopilot');
      await view.getByRole('button', { name: 'KLV health', exact: true }).click();

      await page.getByText('flight.tlog: it ends within a record; what could be read is shown.').waitFor();
      await page
        .getByRole('region', { name: 'Telemetry files' })
        .getByText('5 records, 0 of them within the video')
        .waitFor();
      await shoot(page, 'flight-log-desk');
      await resize(page, { width: 390, height: 844 });
      await shoot(page, 'flight-log-phone');
    },
  );
});
