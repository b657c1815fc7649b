import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KlvHealth, Mission, SensorTimeline, TelemetryPage, TelemetrySet } from '@osprey/contract';
import { encodeSt0601 } from '@osprey/klv';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { containerFile, H264, pictureTimes, testPictures, withTracks } from '../../../test/containers.ts';
import { gps5Payload, gps9Payload } from '../../../test/gpmf.ts';
import { picturesIn } from '../../../test/played.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { orderMissingStreams } from './missing-renditions.ts';

const server = await recordingServer();
const { get, post } = server.ask('SA');
const folder = await mkdtemp(join(tmpdir(), 'osprey-containers-'));
atEnd(() => rm(folder, { recursive: true, force: true }));

const BEGIN_US = Date.UTC(2023, 10, 14, 22, 13, 20) * 1000;
const DATED = ['-metadata', 'creation_time=2024-02-03T04:05:06Z'];

async function record(files: Record<string, Uint8Array>) {
  const name = `c-${crypto.randomUUID()}`;
  const uploads = [];
  for (const [file, bytes] of Object.entries(files)) {
    const path = join(folder, `${name}-${file}`);
    await writeFile(path, bytes);
    uploads.push({ path, name: file });
  }
  const recorded = await server.record({ name }, uploads);
  return { ...recorded, ...(await state(recorded.mission)) };
}

async function state(mission: Mission) {
  const fresh = (await get<Mission>(`/api/missions/${mission._id}`)).body;
  const sensor = fresh.sensors[0]!;
  const ask = async <T>(what: string) => (await get<T>(`/api/sensors/${what}/${mission._id}/${sensor._id}`)).body;
  const health = await ask<KlvHealth>('klv-health');
  const playlist = sensor.hlsProps ? (await get<string>(sensor.hlsProps.url)).body : '';
  const lines = playlist.split('\n').filter((line) => /^[0-9a-f-]{36}.*\.ts/.test(line));
  let pictures = 0;
  for (const line of lines) pictures += picturesIn((await get(`/api/media/${sensor._id}/${line}`)).raw);
  return {
    sensor,
    health,
    pictures,
    texts: health.findings?.map(({ severity, text }) => `${severity}: ${text}`),
    timeline: await ask<SensorTimeline>('timeline'),
    telemetry: await ask<TelemetryPage>('telemetry'),
  };
}

const sets = (count: number, everyMs: number) =>
  Array.from({ length: count }, (_, n) => ({
    bytes: encodeSt0601({ 2: BEGIN_US + n * everyMs * 1000, 13: 50 + n / 1000, 14: 8, 15: 500, 65: 19 }),
    ticks: everyMs,
  }));

const plain = (name = 'a.mp4', more: readonly string[] = []) =>
  containerFile(name, [...testPictures(3), ...H264, '-c:a', 'aac', ...more]);

