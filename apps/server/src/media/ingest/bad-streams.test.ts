import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KlvHealth, Mission, SensorTimeline, TelemetryPage } from '@osprey/contract';
import { describe, expect } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { expectHarmless } from '../../../test/harmless.ts';
import { recordingServer } from '../../../test/recordings.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { get } = server.ask('SA');
expectHarmless(() => server.dataDir);

const recorded = (file: string) => recordedFrom(testData(file));

async function recordedFrom(path: string) {
  const name = `m-${crypto.randomUUID()}`;
  const { mission, uploads, failures } = await server.record({ name }, [{ path }]);
  const sensor = mission.sensors[0]!;
  const place = `${mission._id}/${sensor._id}`;
  const health = (await get<KlvHealth>(`/api/sensors/klv-health/${place}`)).body;
  const telemetry = (await get<TelemetryPage>(`/api/sensors/telemetry/${place}`)).body;
  const timeline = (await get<SensorTimeline>(`/api/sensors/timeline/${place}`)).body;
  const playlist = (await get<string>(`/api/media/${sensor._id}/index.m3u8`)).body;
  return { mission, sensor, upload: uploads[0], failures, health, telemetry, timeline, playlist };
}

async function filesOf(sensorId: string): Promise<string[]> {
  const folder = join(server.dataDir, 'files', 'originals', sensorId);
  return readdir(folder).catch(() => []);
}

const isAtRest = (mission: Mission): boolean => ['Created', 'Ready', 'Stopped'].includes(mission.state);

/** Tags that a player needs where the clock of a stream jumps. */
const DATED_BREAK = /#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:/g;

/** The osh recording whole, as most bad streams hold it: 92 sets in 3.1 s. */
const COMPLETE = { sets: 92, bad: 0, seconds: 3.1 };

