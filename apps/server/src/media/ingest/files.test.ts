import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KlvHealth, Mission, SensorTimeline, TelemetryPage } from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { klvFlight } from '../../../test/klv-flight.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { putTogether, takeApart } from '../../../test/remux.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { get, post, delete: remove } = server.ask('SA');
const folder = await mkdtemp(join(tmpdir(), 'osprey-files-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const { db, storage, queue } = server.dependencies;

/** Stored files of a sensor. */
async function filesOf(sensorId: string): Promise<string[]> {
  const keys: string[] = [];
  for (const top of ['originals', 'indexes', 'renditions']) {
    for await (const { key } of storage.list(`${top}/${sensorId}`)) keys.push(key);
  }
  return keys;
}

const START_US = Date.UTC(2026, 5, 1) * 1000;
const SECOND_US = 1_000_000;

/** Some seconds of a flight, from `atSecond` after its start on. */
async function flight(
  name: string,
  atSecond: number,
  { seconds = 2, seed = 1 } = {},
): Promise<{ path: string; name: string }> {
  const path = join(folder, name);
  const startUs = START_US + atSecond * SECOND_US;
  await simulateToFile({ seconds, width: 320, height: 180, startUs, seed, gop: 25 }, path);
  return { path, name };
}

let files: Record<'first' | 'second' | 'late' | 'overlapping', { path: string; name: string }>;

beforeAll(async () => {
  files = {
    first: await flight('z-first.ts', 0),
    second: await flight('a-second.ts', 2),
    late: await flight('late.ts', 60, { seed: 5 }),
    overlapping: await flight('overlapping.ts', 1, { seconds: 3 }),
  };
}, 120_000);

async function shown(mission: Mission) {
  const place = `${mission._id}/${mission.sensors[0]!._id}`;
  return {
    timeline: (await get<SensorTimeline>(`/api/sensors/timeline/${place}`)).body,
    telemetry: (await get<TelemetryPage>(`/api/sensors/telemetry/${place}`)).body,
    health: (await get<KlvHealth>(`/api/sensors/klv-health/${place}`)).body,
    playlist: (await get<string>(`/api/media/${mission.sensors[0]!._id}/index.m3u8`)).body,
  };
}

const namesInOrder = (mission: Mission) => mission.sensors[0]!.assets.map(({ name }) => name);

describe('several files of one sensor', () => {
  it('follow the KLV clock, for any names and any order they came in', async () => {
    const { mission } = await server.record({ name: 'ordered' }, [files.late, files.second, files.first]);
    const { timeline, playlist, telemetry } = await shown(mission);

    expect(namesInOrder(mission)).toEqual(['z-first.ts', 'a-second.ts', 'late.ts']);
    expect(
      timeline.runs.map(({ discontinuity, startTime }) => [discontinuity, (startTime - START_US) / SECOND_US]),
    ).toEqual([
      [0, 0],
      [1, 2],
      [2, 60],
    ]);
    expect(timeline.gaps).toEqual([{ start: START_US + 4 * SECOND_US, end: START_US + 60 * SECOND_US }]);
    expect(playlist.match(/#EXT-X-DISCONTINUITY/g)).toHaveLength(2);
    expect(playlist.match(/#EXT-X-PROGRAM-DATE-TIME/g)).toHaveLength(3);
    expect(telemetry.time).toHaveLength(60);
    expect(telemetry.time).toEqual([...telemetry.time].sort((a, b) => a - b));
  });

  it('that have no clock lie where their names put them among those that have one', async () => {
    const { video, klv } = { video: { pid: 256, kind: 'h264' }, klv: { pid: 257, kind: 'klvAsync' } } as const;
    const silent = async (name: string) => {
      const pictures = takeApart(await readFile(files.second.path)).filter(({ isVideo }) => isVideo);
      const path = join(folder, name);
      await writeFile(path, putTogether(pictures, { video, klv }));
      return { path, name };
    };
    const [a, c, e] = [await silent('a.ts'), await silent('c.ts'), await silent('e.ts')];
    const [b, d] = [
      { ...files.first, name: 'b.ts' },
      { ...files.late, name: 'd.ts' },
    ];

    const { mission } = await server.record({ name: 'among' }, [e, d, c, b, a]);
    const { timeline } = await shown(mission);

    expect(namesInOrder(mission)).toEqual(['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts']);
    expect(timeline.runs.map(({ startTime }) => Math.round((startTime - START_US) / SECOND_US))).toEqual([
      -2, 0, 2, 60, 62,
    ]);
  });

  it('that were recorded after each other are all shown if a clock lays one over another', async () => {
    const [long, setBack] = [
      await flight('20260601-000000.ts', 0, { seconds: 4 }),
      await flight('20260601-000010.ts', 1),
    ];
    const { mission } = await server.record({ name: 'set-back' }, [setBack, long]);
    const { timeline, health } = await shown(mission);

    expect(timeline.runs.map(({ startTime }) => (startTime - START_US) / SECOND_US)).toEqual([0, 10]);
    expect(health.findings?.map(({ text }) => text)).toContain(
      '20260601-000010.ts: Its clock says a time 9.0 s earlier, at which another file was recorded: ' +
        'it is dated by the time in its name.',
    );
    // The other file's clock shows how far names are from UTC.
    expect([timeline.timeAssumed, health.findings?.filter(({ text }) => text.includes('assumed'))]).toEqual([
      undefined,
      [],
    ]);
  });

  it('if two overlap the first stays, and the overlap is reported', async () => {
    const { mission } = await server.record({ name: 'overlap' }, [files.overlapping, files.first]);
    const { timeline, telemetry, health, playlist } = await shown(mission);

    expect(namesInOrder(mission)).toEqual(['z-first.ts', 'overlapping.ts']);
    expect(mission.sensors[0]!.assets[1]!.message).toBe('The first 1.0 s overlap z-first.ts, which is shown instead.');
    expect(timeline.runs[0]).toMatchObject({ startTime: START_US, endTime: START_US + 2 * SECOND_US });
    expect(timeline.runs[1]).toMatchObject({ startTime: START_US + 2 * SECOND_US, durationSeconds: 2 });
    // The second run begins inside a segment of its file, so its part is cut out, with the tables before it.
    expect(playlist).toMatch(/#EXTINF:2\.000000,\n[0-9a-f-]{36}\/0\.ts\n/);
    expect(new Set(telemetry.time).size).toBe(telemetry.time.length);
    expect(health.findings.map(({ text }) => text)).toContainEqual(expect.stringMatching(/overlap z-first\.ts/));
  });

  itWithData.each([
    ['cut into', 0],
    ['cut into with one picture and set in both of two', 2],
  ])('that a recording was %s keep every record of it, each once', async (_how, repeated) => {
    const taken = takeApart(await readFile(testData('ts/osh/sample-stream.ts')));
    // Each set comes half a picture before its own, so while the one before is still shown.
    const units = taken.map((unit) => (unit.isVideo ? unit : { ...unit, ptsTicks: unit.ptsTicks - 1500 }));
    const keys = units.flatMap(({ keyframe }, i) => (keyframe ? [i - 1] : []));
    const cuts = [0, keys[Math.floor(keys.length / 3)]!, keys[Math.floor((2 * keys.length) / 3)]!, units.length];
    const video = { pid: 256, kind: 'h264' } as const;
    const klv = { pid: 257, kind: 'klvAsync' } as const;
    const parts = await Promise.all(
      [0, 1, 2].map(async (n) => {
        const path = join(folder, `part-${n}.ts`);
        await writeFile(path, putTogether(units.slice(Math.max(0, cuts[n]! - repeated), cuts[n + 1]), { video, klv }));
        return { path };
      }),
    );

    const { mission } = await server.record({ name: `cut-${repeated}` }, parts);
    const { telemetry } = await shown(mission);

    expect(telemetry.time).toHaveLength(277);
    expect(telemetry.time).toEqual([...new Set(telemetry.time)].sort((a, b) => a - b));
  });

  it('a manifest shows files that are missing or changed, and of a date that their telemetry contradicts', async () => {
    const manifest = join(folder, 'manifest.json');
    const day = Date.UTC(2020, 0, 1);
    await writeFile(
      manifest,
      JSON.stringify({
        files: [
          { name: 'a-second.ts', startTime: new Date(day).toISOString() },
          { name: 'z-first.ts', startTime: (day + 10_000) * 1000, sha256: '0'.repeat(64) },
          { name: 'never.ts' },
        ],
      }),
    );

    const { mission } = await server.record({ name: 'dated' }, [files.first, files.second, { path: manifest }]);

    const sensor = mission.sensors[0]!;
    expect(sensor.timeSource).toBe('klv');
    expect(mission.startTime).toBe(START_US);
    const { health } = await shown(mission);
    expect(health.findings.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^a-second\.ts: the manifest dates it .* earlier than its telemetry, which counts\.$/),
    );
    expect(sensor.message).toMatch(/never\.ts, which is not there/);
    expect(sensor.message).toMatch(/z-first\.ts is not the file that manifest\.json names/);
  });

  it('a manifest dates those without a clock of their own', async () => {
    const [path, manifest] = [join(folder, 'silent.ts'), join(folder, 'silent.json')];
    await writeFile(path, klvFlight({ seconds: 3, sets: [] }));
    const day = Date.UTC(2020, 0, 1) * 1000;
    await writeFile(manifest, JSON.stringify({ files: [{ name: 'silent.ts', startTime: day }] }));

    const { mission } = await server.record({ name: 'told' }, [{ path }, { path: manifest }]);

    expect(mission.startTime).toBe(day);
    expect(mission.sensors[0]!.timeSource).toBe('file');
  });

  it('a later file joins, and one that is removed leaves', async () => {
    const { mission } = await server.record({ name: 'grows' }, [files.first]);
    const sensor = mission.sensors[0]!;
    const before = mission.endTime;

    await server.record({ name: 'unrelated' }, [files.second]);
    const asset = sensor.assets[0]!;
    expect((await remove(`/api/sensors/${sensor._id}/files/${asset._id}`)).status).toBe(200);
    await server.work();

    const after = (await get<Mission>(`/api/missions/${mission._id}`)).body;
    expect(before).toBe(START_US + 2 * SECOND_US);
    expect(after.sensors[0]).toMatchObject({ state: 'Created', assets: [], hlsProps: null, startTime: null });
    expect(after).toMatchObject({ startTime: null, areaSqKm: null, thumbnail: null });
    expect(await filesOf(sensor._id)).toEqual([]);
  });

  it('one that is removed while it is read leaves nothing, and delays no other', async () => {
    const { open } = storage;
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(storage, 'open').mockImplementation(async (key) => {
      const file = await open(key);
      const row = await db.selectFrom('files').selectAll().where('storage_key', '=', key).executeTakeFirst();
      if (row === undefined) return file;
      await db.updateTable('jobs').set({ state: 'running' }).where('sensor_id', '=', row.sensor_id).execute();
      expect((await remove(`/api/sensors/${row.sensor_id}/files/${row.id}`)).status).toBe(200);
      return file;
    });

    const { mission } = await server.record({ name: 'removed-at-once' }, [files.first]);

    expect(mission).toMatchObject({ state: 'Created', sensors: [{ state: 'Created', assets: [] }] });
    expect(await filesOf(mission.sensors[0]!._id)).toEqual([]);
  });

  it('leaves no index that does not count, also of a try that was cut short', async () => {
    const { mission } = await server.record({ name: 'cut-short' }, [files.first]);
    const sensorId = mission.sensors[0]!._id;
    const before = await filesOf(sensorId);
    await storage.put(`indexes/${sensorId}/sensor-${crypto.randomUUID()}.json`, [new Uint8Array(2)]);

    await queue.enqueue(db, 'ingest', { missionId: mission._id, sensorId });
    await server.work();

    expect(await filesOf(sensorId)).toHaveLength(before.length);
  });
});

describe('two sensors of one mission', () => {
  it('join their times and what they saw', async () => {
    const { mission } = await server.record({ name: 'pair' }, { EO: [files.first], IR: [files.late] });

    expect(mission).toMatchObject({
      state: 'Ready',
      startTime: START_US,
      endTime: START_US + 62 * SECOND_US,
    });
    const alone = await server.record({ name: 'alone' }, [files.first]);
    expect(mission.areaSqKm!).toBeGreaterThan(alone.mission.areaSqKm!);
  });
});

describe('an editor’s shift', () => {
  it('moves every time of the sensor, counted from what its source says', async () => {
    const { mission } = await server.record({ name: 'shifted' }, [files.first]);
    const sensor = mission.sensors[0]!;
    const before = await shown(mission);

    await post(`/api/sensors/${sensor._id}/shift`, { shift: 5 * SECOND_US });
    await post(`/api/sensors/${sensor._id}/shift`, { shift: 3 * SECOND_US });

    const moved = (await get<Mission>(`/api/missions/${mission._id}`)).body;
    const after = await shown(moved);
    expect(moved).toMatchObject({ startTime: START_US + 3 * SECOND_US });
    expect(moved.sensors[0]).toMatchObject({ timeShift: 3 * SECOND_US, startTime: START_US + 3 * SECOND_US });
    expect(after.telemetry.time).toEqual(before.telemetry.time.map((time) => time + 3 * SECOND_US));
    expect(after.timeline.runs[0]!.anchors[0]![1]).toBe(before.timeline.runs[0]!.anchors[0]![1] + 3 * SECOND_US);
    expect(after.playlist).toContain('#EXT-X-PROGRAM-DATE-TIME:2026-06-01T00:00:03.000Z');
    expect((await server.ask('U1').post(`/api/sensors/${sensor._id}/shift`, { shift: 0 })).status).toBe(403);
  });
});

describe('views', () => {
  it('count once for each user, sensor and half an hour', async () => {
    const { mission } = await server.record({ name: 'viewed' }, [files.first]);
    const url = `/api/sensors/${mission.sensors[0]!._id}/view`;

    await Promise.all([post(url), post(url), server.ask('U1').post(url)]);

    expect((await get<Mission>(`/api/missions/${mission._id}`)).body).toMatchObject({
      views: 2,
      sensors: [{ views: 2 }],
    });
  });
});
