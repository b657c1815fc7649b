import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { encodeSentences } from '@osprey/ais';
import type { AisTarget, Mission } from '@osprey/contract';
import { expect, it } from 'vitest';
import { aisServer, asked, reportOf, sendSentences, staticOf } from '../../../test/ais.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import type { Subject, TestServer } from '../../../test/server.ts';

const SHIP = 211_000_001;
/** Three ships in the order of their numbers. */
const [BEFORE, DURING, AFTER] = [211_000_011, 211_000_012, 211_000_013];
const START = Date.UTC(2026, 5, 1, 12) * 1000;

const shown = async (server: TestServer, who: Subject, query = '') => {
  const { status, body } = await asked(server, who, `aistargets${query}`);
  return status === 200 ? (body as AisTarget[]).map(({ mmsi }) => mmsi) : status;
};

it('T-119 what is heard while a platform is recorded is for who may read platform and mission, and afterwards for who may read the mission', async () => {
  const { server, ports } = await aisServer([{ name: 'KEA-1' }]);
  const [port = 0] = ports;
  await sendSentences(port, [reportOf({ mmsi: BEFORE, latitude: 37, longitude: 24 })]);
  await expect.poll(() => shown(server, 'U0')).toEqual([BEFORE]);

  const control = (command: 'start' | 'stop', body: object) =>
    askAs(server, 'SA').post<{ mission: { _id: string } }>(`/api/platforms/control?command=${command}`, {
      platformName: 'KEA-1',
      ...body,
    });
  const started = await control('start', {
    ...{ record: true, missionName: 'SAR-1', securityClassification: 'SECRET', audience: 'everyone' },
  });
  const { _id: mission } = started.body.mission;
  await sendSentences(port, [reportOf({ mmsi: DURING, latitude: 37, longitude: 24 }), ...staticOf(DURING, 'HIDDEN')]);
  await expect.poll(() => shown(server, 'U2', '?sort=mmsi')).toEqual([BEFORE, DURING]);
  expect(await shown(server, 'U0')).toEqual([BEFORE]);
  expect(await shown(server, 'U0', `?mission=${mission}`)).toBe(404);
  expect((await asked(server, 'U0', 'aistargets/trail/211000012')).body).toEqual({
    mmsi: DURING,
    mmsiText: String(DURING),
    points: [],
  });

  await control('stop', { stopMission: true });
  // After the stop as before: what comes now belongs to no mission.
  await sendSentences(port, [reportOf({ mmsi: AFTER, latitude: 37, longitude: 24 })]);
  await expect.poll(() => shown(server, 'U0', '?sort=mmsi')).toEqual([BEFORE, AFTER]);
  expect(await shown(server, 'U2', `?mission=${mission}`)).toEqual([DURING]);

  // The sentences are a file of the mission, and the mission is held by what holds it.
  await expect
    .poll(() => server.db.selectFrom('files').where('kind', '=', 'ais').select(['name', 'size_bytes']).execute())
    .toEqual([{ name: expect.stringMatching(/\.nmea$/), size_bytes: expect.any(Number) }]);
  await askAs(server, 'SA').put(`/api/missions/${mission}/hold`, { reason: 'evidence of a collision' });
  const remove = () => server.asUser('SA').inject({ method: 'DELETE', url: `/api/aistargets?mission=${mission}` });
  await expect.poll(async () => (await remove()).json()).toMatchObject({ code: 'missionHeld' });
  expect(await shown(server, 'U2', `?mission=${mission}`)).toEqual([DURING]);
});

it('Files of AIS are taken by what they hold, packed too; their ships are those of the mission', async () => {
  const server = await recordingServer({ jobs: ['ingest'] });
  const folder = await mkdtemp(join(tmpdir(), 'osprey-ais-files-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const at = (second: number) => START + second * 1e6;
  const lines = [
    reportOf({ mmsi: SHIP, latitude: 37, longitude: 24, timeUs: at(0) }),
    ...staticOf(SHIP, 'POLARIS BAY'),
    reportOf({ mmsi: SHIP, latitude: 37.001, longitude: 24, timeUs: at(10) }),
  ];
  await writeFile(join(folder, 'harbour.log'), `${lines.join('\r\n')}\r\n`);
  await writeFile(
    join(folder, 'harbour.gz'),
    gzipSync(`${reportOf({ mmsi: BEFORE, latitude: 36, longitude: 24, timeUs: at(20) })}\n`),
  );
  const { mission, uploads, failures } = await server.record(
    { name: 'Harbour', securityClassification: 'RESTRICTED' },
    [{ path: join(folder, 'harbour.log') }, { path: join(folder, 'harbour.gz') }],
  );
  expect([uploads, failures]).toEqual([[200], []]);
  expect(mission).toMatchObject({ state: 'Ready', startTime: at(0), endTime: at(20) } satisfies Partial<Mission>);
  expect(await shown(server, 'U1', `?mission=${mission._id}&sort=mmsi`)).toEqual([SHIP, BEFORE]);
  expect(await shown(server, 'U0', `?mission=${mission._id}`)).toBe(404);
  expect(await shown(server, 'U0')).toEqual([]);
});

it('A file without times gets them from a base station, by the seconds of its ships; without one it says so', async () => {
  const server = await recordingServer({ jobs: ['ingest'] });
  const folder = await mkdtemp(join(tmpdir(), 'osprey-ais-files-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const base = encodeSentences({
    ...{ type: 4, repeat: 0, mmsi: 2_391_234, latitude: 37, longitude: 24, accurate: true, raim: false, fixType: 7 },
    ...{ timeUs: START + 20e6, longRange: false, radio: 0 },
  });
  // Reports are of second 30.
  const report = reportOf({ mmsi: SHIP, latitude: 37, longitude: 24 });
  await writeFile(join(folder, 'a.nmea'), [...base, report].join('\n'));
  await writeFile(join(folder, 'b.txt'), `# of a harbour\n${report}\n${report}\n`);

  const dated = await server.record({ name: 'Dated' }, [{ path: join(folder, 'a.nmea') }]);
  expect(dated.mission).toMatchObject({ state: 'Ready', startTime: START + 20e6, endTime: START + 30e6 });
  expect(dated.mission.sensors[0]!.assets[0]!.aisDated).toMatchObject({ baseStation: 2, none: 0 });
  const undated = await server.record({ name: 'Undated' }, [{ path: join(folder, 'b.txt') }]);
  const [sensor] = undated.mission.sensors;
  expect(sensor?.message).toContain('Its sentences carry no time');
  expect(sensor?.assets[0]?.aisDated).toMatchObject({ hand: 0, none: 2 });

  // Somebody knows when they came: ten seconds between two sentences.
  const url = `/api/sensors/${sensor!._id}/files/${sensor!.assets[0]!._id}/reading`;
  const requested = { klvPid: null, clock: null, ais: { start: START, perSecond: 0.1 } };
  expect((await askAs(server, 'U0').put(url, requested)).status).toBe(403);
  expect((await askAs(server, 'SA').put(url, requested)).status).toBe(200);
  expect(await server.work()).toEqual([]);
  expect((await askAs(server, 'SA').get<Mission>(`/api/missions/${undated.mission._id}`)).body).toMatchObject({
    ...{ state: 'Ready', startTime: START, endTime: START + 10e6 },
    sensors: [{ message: null, assets: [{ aisTimes: { start: START, perSecond: 0.1 }, aisDated: { hand: 2 } }] }],
  });
  expect(await shown(server, 'U1', `?mission=${undated.mission._id}`)).toEqual([SHIP]);
});
