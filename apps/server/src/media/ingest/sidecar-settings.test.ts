import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KlvHealth, Mission, SensorTimeline, TelemetryPage } from '@osprey/contract';
import { expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { recordingServer } from '../../../test/recordings.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { get, post } = server.ask('SA');
const folder = await mkdtemp(join(tmpdir(), 'osprey-sidecar-settings-'));
atEnd(() => rm(folder, { recursive: true, force: true }));

const video = () => ({ path: testData('field/plain-3s.ts') });
const field = (name: string) => ({ path: testData(`field/${name}`) });

async function state(mission: Mission) {
  const place = `${mission._id}/${mission.sensors[0]!._id}`;
  const ask = async <T>(what: string) => (await get<T>(`/api/sensors/${what}/${place}`)).body;
  const fresh = (await get<Mission>(`/api/missions/${mission._id}`)).body;
  const health = await ask<KlvHealth>('klv-health');
  return {
    sensor: fresh.sensors[0]!,
    health,
    sidecar: health.sidecars[0]!,
    findings: health.findings.map(({ severity, text }) => `${severity}: ${text}`),
    page: await ask<TelemetryPage>('telemetry'),
    timeline: await ask<SensorTimeline>('timeline'),
  };
}

async function set(mission: Mission, body: { offset?: number; exchanged?: boolean }) {
  const [sensor] = mission.sensors;
  const file = sensor!.assets.find(({ kind }) => kind === 'sidecar')!;
  const { status } = await post(`/api/sensors/${sensor!._id}/files/${file._id}/sidecar`, body);
  expect(await server.work()).toEqual([]);
  return status;
}

itWithData(
  'a track of another year is not good: it says how far it is away, and can be lined up and put back',
  async () => {
    const { mission } = await server.record({ name: 'years-away' }, [video(), field('years-away.gpx')]);
    const before = await state(mission);
    const apart = before.timeline.startTime - before.sidecar.endTime;
    const years = Math.floor(apart / 86_400_000_000 / 365.25);

    expect(before.sidecar).toMatchObject({ records: 15, withinVideo: 0, offset: 0, order: null, startAssumed: false });
    expect(before.sidecar.startTime).toBe(Date.UTC(2023, 10, 14, 22, 13, 20) * 1000);
    expect(before.findings[0]).toMatch(
      new RegExp(
        `^error: years-away.gpx: none of its 15 records lies within the video; they end ${years} years? \\d+ days? before it begins\\.$`,
      ),
    );
    expect(before.sensor.klv?.state).toBe('warning');
    expect(before.page.time).toEqual([]);

    const offset = before.timeline.startTime - before.sidecar.startTime;
    expect(await set(mission, { offset })).toBe(200);
    const after = await state(mission);

    expect(after.sidecar).toMatchObject({ withinVideo: 4, offset, startTime: before.timeline.startTime });
    expect(after.findings).toEqual([
      'good: Telemetry comes from years-away.gpx: 15 records, 4 of them within the video.',
    ]);
    expect(after.sensor.klv?.state).toBe('good');
    expect(after.page.tags['13']).toEqual([50, 50.0001, 50.0002, 50.0003].map((lat) => expect.closeTo(lat, 6)));
    expect(after.page.time[0]).toBe(before.timeline.startTime);

    await set(mission, { offset: 0 });
    expect((await state(mission)).findings).toEqual(before.findings);
    const rows = await server.db
      .selectFrom('audit')
      .select(['action', 'item_id', 'reason'])
      .where('reason', 'like', 'years-away.gpx%')
      .orderBy('seq')
      .execute();
    expect(rows).toEqual(
      [
        [0, offset],
        [offset, 0],
      ].map(([from, to]) => ({
        action: 'mission.update',
        item_id: mission._id,
        reason: `years-away.gpx: offset ${from! / 1e6} s to ${to! / 1e6} s, coordinates as read to as read`,
      })),
    );
  },
);

itWithData(
  'subtitles of a Matrice 300 lie in Spain, and those longer than the video say how many records do not',
  async () => {
    const { mission } = await server.record({ name: 'm300' }, [video(), field('m300-unit.srt')]);
    const { sidecar, findings, page } = await state(mission);

    expect(page.tags['13']?.[0]).toBeCloseTo(36.6146, 6);
    expect(page.tags['14']?.[0]).toBeCloseTo(-6.112, 6);
    expect(sidecar.order).toEqual({ first: 'latitudeFirst', basis: 'unit', exchanged: false });
    expect(findings).toEqual(['good: Telemetry comes from m300-unit.srt: 15 records, 4 of them within the video.']);
  },
);

itWithData('coordinates whose order is assumed say so until a user exchanges them', async () => {
  const name = 'p4p.srt';
  const path = join(folder, name);
  await writeFile(path, '1\n00:00:00,000 --> 00:00:01,000\nGPS(8.2090,47.4692,18)\n');
  const { mission } = await server.record({ name: 'assumed' }, [video(), { path, name }]);
  const before = await state(mission);

  expect(before.page.tags['13']?.[0]).toBeCloseTo(47.4692, 6);
  expect(before.sidecar.order).toEqual({ first: 'longitudeFirst', basis: 'assumed', exchanged: false });
  expect(before.findings[0]).toContain('the longitude is taken to be the first, as published for this form (assumed)');

  await set(mission, { exchanged: true });
  const after = await state(mission);
  expect(after.page.tags['13']?.[0]).toBeCloseTo(8.209, 6);
  expect(after.sidecar.order).toEqual({ first: 'latitudeFirst', basis: 'assumed', exchanged: true });
  expect(after.findings).toEqual([`good: Telemetry comes from ${name}: one record.`]);

  await set(mission, { exchanged: false });
  expect((await state(mission)).page.tags['13']?.[0]).toBeCloseTo(47.4692, 6);
});

itWithData('a log that counts from its own start begins with the video, which is said to be assumed', async () => {
  const name = 'DJIFlightRecord.csv';
  const path = join(folder, name);
  await writeFile(path, 'OSD.flyTime [s],OSD.latitude,OSD.longitude\n100,47.5,8.25\n101,47.5001,8.25\n');
  const { mission } = await server.record({ name: 'flight-record' }, [video(), { path, name }]);
  const before = await state(mission);

  expect(before.page.time).toEqual([before.timeline.startTime, before.timeline.startTime + 1_000_000]);
  expect(before.findings[0]).toContain('they are taken to begin with the video (assumed)');

  await set(mission, { offset: 1_500_000 });
  expect((await state(mission)).page.time[0]).toBe(before.timeline.startTime + 1_500_000);
});

itWithData('only of telemetry files: a recording is refused, and a file of another sensor not found', async () => {
  const { mission } = await server.record({ name: 'kinds' }, [video()]);
  const other = (await server.record({ name: 'other' }, [video()])).mission.sensors[0]!;
  const sensor = mission.sensors[0]!;
  const ask = (fileId: string, body: object) => post(`/api/sensors/${sensor._id}/files/${fileId}/sidecar`, body);

  expect((await ask(sensor.assets[0]!._id, { offset: 1 })).status).toBe(422);
  expect((await ask(other.assets[0]!._id, { offset: 1 })).status).toBe(404);
  expect((await ask(sensor.assets[0]!._id, { offset: 1e16 })).status).toBe(400);
});

it('implausible values are found in telemetry files too, with count and first moment', async () => {
  const name = 'null.csv';
  const path = join(folder, name);
  const rows = [0, 1, 2].map((second) => `2026-06-01T00:00:0${second}Z,${second === 0 ? 0.001 : 0},0`);
  await writeFile(path, ['time,13,14', ...rows].join('\n'));
  const { mission } = await server.record({ name: 'null-island' }, [{ path, name }]);
  const { health, sensor } = await state(mission);

  expect(health.findings).toContainEqual({
    severity: 'warning',
    text: 'A position lies within 1 m of latitude 0, longitude 0: in 2 records.',
    count: 2,
    time: Date.UTC(2026, 5, 1, 0, 0, 1) * 1000,
  });
  expect(sensor.klv?.state).toBe('warning');
});
