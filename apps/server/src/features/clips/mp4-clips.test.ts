import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClipManifest, ClipPlan, Mission } from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testData, testDataFolder } from '../../../../../tools/test-support/test-data.ts';
import { recordingServer } from '../../../test/recordings.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const folder = await mkdtemp(join(tmpdir(), 'osprey-mp4-clips-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const startUs = Date.UTC(2026, 5, 1, 9) * 1000;
const flight = async (name: string, options: object = {}) => {
  const path = join(folder, `${name}.ts`);
  await simulateToFile({ seconds: 20, width: 320, height: 180, seed: 7, startUs, ...options }, path);
  return { path };
};

const urlOf = (mission: Mission, query: string, call = 'exportVideo') =>
  `/api/sensors/${call}/${mission._id}/${mission.sensors[0]!._id}?format=mp4&${query}`;
const get = (mission: Mission, query: string) => server.ask('U1').get(urlOf(mission, query));

let kea: Mission;

beforeAll(async () => {
  const usergroups = [server.groups.G1!];
  const sharing = { securityClassification: 'CONFIDENTIAL', audience: 'groups', usergroups } as const;
  kea = (await server.record({ name: 'Kea', ...sharing }, [await flight('kea')])).mission;
}, 60_000);

type Probed = {
  format: { duration: string; tags: Record<string, string> };
  streams: { codec_type: string; nb_frames?: string }[];
};

