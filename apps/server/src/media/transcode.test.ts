import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Mission, SensorTimeline, TelemetryPage } from '@osprey/contract';
import { expect, it } from 'vitest';
import { itWithData, testData } from '../../../../tools/test-support/test-data.ts';
import { atEnd } from '../../test/cleanup.ts';
import { recordingServer } from '../../test/recordings.ts';
import { removeDoomed } from '../missions/leftovers.ts';

const server = await recordingServer();
const { get } = server.ask('SA');

/** What ffprobe makes of bytes: codec, pixel format, and the PTS of each picture. */
function probe(bytes: Buffer) {
  const entries = [
    '-show_entries',
    'stream=codec_name,pix_fmt,field_order:packet=pts',
    '-select_streams',
    'v:0',
    '-of',
    'json',
  ];
  const { stdout } = spawnSync('/usr/bin/ffprobe', ['-v', 'error', '-f', 'mpegts', ...entries, '-'], { input: bytes });
  const { streams, packets } = JSON.parse(stdout.toString()) as {
    streams: { codec_name: string; pix_fmt: string; field_order?: string }[];
    packets: { pts: number }[];
  };
  return { ...streams[0], pts: packets.map(({ pts }) => pts).sort((a, b) => a - b) };
}

const itConverts = existsSync('/usr/bin/ffmpeg') ? itWithData : it.skip;

itConverts.each([
  ['ts/kwiver/mpeg2_klv.ts', 30],
  ['ts/kwiver/h264_klv.ts', 30],
  ['ts/kwiver/aphill_klv_10s.ts', 300],
])('%s plays from a rendition with the times of the original, its telemetry from the original', async (path, sets) => {
  const { mission, failures } = await server.record({ name: path.replaceAll('/', '-') }, [{ path: testData(path) }]);

  expect(failures).toEqual([]);
  expect(mission).toMatchObject({ state: 'Ready', message: null });
  const sensor = mission.sensors[0]!;
  expect(sensor.thumbnail).not.toBeNull();
  const place = `${mission._id}/${sensor._id}`;
  expect((await get<TelemetryPage>(`/api/sensors/telemetry/${place}`)).body.time).toHaveLength(sets);
  const { runs } = (await get<SensorTimeline>(`/api/sensors/timeline/${place}`)).body;
  expect(runs).toHaveLength(1);

  const playlist = (await get<string>(sensor.hlsProps!.url)).body;
  const addresses = playlist.split('\n').filter((line) => /^[0-9a-f-]{36}\/\d+\.ts$/.test(line));
  expect(addresses.length).toBeGreaterThan(0);
  const parts = await Promise.all(addresses.map((address) => get(`/api/media/${sensor._id}/${address}`)));
  const rendition = probe(Buffer.concat(parts.map(({ raw }) => raw)));
  expect(rendition).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p' });
  expect(rendition.pts[0]).toBe(runs[0]!.firstPts);

  const original = await get(sensor.assets[0]!.path);
  expect(original.status).toBe(200);
  const asked = await get<Mission>(`/api/missions/${mission._id}`);
  expect(asked.body.sensors[0]!.assets[0]!.sha256).toBe(sensor.assets[0]!.sha256);
});

itConverts(
  'a recording that is removed for good leaves no file behind, its rendition and pictures included',
  async () => {
    const before = await filesOf(server.dataDir);
    const { mission } = await server.record({ name: 'Gone' }, [{ path: testData('ts/kwiver/mpeg2_klv.ts') }]);
    const made = (await filesOf(server.dataDir)).filter((file) => !before.includes(file));
    const kinds = new Set(made.map((file) => file.split('/').at(-3)));
    expect(kinds).toEqual(new Set(['originals', 'indexes', 'renditions', 'pictures']));

    const { delete: remove } = server.ask('SA');
    expect((await remove('/api/missions', { missions: [mission._id] })).status).toBe(200);
    expect((await remove('/api/bin', { missions: [mission._id] })).status).toBe(200);
    await removeDoomed({ db: server.db, storage: server.parts.storage });

    expect((await filesOf(server.dataDir)).filter((file) => !before.includes(file))).toEqual([]);
  },
);

const filesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const itInterlaces = existsSync('/usr/bin/ffmpeg') ? it : it.skip;

itInterlaces('an interlaced recording is played progressive', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'osprey-interlaced-')), 'interlaced.ts');
  atEnd(() => rm(dirname(path), { recursive: true, force: true }));
  const source = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x240:rate=50,tinterlace=interleave_top,setfield=tff',
    '-t',
    '2',
  ];
  const coder = [
    '-c:v',
    'libx264',
    '-flags',
    '+ilme+ildct',
    '-x264-params',
    'tff=1',
    '-g',
    '25',
    '-pix_fmt',
    'yuv420p',
  ];
  const made = spawnSync('/usr/bin/ffmpeg', ['-v', 'error', ...source, ...coder, '-f', 'mpegts', path]);
  expect(made.stderr.toString()).toBe('');

  const { mission, failures } = await server.record({ name: 'Interlaced' }, [{ path }]);

  expect(failures).toEqual([]);
  const sensor = mission.sensors[0]!;
  const playlist = (await get<string>(sensor.hlsProps!.url)).body;
  const addresses = playlist.split('\n').filter((line) => /^[0-9a-f-]{36}\/\d+\.ts$/.test(line));
  const parts = await Promise.all(addresses.map((address) => get(`/api/media/${sensor._id}/${address}`)));
  expect(probe(await readFile(path)).field_order).toBe('tt');
  expect(probe(Buffer.concat(parts.map(({ raw }) => raw)))).toMatchObject({
    codec_name: 'h264',
    pix_fmt: 'yuv420p',
    field_order: 'progressive',
  });
});