describe('a stream that names its content late', () => {
  itWithData('is shown from there on, and says what is not shown', async () => {
    const bytes = await readFile(testData('ts/osh/sample-stream.ts'));
    const isTable = (at: number) => [0, 4096].includes(((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!);
    const late: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 188) {
      if (at > bytes.length / 2 || !isTable(at)) late.push(bytes.subarray(at, at + 188));
    }
    const path = join(server.dataDir, 'late.ts');
    await writeFile(path, Buffer.concat(late));

    const { health, timeline } = await recordedFrom(path);

    const text = health.findings?.map((one) => one.text).find((one) => one.startsWith('late.ts: its tables come'));
    expect(text).toContain('the pictures and telemetry before them are not shown.');
    // By the rate of the bytes, which changes over a recording.
    const missing = 9.2 - (timeline.endTime - timeline.startTime) / 1e6;
    expect(Math.abs(Number(/about (\d+) s/.exec(text ?? '')?.[1]) - missing)).toBeLessThan(1.5);
  });
});

describe('streams that must be refused at the door', () => {
  itWithData.each([
    'zero_bytes.ts',
    'one_byte.ts',
    'text.ts',
    'mp4_inside.ts',
    'sync_wrong.ts',
    'null_packets_only.ts',
    'no_pmt.ts',
    'pmt_crc_bad.ts',
    'scrambled.ts',
  ])('bad/ts/%s leaves no file and no row', async (file) => {
    const { mission, sensor, upload } = await recorded(`bad/ts/${file}`);

    expect(upload).toBe(415);
    expect(mission.state).toBe('Created');
    expect(sensor.assets).toEqual([]);
    expect(await filesOf(sensor._id)).toEqual([]);
  });
});

describe('streams that must work', () => {
  itWithData.each([
    ['leading_garbage.ts', COMPLETE],
    ['m2ts_192.ts', COMPLETE],
    ['rs_204.ts', COMPLETE],
    ['pts_wrap.ts', COMPLETE],
    ['klv_sync_au.ts', COMPLETE],
    ['klv_sync_fragments.ts', COMPLETE],
    ['klv_sync_two_cells.ts', { ...COMPLETE, sets: 184 }],
    ['pmt_changes.ts', { ...COMPLETE, sets: 91 }],
    ['two_programs.ts', { sets: 42, bad: 0, seconds: 1.43 }],
    ['truncated_mid_packet.ts', { sets: 50, bad: 0, seconds: 1.7 }],
  ])('bad/ts/%s gives its sets and plays', async (file, { sets, bad, seconds }) => {
    const { mission, sensor, upload, health, telemetry } = await recorded(`bad/ts/${file}`);

    expect(upload).toBe(200);
    expect(mission.state).toBe('Ready');
    expect(health).toMatchObject({ sets, checksum: { bad } });
    expect(telemetry.time).toHaveLength(sets);
    expect(sensor.hlsProps?.durationSeconds).toBeCloseTo(seconds, 1);
  });

  itWithData('bad/ts/klv_stream_empty.ts is a sensor without telemetry', async () => {
    const { mission, sensor, health, telemetry, timeline } = await recorded('bad/ts/klv_stream_empty.ts');

    // The mission waits for the conversion of its 4:4:4 video, which browsers cannot play; the empty KLV stream is no
    // failure.
    expect(mission.state).toBe('Processing');
    expect(sensor.klv).toEqual({ state: 'none', text: 'No telemetry' });
    expect(health.sets).toBe(0);
    expect(telemetry).toMatchObject({ time: [], tags: {}, more: false });
    expect(timeline.endTime - timeline.startTime).toBeCloseTo(1e6, -5);
  });
});

describe('streams whose faults are counted and shown', () => {
  const find = (health: KlvHealth) => health.findings.map(({ text }) => text).join(' ');

  itWithData.each([
    ['dropped_10pct.ts', /packets of the stream are missing/],
    ['flipped_bytes.ts', /fail their checksum and are left out/],
    ['junk_between_packets.ts', /bytes lie between packets and were skipped/],
    ['no_pat.ts', /association table is missing; the program was found by search/],
    ['transport_error_flag.ts', /800 packets are marked as damaged/],
    ['duplicate_packets.ts', /400 packets are sent twice/],
    ['truncated_first_second.ts', /announced, but it is empty/],
    ['klv_length_lies.ts', /telemetry cannot be read/],
    ['video_missing.ts', /there is no picture/],
    ['klv_checksum_bad.ts', /30 of 30 sets fail their checksum/],
    ['pts_back_1h.ts', /jumps back by 3600/],
    ['pts_gap_98s.ts', /jumps ahead by 98/],
  ])('bad/ts/%s', async (file, text) => {
    const { upload, mission, health } = await recorded(`bad/ts/${file}`);

    expect(upload).toBe(200);
    expect(find(health)).toMatch(text);
    expect(isAtRest(mission) || mission.sensors[0]?.message).toBeTruthy();
  });

  itWithData('a set that fails its checksum moves no marker', async () => {
    const { health, telemetry, mission } = await recorded('bad/ts/klv_checksum_bad.ts');

    expect(health.checksum).toEqual({ good: 0, bad: 30, missing: 0 });
    expect(telemetry.time).toEqual([]);
    expect(mission.areaSqKm).toBe(0);
    expect(mission.place).toBeNull();
  });

  itWithData('repeated packets change nothing of the sets', async () => {
    const { health, telemetry } = await recorded('bad/ts/duplicate_packets.ts');

    expect(health).toMatchObject({ sets: 92, checksum: { good: 92, bad: 0 } });
    expect(telemetry.time).toHaveLength(92);
  });

  itWithData('a clock that jumps back makes two runs and no negative length', async () => {
    const { timeline, sensor, playlist } = await recorded('bad/ts/pts_back_1h.ts');

    expect(timeline.runs).toHaveLength(2);
    expect(timeline.endTime - timeline.startTime).toBeCloseTo(3.1e6, -5);
    expect(sensor.hlsProps?.durationSeconds).toBeCloseTo(3.1, 1);
    expect(playlist.match(DATED_BREAK)).toHaveLength(1);
  });

  itWithData('a clock that jumps ahead leaves a gap without positions', async () => {
    const { timeline, telemetry, playlist } = await recorded('bad/ts/pts_gap_98s.ts');

    expect(timeline.gaps).toHaveLength(1);
    expect(playlist.match(DATED_BREAK)).toHaveLength(1);
    const [gap] = timeline.gaps;
    expect((gap!.end - gap!.start) / 1e6).toBeCloseTo(98, 0);
    expect(telemetry.time.filter((time) => time > gap!.start + 40_000 && time < gap!.end - 40_000)).toEqual([]);
  });

  itWithData('two programs are never mixed', async () => {
    const { telemetry, health } = await recorded('bad/ts/two_programs.ts');

    expect(new Set(telemetry.time).size).toBe(telemetry.time.length);
    expect(find(health)).toMatch(/first of 2 programs is shown/);
    expect(new Set(health.streams.map(({ program }) => program)).size).toBe(1);
  });
});

describe('broadcast streams', () => {
  itWithData('every file of ts/tsduck ends at rest or waits for its conversion', async () => {
    const ends: Record<string, string> = {};
    for (const file of await readdir(testData('ts/tsduck'))) {
      const { mission, upload } = await recorded(`ts/tsduck/${file}`);
      ends[file] = upload === 200 ? mission.state : String(upload);
    }

    expect(ends).toEqual({
      'test-012.ts': 'Stopped',
      'test-023a.ts': '415',
      'test-023b.ts': '415',
      'test-023c.ts': '415',
      'test-024.ts': '415',
      'test-049.ts': '415',
      'test-097.ts': 'Stopped',
      'test-100.1.ts': 'Processing',
      'test-100.2.ts': 'Processing',
      'test-101.ts': '415',
      'test-137.ts': 'Processing',
      'test-142.ts': 'Stopped',
      'test-143.ts': '415',
      'test-145.ts': 'Stopped',
    });
  });
});
