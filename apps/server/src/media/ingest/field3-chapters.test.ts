import type { KlvHealth, Mission, SensorTimeline } from '@osprey/contract';
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

itWithData('a file that was given twice is shown once, and said so, also as a copy', async () => {
  const copies = ['GX010042.MP4', 'GX010042 (1).MP4', 'Copy of GX010042.MP4'];
  const files = ['GX010042.MP4', 'GX020042.MP4', ...copies].map((name) => ({
    path: testData('field3/GX010042.MP4'),
    name,
  }));
  const { mission } = await server.record({ name: 'Twice' }, files);
  const { get } = server.ask('SA');
  const [sensor] = (await get<Mission>(`/api/missions/${mission._id}`)).body.sensors;
  const of = `${mission._id}/${sensor!._id}`;
  const { body } = await get<SensorTimeline>(`/api/sensors/timeline/${of}`);
  const { findings } = (await get<KlvHealth>(`/api/sensors/klv-health/${of}`)).body;

  expect(body.runs.map(({ startTime }) => new Date(startTime / 1000).toISOString())).toEqual([
    '2026-03-04T03:57:11.000Z',
    '2026-03-04T03:57:13.000Z',
  ]);
  const sentence = (name: string) => `It is the same file as ${name}, which is shown instead.`;
  const shown = sensor!.assets.find(({ message }) => message === null)!.name;
  expect(sensor!.assets.filter(({ message }) => message === null)).toHaveLength(2);
  expect(findings.filter(({ text }) => text.includes('same file'))).toHaveLength(3);
  for (const { name, message } of sensor!.assets.filter(({ message }) => message !== null)) {
    expect(message).toBe(sentence(name === shown ? 'another file of this name' : shown));
    expect(findings).toContainEqual({ severity: 'warning', text: `${name}: ${message}` });
  }
});
