import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditRow, Mission, PictureSheet } from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type askAs, recordingServer } from '../../../test/recordings.ts';
import { ffmpegTools } from '../../base/ffmpeg/ffmpeg.ts';
import { findSandbox } from '../../base/ffmpeg/sandbox.ts';
import { dataFolder } from '../../features/backups/files.ts';
import { removeDoomed } from '../../features/missions/leftovers.ts';
import { sheetKeeping } from '../convert/sheet-keeping.ts';
import { sheetKey, sheetListKey } from '../index/sheet-files.ts';

const server = await recordingServer({ jobs: ['ingest', 'thumbnails'] });
const { db, groups, dependencies } = server;
const { storage } = dependencies;
const folder = await mkdtemp(join(tmpdir(), 'osprey-sheets-served-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const path = join(folder, 'flight.ts');
const keeping = sheetKeeping({ ...dependencies, ffmpeg: ffmpegTools({ sandbox: await findSandbox('auto') }) });
beforeAll(() => simulateToFile({ seconds: 25, width: 320, height: 180 }, path), 60_000);

async function flight(name: string) {
  const sharing = { securityClassification: 'RESTRICTED', audience: 'groups' as const, usergroups: [groups.G1] };
  const { mission } = await server.record({ name, ...sharing }, [{ path }]);
  const sensorId = mission.sensors[0]!._id;
  return { missionId: mission._id, sensorId, list: `/api/sensors/sheets/${mission._id}/${sensorId}` };
}

const sheetsFor = async (asking: ReturnType<typeof askAs>, list: string) =>
  (await asking.get<PictureSheet[]>(list)).body;

it('hold the pictures along a recording at their times, which an editor may shift', async () => {
  const { missionId, sensorId, list } = await flight('times');
  const pictures = (await server.ask('U1').get<{ time: number }[]>(`/api/sensors/pictures/${missionId}/${sensorId}`))
    .body;

  const [sheet, ...others] = await sheetsFor(server.ask('U1'), list);
  await server.ask('SA').post(`/api/sensors/${sensorId}/shift`, { shift: 5_000_000 });
  const [shifted] = await sheetsFor(server.ask('U1'), list);

  expect(pictures).toHaveLength(3);
  expect([others, sheet!.times]).toEqual([[], pictures.map(({ time }) => time)]);
  expect(shifted).toEqual({ ...sheet, times: sheet!.times.map((time) => time + 5_000_000) });
  const { raw, headers } = await server.ask('U1').get(sheet!.url);
  expect(await sharp(raw).metadata()).toMatchObject({ format: 'jpeg', width: 960, height: sheet!.height });
  expect(headers['cache-control']).toBe('private, no-store');
});

it('are one row of the audit each, with the sensor and the time that they cover', async () => {
  const { sensorId, list } = await flight('audited');
  const [sheet] = await sheetsFor(server.ask('U1'), list);
  await server.ask('U1').get(sheet!.url);

  const rows = (await server.ask('SA').get<AuditRow[]>('/api/audit?limit=10')).body.filter(
    ({ action, item }) => item?.name === 'audited' && ['sheet.read', 'thumbnail.read'].includes(action),
  );

  expect(rows.map(({ action, item, sensorName, result }) => [action, item?.name, sensorName, result])).toEqual([
    ['sheet.read', 'audited', 'EO/IR', `sensor ${sensorId}; 30 s`],
  ]);
});

it('are refused from the moment at which a right is lost or a label raised', async () => {
  const { missionId, list } = await flight('rights');
  const [sheet] = await sheetsFor(server.ask('U1'), list);
  const statuses = async () => [
    (await server.ask('U1').get(list)).status,
    (await server.ask('U1').get(sheet!.url)).status,
  ];
  const now = (own: number[]) => expect.poll(statuses, { timeout: 2000, interval: 20 }).toEqual(own);
  await now([200, 200]);

  await db.updateTable('missions').set({ classification: 4 }).where('id', '=', missionId).execute();
  await now([404, 404]);
  await db.updateTable('missions').set({ classification: 2 }).where('id', '=', missionId).execute();
  await now([200, 200]);
  await db.deleteFrom('mission_usergroups').where('mission_id', '=', missionId).execute();
  await now([404, 404]);
});

it('of older recordings are made in the background, the newest first, and those of another index are not shown', async () => {
  const [older, newer] = [await flight('older'), await flight('newer')];
  const read = () => Promise.all([older, newer].map(({ list }) => sheetsFor(server.ask('U1'), list)));
  const before = await read();
  for (const { missionId, sensorId } of [older, newer]) {
    await storage.remove(sheetListKey(missionId, sensorId));
    await db.updateTable('sensors').set({ sheets_of: null }).where('id', '=', sensorId).execute();
  }
  await storage.put(sheetKey(newer.missionId, newer.sensorId, 'left'), [Buffer.from('of an earlier attempt')]);
  expect(await read()).toEqual([[], []]);

  await keeping.look();

  const timesOf = (all: PictureSheet[][]) => all.map((own) => own.map(({ times }) => times));
  expect(timesOf(await read())).toEqual(timesOf(before));
  expect(await storage.stat(sheetKey(newer.missionId, newer.sensorId, 'left'))).toBeNull();
  await db.updateTable('sensors').set({ index_key: null }).where('id', '=', newer.sensorId).execute();
  expect((await read())[1]).toEqual([]);
});

it('leave nothing when their mission is deleted for good, and are in backups until then', async () => {
  const { missionId } = await flight('gone');
  const stored = async () => {
    const keys: string[] = [];
    for await (const { key } of storage.list(`pictures/${missionId}`)) keys.push(key);
    return keys;
  };
  const isSheet = (key: string) => /-sheet-[0-9a-f-]{36}\.jpg$|-sheets\.json$/.test(key);
  const sheets = (await stored()).filter(isSheet);
  expect(sheets).toHaveLength(2);
  const inBackup: string[] = [];
  for await (const { key } of dataFolder(server.dataDir, []).entries()) inBackup.push(key);
  expect(inBackup).toEqual(expect.arrayContaining(sheets.map((key) => `files/${key}`)));

  await server.ask('SA').delete('/api/missions', { missions: [missionId] });
  expect((await stored()).filter(isSheet)).toEqual(sheets);
  await server.ask('SA').delete('/api/bin', { missions: [missionId] });
  await removeDoomed({ db, storage });

  expect(await stored()).toEqual([]);
});

it('of a recording whose last file is removed are removed with its pictures', async () => {
  const { missionId, sensorId, list } = await flight('emptied');
  const { assets } = (await server.ask('SA').get<Mission>(`/api/missions/${missionId}`)).body.sensors[0]!;

  await server.ask('SA').delete(`/api/sensors/${sensorId}/files/${assets[0]!._id}`);
  await server.work();

  expect(await sheetsFor(server.ask('SA'), list)).toEqual([]);
  for await (const { key } of storage.list(`pictures/${missionId}`)) expect(key).toBe('nothing is left');
});
