import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KlvHealth, Mission, SensorTimeline, TelemetryPage } from '@osprey/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { tlogFile } from '../../../test/flight-logs.ts';
import { recordingServer } from '../../../test/recordings.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { get } = server.ask('SA');
const folder = await mkdtemp(join(tmpdir(), 'osprey-sidecars-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function csv(name: string, lines: readonly string[]) {
  const path = join(folder, name);
  await writeFile(path, lines.join('\n'));
  return { path, name };
}

/** Two cues, half a second apart. */
const subtitles = (name: string, latitude: number) =>
  csv(
    name,
    ['00:00:00,000 --> 00:00:00,500', '00:00:00,500 --> 00:00:01,000'].flatMap((time, i) => [
      `${i + 1}`,
      time,
      `[latitude: ${latitude}] [longitude: 13.1]`,
      '',
    ]),
  );

async function telemetryOf(mission: Mission) {
  const place = `${mission._id}/${mission.sensors[0]!._id}`;
  return {
    page: (await get<TelemetryPage>(`/api/sensors/telemetry/${place}`)).body,
    health: (await get<KlvHealth>(`/api/sensors/klv-health/${place}`)).body,
    path: (await get<{ geometry: { coordinates: number[][][] } }>(`/api/sensors/path/${place}`)).body,
  };
}

describe('telemetry sidecars', () => {
  it('a table gives the telemetry of a sensor, its rows put in order', async () => {
    const file = await csv('flight.csv', [
      'time,13,Sensor Longitude,Platform Designation',
      '2026-06-01T00:00:02Z,37.502,24.502,Kestrel',
      '2026-06-01T00:00:00Z,37.500,24.500,Kestrel',
      '2026-06-01T00:00:01Z,37.501,24.501,Kestrel',
    ]);

    const { mission } = await server.record({ name: 'table' }, [file]);
    const { page, health, path } = await telemetryOf(mission);

    expect(mission).toMatchObject({ state: 'Ready', startTime: Date.UTC(2026, 5, 1) * 1000 });
    expect(mission.sensors[0]!.klv).toEqual({ state: 'good', text: 'Telemetry comes from flight.csv: 3 records.' });
    expect(page.tags).toEqual({
      '10': ['Kestrel', 'Kestrel', 'Kestrel'],
      '13': [37.5, 37.501, 37.502],
      '14': [24.5, 24.501, 24.502],
    });
    expect(health.sets).toBe(3);
    expect(path.geometry.coordinates[0]![0]).toEqual([24.5, 37.5]);
  });

  it('a table within the time of another is not named as the source of telemetry', async () => {
    const rows = (...seconds: number[]) => ['time,13,14', ...seconds.map((s) => `2026-06-01T00:00:0${s}Z,37.5,24.5`)];
    const complete = await csv('whole.csv', rows(0, 1, 2, 3));
    const part = await csv('part.csv', rows(1, 2));

    const { mission } = await server.record({ name: 'covered' }, [complete, part]);
    const { page, health } = await telemetryOf(mission);

    expect(page.time).toHaveLength(4);
    expect(health.sets).toBe(4);
    expect(health.findings.map(({ text }) => text)).toEqual([
      'part.csv: all of it lies within the time of others, which are shown instead.',
      'Telemetry comes from whole.csv: 4 records.',
    ]);
  });

  it('a table that pauses for minutes has a gap on the timeline', async () => {
    const startUs = Date.UTC(2026, 5, 1) * 1000;
    const seconds = [...Array(20).keys(), ...[...Array(20).keys()].map((second) => 320 + second)];
    const rows = seconds.map((second) => `${new Date(startUs / 1000 + second * 1000).toISOString()},37.5,24.5`);

    const { mission } = await server.record({ name: 'pause' }, [await csv('pause.csv', ['time,13,14', ...rows])]);
    const { body } = await get<SensorTimeline>(`/api/sensors/timeline/${mission._id}/${mission.sensors[0]!._id}`);

    expect(body.gaps).toEqual([{ start: startUs + 19_000_000, end: startUs + 320_000_000 }]);
  });

  it('tracks of one file at the same time are not mixed: the first is shown, and the rest reported', async () => {
    const track = (latitude: number, ...seconds: number[]) =>
      `<trk><trkseg>${seconds
        .map((s) => `<trkpt lat="${latitude}" lon="24.5"><time>2026-06-01T00:00:0${s}Z</time></trkpt>`)
        .join('')}</trkseg></trk>`;
    const file = await csv('two.gpx', ['<gpx>', track(10, 2, 4), track(20, 3, 4, 6), track(30, 0, 1), '</gpx>']);

    const { mission } = await server.record({ name: 'tracks' }, [file]);
    const { page } = await telemetryOf(mission);

    expect(page.tags['13']).toEqual([30, 30, 10, 10, 20, 20]);
    expect(mission.sensors[0]!.klv).toEqual({
      state: 'warning',
      text: 'two.gpx: one row is out of order or at the time of another track, and left out.',
    });
  });

  it('the log of an autopilot that ends early shows what was read, and health says so', async () => {
    const startMs = Date.UTC(2026, 5, 1);
    const still = { longitude: 24.5, altitude: 120, speed: 9, fix: 3, roll: 1, pitch: 2, yaw: 30 };
    const moments = [0, 1, 2].map((seconds) => ({ seconds, latitude: 37.5 + seconds / 1000, ...still }));
    const path = join(folder, 'flight.tlog');
    await writeFile(path, tlogFile({ startMs, moments }).subarray(0, -3));

    const { mission } = await server.record({ name: 'autopilot' }, [{ path, name: 'flight.tlog' }]);
    const { page, health } = await telemetryOf(mission);

    expect(mission).toMatchObject({ state: 'Ready', startTime: startMs * 1000 });
    expect(page.tags['13']?.filter((value) => value !== null)).toEqual([37.5, 37.501, 37.502]);
    expect(health.findings.map(({ text }) => text)).toEqual([
      'flight.tlog: it ends within a record; what could be read is shown.',
      'Telemetry comes from flight.tlog: 5 records.',
    ]);
  });

  it('a table without a value that can be read is refused', async () => {
    const file = await csv('words.csv', ['time,13,14', '2026-06-01T00:00:00Z,n/a,n/a', '2026-06-01T00:00:01Z,,']);

    const { mission, failures } = await server.record({ name: 'words' }, [file]);

    expect(mission.state).toBe('Stopped');
    expect(failures[0]).toContain('none of its columns holds a value that can be read');
  });

  itWithData('DJI subtitles count from the first picture of their video', async () => {
    const video = { path: testData('field/plain-3s.ts') };
    const { mission } = await server.record({ name: 'dji' }, [video, { path: testData('srt/dji/mavic_pro.SRT') }]);
    const { page } = await telemetryOf(mission);

    expect(page.time.length).toBeGreaterThan(0);
    expect(page.time[0]).toBeGreaterThanOrEqual(mission.startTime!);
    expect(page.tags['13']?.some((value) => typeof value === 'number')).toBe(true);
  });

  itWithData('DJI subtitles count from the recording of their name where a flight was parted', async () => {
    const [one, two] = ['DJI_0001.ts', 'DJI_0002.ts'].map((name) => ({
      path: testData('field/plain-3s.ts'),
      name,
    }));
    const first = await subtitles('dji_0001.SRT', 50);
    const second = await subtitles('dji_0002.SRT', 60);

    const { mission } = await server.record({ name: 'parted' }, [second, two!, one!, first]);
    const { page } = await telemetryOf(mission);

    const [start, next] = mission.sensors[0]!.assets.filter(({ kind }) => kind === 'ts').map(
      ({ startTime }) => startTime,
    );
    expect(page.time).toEqual([start!, start! + 500_000, next!, next! + 500_000]);
    expect(page.tags['13']).toEqual([50, 50, 60, 60]);
  });

  itWithData('subtitles without a video are refused with the reason', async () => {
    const { mission, failures } = await server.record({ name: 'lonely' }, [
      { path: testData('srt/dji/mavic_pro.SRT') },
    ]);

    expect(mission.state).toBe('Stopped');
    expect(failures[0]).toMatch(/count from the start of a video/);
  });

  itWithData('a recording with telemetry of its own keeps it', async () => {
    const file = await csv('beside.csv', ['time,13,14', '2012-06-29T14:32:35Z,10,20']);

    const { mission } = await server.record({ name: 'own' }, [{ path: testData('ts/osh/sample-stream.ts') }, file]);
    const { page } = await telemetryOf(mission);

    expect(page.time).toHaveLength(277);
    expect(page.tags['13']).not.toContain(10);
  });
});