describe.skipIf(!existsSync('/usr/bin/ffmpeg'))('recordings in containers', () => {
  it('an MP4 with KLV plays with its telemetry, and its original is kept', async () => {
    const file = withTracks(plain(), [{ handler: 'meta', coding: 'mett', timescale: 1000, samples: sets(30, 100) }]);
    const { sensor, mission, timeline, telemetry, health, pictures } = await record({ 'flight.MP4': file });
    const asset = sensor.assets[0]!;

    expect(sensor).toMatchObject({ state: 'Ready', timeSource: 'klv', message: null });
    expect([timeline.startTime, timeline.endTime]).toEqual([BEGIN_US, BEGIN_US + 3_000_000]);
    expect([pictures, telemetry.time.length, health.sets]).toEqual([75, 30, 30]);
    expect(telemetry.time[7]).toBe(BEGIN_US + 700_000);
    expect(asset).toMatchObject({
      kind: 'mp4',
      name: 'flight.MP4',
      sizeBytes: file.length,
      path: expect.stringMatching(/\.mp4$/),
    });
    const original = await get(asset.path);
    expect(original.headers['content-type']).toBe('video/mp4');
    expect(original.raw.equals(file)).toBe(true);
    expect((await get(asset.path.replace('.mp4', '.ts'))).status).toBe(404);
    const set = await get<TelemetrySet>(
      `/api/sensors/telemetry-set/${mission._id}/${sensor._id}?time=${telemetry.time[7]}`,
    );
    expect(set.body.set).toMatchObject({ fileName: 'flight.MP4', checksum: 'good', standard: 'st0601' });
  });

  it('a MOV without telemetry is dated by its container, and an MKV too', async () => {
    for (const name of ['a.mov', 'a.mkv']) {
      const { sensor, timeline, texts, pictures } = await record({ [name]: plain(name, DATED) });

      expect(sensor).toMatchObject({ state: 'Ready', timeSource: 'container' });
      // ffmpeg lets the pictures of an MKV begin 23 ms after its sound.
      const lateMs = name.endsWith('mkv') ? 23 : 0;
      expect(timeline.startTime).toBe((Date.UTC(2024, 1, 3, 4, 5, 6) + lateMs) * 1000);
      expect(pictures).toBe(75);
      expect(texts).toContain(`good: ${name}: it is dated by the time that its container gives for its beginning.`);
    }
  });

  it.each([
    // Its zone is stated; the box mvhd holds the local time, as many cameras write it.
    ['com.apple.quicktime.creationdate=2024-02-03T04:05:06+0200', 'a.mov', '2024-02-03T02:05:06.000Z'],
    ['com.apple.quicktime.creationdate=2024-02-03T04:05:06', 'b.mov', '2024-02-03T04:05:06.000Z'],
    ['comment=none', 'flight-20240203T020506Z.mp4', '2024-02-03T02:05:06.000Z'],
    ['comment=none', 'flight-20240203T020506.mp4', '2024-02-03T04:05:06.000Z'],
  ])('of several dates the only one with a zone counts: %s, %s', async (text, name, expected) => {
    const words = [...DATED, '-metadata', text, '-movflags', 'use_metadata_tags'];
    const { timeline } = await record({ [name]: plain(name, words) });

    expect(new Date(timeline.startTime / 1000).toISOString()).toBe(expected);
  });

  it.each(['a.mov', 'a.mp4'])('©day of %s counts where it alone has a zone', async (name) => {
    for (const [text, expected] of [
      ['2024-02-03T04:05:06+0200', '2024-02-03T02:05:06.000Z'],
      ['2024', '2024-02-03T04:05:06.000Z'],
    ] as const) {
      const file = plain(name, [...DATED, '-metadata', `date=${text}`]);
      // ffmpeg writes it into the user data of a MOV, and into the metadata of an MP4.
      expect(Buffer.from(file).includes(Buffer.from('\u00a9day', 'latin1'))).toBe(true);
      const { timeline } = await record({ [name]: file });

      expect(new Date(timeline.startTime / 1000).toISOString(), text).toBe(expected);
    }
  });

  it('files whose names are in another order than the clock of their camera stay at its times', async () => {
    const part = (time: string) =>
      containerFile('a.mp4', [...testPictures(1), ...H264, '-an', '-metadata', `creation_time=${time}`]);
    const { timeline } = await record({
      'GX010042.MP4': part('2024-02-03T04:05:06Z'),
      // The number of a recording begins again with another card.
      'GX020042.MP4': part('2024-02-03T03:00:00Z'),
      'GX010043.MP4': part('2024-02-03T03:10:00Z'),
    });

    expect(timeline.runs.map(({ startTime }) => new Date(startTime / 1000).toISOString())).toEqual([
      '2024-02-03T03:00:00.000Z',
      '2024-02-03T03:10:00.000Z',
      '2024-02-03T04:05:06.000Z',
    ]);
  });

  it.each([
    ['gps5', gps5Payload],
    ['gps9', gps9Payload],
  ] as const)(
    'a GoPro shows where it was (%s), dated by its receiver, and nothing without a fix',
    async (_key, payload) => {
      const samples = [0, 1, 2].map((n) => ({
        bytes: payload({
          // The first second has no fix: the receiver repeats an old place.
          fix: n === 0 ? 0 : 3,
          utc: new Date(BEGIN_US / 1000 + n * 1000),
          readings: Array.from({ length: 10 }, (_, k) => ({
            latitude: 36.6 + (n * 10 + k) / 10_000,
            longitude: -6.1,
            altitude: 120.5,
            speed: 11,
          })),
        }),
        ticks: 1000,
      }));
      const file = withTracks(plain('a.mp4', DATED), [{ handler: 'meta', coding: 'gpmd', timescale: 1000, samples }]);
      const { sensor, timeline, telemetry, texts } = await record({ 'GX010001.MP4': file });

      expect(sensor).toMatchObject({ state: 'Ready', timeSource: 'container', klv: { state: 'good' } });
      expect(Math.abs(timeline.startTime - BEGIN_US)).toBeLessThan(1000);
      expect(telemetry.time).toHaveLength(20);
      expect(Math.abs(telemetry.time[0]! - (BEGIN_US + 1_000_000))).toBeLessThan(1000);
      const latitude = telemetry.tags['13']!;
      expect(latitude[3]).toBeCloseTo(36.6013, 6);
      expect(texts).toContain('good: GX010001.MP4: it is dated by the time of the GPS receiver that it holds.');
      expect(texts).toContain('good: Telemetry comes from GX010001.MP4: 20 records.');
    },
  );

  it('the subtitle track of a DJI drone is telemetry, and so is that of an MKV', async () => {
    const text = (n: number) =>
      `F/2.8, SS 206, ISO 100, EV 0, GPS (8.6499, ${(53.2 + n / 1000).toFixed(4)}, 15), D 24.26m, H 6.00m, H.S 1.0m/s, V.S 0.00m/s`;
    const samples = [0, 1, 2].map((n) => {
      const bytes = Buffer.from(`xx${text(n)}`);
      bytes.writeUInt16BE(bytes.length - 2, 0);
      return { bytes, ticks: 1000 };
    });
    const mp4 = withTracks(plain(), [{ handler: 'sbtl', coding: 'tx3g', timescale: 1000, samples }]);
    const srt = join(folder, 'dji.srt');
    await writeFile(
      srt,
      [0, 1, 2].map((n) => `${n + 1}\n00:00:0${n},000 --> 00:00:0${n + 1},000\n${text(n)}\n`).join('\n'),
    );
    const mkv = containerFile('a.mkv', [...testPictures(3), '-i', srt, ...H264, '-c:a', 'aac', '-c:s', 'srt']);

    for (const [name, bytes] of [
      ['DJI_0001.MP4', mp4],
      ['DJI_0001.mkv', mkv],
    ] as const) {
      const { sensor, timeline, telemetry, texts } = await record({ [name]: bytes });
      const column = (tag: number) => telemetry.tags[tag]?.map((value) => Number(value));

      expect(sensor.state).toBe('Ready');
      expect(telemetry.time).toEqual([0, 1, 2].map((n) => timeline.startTime + n * 1_000_000));
      expect(column(13)).toEqual([53.2, 53.201, 53.202].map((value) => expect.closeTo(value, 4)));
      expect(texts!.join()).toContain(`Telemetry comes from ${name}: 3 records`);
    }
  });

  it('a stream that is missing is made again, and the recording plays as before', async () => {
    const file = withTracks(plain(), [{ handler: 'meta', coding: 'mett', timescale: 1000, samples: sets(30, 100) }]);
    const { mission, sensor, telemetry } = await record({ 'flight.mp4': file });
    await server.dependencies.storage.remove(`renditions/${sensor._id}/${sensor.assets[0]!._id}-stream.ts`);

    const playlist = (await get<string>(sensor.hlsProps!.url)).body;
    const line = playlist.split('\n').find((one) => /^[0-9a-f-]{36}/.test(one));
    expect((await get(`/api/media/${sensor._id}/${line}`)).status).toBe(503);
    const waiting = server.db.selectFrom('jobs').select('id').where('state', '=', 'waiting');
    await expect.poll(async () => (await waiting.execute()).length).toBe(1);
    expect(await server.work()).toEqual([]);

    const again = await state(mission);
    expect([again.pictures, again.telemetry.time.length]).toEqual([75, telemetry.time.length]);
  });

  it('streams that a backup left out are ordered by the daily look, once', async () => {
    const { mission, sensor } = await record({ 'flight.mp4': plain() });
    const { _id, storage } = { _id: sensor.assets[0]!._id, storage: server.dependencies.storage };
    await storage.remove(`renditions/${sensor._id}/${_id}-stream.ts`);
    const deps = { ...server.dependencies, changed: () => {}, log: { warn: () => {} } };

    expect([await orderMissingStreams(deps), await orderMissingStreams(deps)]).toEqual([1, 1]);
    const jobs = await server.db.selectFrom('jobs').select('kind').where('state', '=', 'waiting').execute();
    expect(jobs).toEqual([{ kind: 'ingest' }]);
    expect((await get<Mission>(`/api/missions/${mission._id}`)).body.sensors[0]!.message).toMatch(
      /is missing\. It is made again/,
    );

    expect(await server.work()).toEqual([]);
    expect(await orderMissingStreams(deps)).toBe(0);
    expect((await state(mission)).sensor).toMatchObject({ state: 'Ready', message: null });
  });

  it('parts of one recording are joined by name and clock, and others offered', async () => {
    const part = (second: number) =>
      containerFile('a.mp4', [
        ...testPictures(3),
        ...H264,
        '-an',
        '-metadata',
        `creation_time=2024-02-03T04:05:${second}Z`,
      ]);
    const { mission, timeline, health } = await record({
      'DJI_0001.MP4': part(10),
      // The clock of the camera shows whole seconds: less than one apart.
      'DJI_0002.MP4': part(13),
      'DJI_0003.MP4': part(30),
    });
    const begin = Date.UTC(2024, 1, 3, 4, 5, 10) * 1000;
    const third = timeline.runs[2]!;

    expect(timeline.runs.slice(0, 2).map(({ startTime }) => startTime - begin)).toEqual([0, 3_000_000]);
    expect(third.startTime - begin).toBe(20_000_000);
    expect(health.continuations).toEqual([
      { fileId: third.fileId, name: 'DJI_0003.MP4', before: 'DJI_0002.MP4', gapSeconds: 14, joined: false },
    ]);

    const { put } = server.ask('SA');
    const address = `/api/sensors/${mission.sensors[0]!._id}/files/${third.fileId}/reading`;
    expect((await put(address, { klvPid: null, clock: null, joined: true })).status).toBe(200);
    expect(await server.work()).toEqual([]);
    const joined = await state(mission);
    expect(joined.timeline.runs[2]!.startTime - begin).toBe(6_000_000);
    expect(joined.health.continuations).toMatchObject([{ gapSeconds: 0, joined: true }]);

    await put(address, { klvPid: null, clock: null });
    await server.work();
    expect((await state(mission)).timeline.runs[2]!.startTime).toBe(third.startTime);
  });

  it('AV1 and pictures that are turned play', async () => {
    const av1 = containerFile('a.mkv', [
      ...testPictures(1),
      '-c:v',
      'libaom-av1',
      '-cpu-used',
      '8',
      '-b:v',
      '300k',
      '-an',
    ]);
    const { sensor, pictures } = await record({ 'a.mkv': av1 });

    expect(sensor).toMatchObject({ state: 'Ready', hlsProps: { renditions: [{ codec: 'h264', width: 320 }] } });
    expect(pictures).toBe(25);
  });

  it('a file without moov is refused at the door, and one whose pictures are damaged says so', async () => {
    const cut = await server.record({ name: 'cut' }, [{ path: await written('cut.mp4', plain().subarray(0, -4000)) }]);
    expect(cut.uploads).toEqual([422]);

    const broken = Buffer.from(plain());
    const at = broken.indexOf('mdat') + 4;
    broken.fill(0x55, at, broken.indexOf('moov') - 4);
    const { failures } = await server.record({ name: 'broken' }, [{ path: await written('broken.mp4', broken) }]);
    expect(failures.join()).toMatch(/broken\.mp4: /);
  });

  it.each([
    ['fragments', '+frag_keyframe+empty_moov'],
    ['one with its tables first', '+faststart'],
  ])('of %s that was cut off, all whole pictures play as they are', async (_, flags) => {
    const complete = plain('a.mp4', ['-movflags', flags]);
    const cut = complete.subarray(0, Math.round(complete.length * 0.7));
    const found = pictureTimes(cut, 'mov').length;
    expect(found).toBeGreaterThan(40);

    const { sensor, pictures, texts } = await record({ 'cut.mp4': cut });

    expect(sensor.state).toBe('Ready');
    // The last one may be the half picture, which a decoder makes up.
    expect(found - pictures).toBeOneOf([0, 1]);
    expect(texts).toContain('warning: cut.mp4: The file is cut off: its last pictures are missing.');
  });

  it('a file with a damaged picture in its middle is converted, and plays to its end', async () => {
    const broken = Buffer.from(plain());
    const at = Math.round(broken.length / 2);
    broken.fill(0, at, at + 4000);

    const { sensor, timeline, texts } = await record({ 'hole.mp4': broken });

    expect(sensor).toMatchObject({ state: 'Ready', hlsProps: { durationSeconds: expect.closeTo(3, 0) } });
    expect((timeline.endTime - timeline.startTime) / 1e6).toBeCloseTo(3, 0);
    expect(texts?.join()).toContain('Some of its pictures are damaged: all were converted');
  });

  async function written(name: string, bytes: Uint8Array): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  }

  it('a file of a mission is read again by an admin, and can be removed', async () => {
    const { mission, sensor } = await record({ 'a.mp4': plain() });
    const [asset] = sensor.assets;

    const { status } = await server.ask('SA').delete(`/api/sensors/${sensor._id}/files/${asset!._id}`);
    expect([status, await server.work()]).toEqual([200, []]);

    const left: string[] = [];
    for (const top of ['originals', 'renditions', 'indexes']) {
      for await (const { key } of server.dependencies.storage.list(`${top}/${sensor._id}`)) left.push(key);
    }
    expect(left.filter((key) => key.includes(asset!._id))).toEqual([]);
    expect((await get<Mission>(`/api/missions/${mission._id}`)).body.sensors[0]!.assets).toEqual([]);
    expect(post).toBeDefined();
  });
});
