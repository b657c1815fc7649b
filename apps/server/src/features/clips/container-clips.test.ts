import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClipManifest, Mission } from '@osprey/contract';
import { encodeSt0601 } from '@osprey/klv';
import { createDemuxer } from '@osprey/mpegts';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { containerFile, H264, testPictures, withTracks } from '../../../test/containers.ts';
import { gps5Payload } from '../../../test/gpmf.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { type Sample, samplesOf } from '../../../test/samples.ts';

const server = await recordingServer();
const folder = await mkdtemp(join(tmpdir(), 'osprey-container-clips-'));
atEnd(() => rm(folder, { recursive: true, force: true }));

const BEGIN_US = Date.UTC(2023, 10, 14, 22, 13, 20) * 1000;
const SECONDS = 4;
const NTSC = 30_000 / 1001;
const pictures = (name: string, rate = 25) =>
  containerFile(name, [
    ...testPictures(SECONDS, rate),
    ...H264,
    '-c:a',
    'aac',
    '-metadata',
    'creation_time=2023-11-14T22:13:20Z',
  ]);

const klv = Array.from({ length: SECONDS * 10 }, (_, n) => ({
  bytes: encodeSt0601({ 2: BEGIN_US + n * 100_000, 13: 50 + n / 1000, 14: 8, 15: 500, 65: 19 }),
  ticks: 100,
}));
const gpmf = Array.from({ length: SECONDS }, (_, n) => ({
  bytes: gps5Payload({
    fix: 3,
    utc: new Date(BEGIN_US / 1000 + n * 1000),
    readings: Array.from({ length: 10 }, (_one, k) => ({
      latitude: 36.6 + (n * 10 + k) / 10_000,
      longitude: -6.1,
      altitude: 120.5,
      speed: 11,
    })),
  }),
  ticks: 1000,
}));
const srt = Array.from({ length: SECONDS * 10 }, (_, n) => {
  const at = (ms: number) =>
    `00:00:${String(Math.floor(ms / 1000)).padStart(2, '0')},${String(ms % 1000).padStart(3, '0')}`;
  const place = `[latitude: ${(54 + n / 10_000).toFixed(6)}] [longitude: 18.500000] [rel_alt: 10.0 abs_alt: 60.0]`;
  return `${n + 1}\n${at(n * 100)} --> ${at(n * 100 + 100)}\n${place}\n\n`;
}).join('');

const csv = ['time;13;14', ...klv.map((_, n) => `${BEGIN_US + n * 100_000};${48 + n / 1000};9`)].join('\n');

type Files = Record<string, Buffer>;
const recordings: Record<
  string,
  { files: () => Files; latitude: RegExp; hasKlv: boolean; rate?: number; sound?: number }
> = {
  'MP4 with KLV': {
    files: () => ({
      'a.mp4': withTracks(pictures('a.mp4'), [{ handler: 'meta', coding: 'mett', timescale: 1000, samples: klv }]),
    }),
    latitude: /,50\.01/,
    hasKlv: true,
  },
  'MP4 of a GoPro': {
    files: () => ({
      'a.mp4': withTracks(pictures('a.mp4'), [{ handler: 'meta', coding: 'gpmd', timescale: 1000, samples: gpmf }]),
    }),
    latitude: /,36\.60/,
    hasKlv: false,
  },
  'MOV with SRT': {
    files: () => ({ 'a.mov': pictures('a.mov'), 'a.srt': Buffer.from(srt) }),
    latitude: /,54\.00/,
    hasKlv: false,
  },
  'Matroska with SRT': {
    files: () => ({ 'a.mkv': pictures('a.mkv'), 'a.srt': Buffer.from(srt) }),
    latitude: /,54\.00/,
    hasKlv: false,
    // Matroska rounds times to 1 ms; in the copy each frame of sound lasts as long as its samples.
    sound: 0.001,
  },
  'MP4 of 29.97 pictures a second with CSV': {
    files: () => ({ 'a.mp4': pictures('a.mp4', NTSC), 'a.csv': Buffer.from(csv) }),
    latitude: /,48\.01/,
    hasKlv: false,
    rate: NTSC,
  },
};

async function record(files: Files): Promise<Mission> {
  const name = `c-${crypto.randomUUID()}`;
  const uploads = [];
  for (const [file, bytes] of Object.entries(files)) {
    const path = join(folder, `${name}-${file}`);
    await writeFile(path, bytes);
    uploads.push({ path, name: file });
  }
  const { mission } = await server.record({ name }, uploads);
  return (await server.ask('SA').get<Mission>(`/api/missions/${mission._id}`)).body;
}

/** One hash a picture that ffmpeg shows. */
function hashes(path: string): string[] {
  const args = ['-v', 'error', '-i', path, '-map', '0:v:0', '-f', 'framehash', '-fps_mode', 'passthrough', '-'];
  const lines = execFileSync('ffmpeg', args).toString().split('\n');
  return lines.filter((line) => /^\d/.test(line)).map((line) => line.split(',').at(-1)!.trim());
}

const TICK = 1 / 90_000;
/** ffprobe rounds times to microseconds. */
const SAME_TIME = TICK + 2e-6;

/**
 * Every sample of the cut is one of the original, next to each other and at the same times; returns what its times are
 * later by.
 */
