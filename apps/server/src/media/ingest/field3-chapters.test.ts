import type { SensorTimeline } from '@osprey/contract';
import { expect } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { recordingServer } from '../../../test/recordings.ts';

const server = await recordingServer();

itWithData('chapters of a GoPro, which share one creation time, follow each other by name', async () => {
  const names = ['GX010042.MP4', 'GX010043.MP4', 'GX020042.MP4'];
  const files = names.map((name) => ({ path: testData(`field3/${name}`), name }));
  const { mission } = await server.record({ name: 'Chapters' }, files);
  const [sensor] = mission.sensors;
  const { body } = await server.ask('SA').get<SensorTimeline>(`/api/sensors/timeline/${mission._id}/${sensor!._id}`);

  expect(sensor!.assets.map(({ name }) => name)).toEqual(['GX010042.MP4', 'GX020042.MP4', 'GX010043.MP4']);
  expect(body.runs.map(({ startTime }) => new Date(startTime / 1000).toISOString())).toEqual([
    '2026-03-04T03:57:11.000Z',
    '2026-03-04T03:57:13.000Z',
    '2026-03-04T03:58:11.000Z',
  ]);
});