async function stored(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

function probed(path: string): Probed {
  const args = ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', path];
  return JSON.parse(execFileSync('ffprobe', args).toString());
}

/** Pictures that ffmpeg shows. */
function shownFrames(path: string): number {
  const args = ['-v', 'error', '-count_frames', '-select_streams', 'v:0', '-show_entries', 'stream=nb_read_frames'];
  return Number(
    execFileSync('ffprobe', [...args, '-of', 'csv=p=0', path])
      .toString()
      .split(',')[0],
  );
}

describe('GET sensors/exportVideo as MP4', () => {
  it('answers a file of stated length whose tables come first, with the label in its words', async () => {
    const { status, headers, raw } = await get(kea, 'markIn=5.5&markOut=9');

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('video/mp4');
    expect(Number(headers['content-length'])).toBe(raw.length);
    expect(headers['content-disposition']).toContain('osprey_CONFIDENTIAL_Kea_EO-IR_20260601-090005_4s.mp4');
    expect([raw.toString('latin1', 4, 8), raw.indexOf('moov') < raw.indexOf('mdat')]).toEqual(['ftyp', true]);
    const { format, streams } = probed(await stored('clip.mp4', raw));
    expect(Number(format.duration)).toBeCloseTo(3.5, 1);
    expect(format.tags).toMatchObject({
      title: 'osprey_CONFIDENTIAL_Kea_EO-IR_20260601-090005_4s',
      comment: expect.stringMatching(/^CONFIDENTIAL\. Kea, EO\/IR, 2026-06-01T09:00:05\.5/),
      creation_time: '2026-06-01T09:00:05.000000Z',
    });
    expect(streams.map(({ codec_type }) => codec_type)).toEqual(['video', 'data', 'data']);
  });

  it.skipIf(spawnSync('gst-launch-1.0', ['--version']).error !== undefined)(
    'is read by qtdemux of GStreamer to its end (skipped without gst-launch-1.0)',
    async () => {
      const path = await stored('gst.mp4', (await get(kea, 'markIn=5.5&markOut=9')).raw);

      const demuxed = ['filesrc', `location=${path}`, '!', 'qtdemux', 'name=d', 'd.video_0', '!', 'queue'];
      const sink = ['!', 'h264parse', '!', 'fakesink', 'silent=false'];
      const { status, stdout } = spawnSync('gst-launch-1.0', ['-v', ...demuxed, ...sink]);

      expect(status).toBe(0);
      // The sink leaves out pictures before In: 3.5 s of 25 pictures, the last of which has begun.
      const shown = stdout.toString().match(/chain\s+\*+/g)!.length;
      expect(Math.abs(shown - shownFrames(path))).toBeLessThanOrEqual(1);
      expect(shown).toBeGreaterThan(80);
    },
  );

  it('says in clip.json what was cut, and gives the same bytes again', async () => {
    const { raw } = await get(kea, 'markIn=5.5&markOut=7&sidecar=true');
    const path = await stored('clip.zip', raw);

    const entry = (name: string) => execFileSync('unzip', ['-p', path, name], { maxBuffer: 1e9 });
    const manifest: ClipManifest = JSON.parse(entry('clip.json').toString());
    const [clip] = manifest.clips;
    expect(clip!.name).toMatch(/\.mp4$/);
    expect(clip!.parts[0]).toMatchObject({ framesBeforeIn: expect.any(Number), elementsOutside: expect.any(Number) });
    const bare = await get(kea, 'markIn=5.5&markOut=7');
    expect(createHash('sha256').update(bare.raw).digest('hex')).toBe(clip!.sha256);
  });

  it('says before how its pictures are coded', async () => {
    const { body } = await server.ask('U1').get<ClipPlan>(urlOf(kea, 'markIn=5&markOut=7', 'clipPlan'));

    expect(body).toMatchObject({ files: 1, video: 'h264', sound: [] });
  });

  it('joins files over a gap in one, which shows one after the other', async () => {
    const files = [
      await flight('first', { seconds: 8 }),
      await flight('second', { seconds: 8, startUs: startUs + 20e6 }),
    ];
    const { mission } = await server.record({ name: 'Gap' }, files);

    const { raw, headers } = await get(mission, 'markIn=4&markOut=24');

    expect(headers['content-type']).toBe('video/mp4');
    const path = await stored('gap.mp4', raw);
    expect(Number(probed(path).format.duration)).toBeCloseTo(8, 1);
    expect(spawnSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-']).stderr.toString()).toBe('');
  });

  it('is read by ingest as a recording of that time with its telemetry', async () => {
    const path = await stored('again.mp4', (await get(kea, 'markIn=5&markOut=9')).raw);

    const again = await server.record({ name: 'Again', audience: 'groups', usergroups: [server.groups.G1!] }, [
      { path },
    ]);

    expect(again.failures).toEqual([]);
    expect(again.mission.securityClassification).toBe('CONFIDENTIAL');
    const [sensor] = again.mission.sensors;
    expect(sensor!.state).toBe('Ready');
    expect(Math.abs(sensor!.endTime! - (startUs + 9e6))).toBeLessThan(100_000);
    const csv = await server
      .ask('U1')
      .get(`/api/sensors/exportTelemetry/${again.mission._id}/${sensor!._id}?format=csv`);
    expect(csv.raw.toString().split('\n').length).toBeGreaterThan(30);
  });

  it.skipIf(testDataFolder === null).each([
    ['H.264 without PTS of its telemetry', 'ts/kwiver/h264_klv.ts', 'markIn=0&markOut=1'],
    ['H.264 of a simulator', 'ts/osh/sample-stream.ts', 'markIn=2&markOut=6'],
    ['MPEG-2 with AAC', 'ts/kwiver/h264_audio.ts', 'markIn=2&markOut=6'],
    ['MPEG-4 part 2', 'field/mpeg4-part2-klv.ts', 'markIn=0&markOut=1'],
  ])('writes %s so that ffmpeg decodes it without a word', async (name, file, query) => {
    const { mission } = await server.record({ name: name.replaceAll(' ', '-') }, [{ path: testData(file) }], 'SA');

    const { status, raw } = await server.ask('SA').get(urlOf(mission, query));

    expect(status).toBe(200);
    const path = await stored('real.mp4', raw);
    expect(probed(path).streams[0]!.codec_type).toBe('video');
    expect(spawnSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-']).stderr.toString()).toBe('');
  });
});