function expectSamples(
  cut: readonly Sample[],
  original: readonly Sample[],
  { laterBy, within = SAME_TIME }: { laterBy?: number; within?: number } = {},
): number {
  const [first] = cut;
  const isFirst = ({ seconds, units }: Sample) =>
    laterBy === undefined
      ? units.join() === first!.units.join()
      : Math.abs(first!.seconds - laterBy - seconds) <= within;
  const from = original.findIndex(isFirst);
  expect(from).toBeGreaterThan(0);
  const same = original.slice(from, from + cut.length);
  expect(cut.map(({ units }) => units)).toEqual(same.map(({ units }) => units));
  const later = laterBy ?? first!.seconds - same[0]!.seconds;
  for (const [n, { seconds }] of cut.entries()) {
    expect(Math.abs(seconds - later - same[n]!.seconds)).toBeLessThanOrEqual(within);
  }
  return later;
}

describe.skipIf(!existsSync('/usr/bin/ffmpeg'))('a clip of a recording in a container', () => {
  it.each(Object.keys(recordings))(
    'has the very samples of the original at their times as .ts and as MP4, and its telemetry: %s',
    async (name) => {
      const { files, latitude, hasKlv, rate = 25, sound = SAME_TIME } = recordings[name]!;
      const given = files();
      const mission = await record(given);
      const [sensor] = mission.sensors;
      const [video] = Object.entries(given);
      const original = join(folder, `${mission._id}-${video![0]}`);
      await writeFile(original, video![1]);
      const complete = hashes(original);
      const of = `${mission._id}/${sensor!._id}`;
      const get = (query: string) =>
        server.ask('SA').get(`/api/sensors/exportVideo/${of}?markIn=1.5&markOut=3${query}`);

      const [ts, mp4] = [await get(''), await get('&format=mp4')];

      expect([ts.status, mp4.status]).toEqual([200, 200]);
      const path = join(folder, `${mission._id}.mp4`);
      await writeFile(path, mp4.raw);
      const shown = hashes(path);
      const from = complete.indexOf(shown[0]!);
      expect(Math.abs(from - 1.5 * rate)).toBeLessThanOrEqual(1.5);
      expect(shown).toEqual(complete.slice(from, from + shown.length));
      expect(Math.abs(shown.length - 1.5 * rate)).toBeLessThanOrEqual(1.5);
      expect(spawnSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-']).stderr.toString()).toBe('');

      const stream = join(folder, `${mission._id}.ts`);
      await writeFile(stream, ts.raw);
      const [cut, all] = [samplesOf(stream, 'v'), samplesOf(original, 'v')];
      expect(cut.length).toBeGreaterThan(1.5 * rate);
      const later = expectSamples(cut, all);
      expectSamples(samplesOf(path, 'v', '-ignore_editlist', '1'), all);
      expectSamples(samplesOf(stream, 'a'), samplesOf(original, 'a'), { laterBy: later, within: sound });

      const sets: { hex: string; seconds: number }[] = [];
      const demuxer = createDemuxer({
        klv({ bytes, start, end, nearTicks }) {
          sets.push({ hex: Buffer.from(bytes.subarray(start, end)).toString('hex'), seconds: nearTicks! / 90_000 });
        },
      });
      demuxer.push(ts.raw);
      const { programs, faults } = demuxer.end();
      expect(faults).toMatchObject({ continuityErrors: 0, brokenPes: 0 });
      const kinds = programs[0]!.streams.map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(['h264', 'aac']));
      // One says the label; that of the recording is another.
      expect(kinds.filter((kind) => kind.startsWith('klv'))).toHaveLength(hasKlv ? 2 : 1);
      const own = klv.map(({ bytes }) => Buffer.from(bytes).toString('hex'));
      const retained = sets.filter(({ hex }) => own.includes(hex));
      expect(retained.length).toBe(hasKlv ? 20 : 0);
      for (const { hex, seconds } of retained) {
        expect(Math.abs(seconds - later - own.indexOf(hex) / 10)).toBeLessThanOrEqual(SAME_TIME);
      }
      const plan = await server.ask('SA').get(`/api/sensors/clipPlan/${of}?markIn=1.5&markOut=3`);
      expect(plan.body).toMatchObject({ converted: false });
      const csv = await server.ask('SA').get(`/api/sensors/exportTelemetry/${of}?format=csv&markIn=1&markOut=3`);
      expect(csv.raw.toString()).toMatch(latitude);
    },
  );

  it('is said to be cut from the converted stream where its pictures were coded again', async () => {
    const coded = containerFile('m.mkv', [...testPictures(SECONDS), '-c:v', 'mpeg4', '-an']);
    const mission = await record({ 'm.mkv': coded });
    const of = `${mission._id}/${mission.sensors[0]!._id}`;

    const plan = await server.ask('SA').get(`/api/sensors/clipPlan/${of}?markIn=1&markOut=2`);
    expect(plan.body).toMatchObject({ converted: true, video: 'h264' });
    const { raw } = await server.ask('SA').get(`/api/sensors/exportVideo/${of}?markIn=1&markOut=2&sidecar=true`);
    const path = join(folder, 'converted.zip');
    await writeFile(path, raw);
    const about: ClipManifest = JSON.parse(execFileSync('unzip', ['-p', path, 'clip.json']).toString());
    expect(about.clips[0]!.parts[0]!.original).toMatchObject({ name: 'm.mkv', converted: true, sha256: null });
  });
});
