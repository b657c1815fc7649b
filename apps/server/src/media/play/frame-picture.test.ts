import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDemuxer } from '@osprey/mpegts';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testData, testDataFolder } from '../../../../../tools/test-support/test-data.ts';
import { DecoderError, type Ffmpeg, ffmpegTools } from '../../base/ffmpeg/ffmpeg.ts';
import { findSandbox } from '../../base/ffmpeg/sandbox.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import { indexFile } from '../index/build-file-index.ts';
import { framePicture } from './frame-picture.ts';

const hasDecoder = existsSync('/usr/bin/ffmpeg');
const folder = await mkdtemp(join(tmpdir(), 'osprey-frame-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const storage = folderStorage({ root: join(folder, 'storage') });
let ffmpeg: Ffmpeg;
beforeAll(async () => {
  ffmpeg = ffmpegTools({ sandbox: await findSandbox('auto') });
});

type Picture = { run: number; pts: number; keyframe: boolean };

async function store(bytes: Uint8Array) {
  const [sensorId, fileId] = [crypto.randomUUID(), crypto.randomUUID()];
  const originalKey = `originals/${sensorId}/x.ts`;
  await storage.put(originalKey, [bytes]);
  const nothing = { onMark: async () => {}, onProgress: () => {}, signal: new AbortController().signal };
  const index = await indexFile({ storage, sensorId, file: { id: fileId, key: originalKey }, nowUs: 0, ...nothing });
  const pictures: Picture[] = [];
  const demuxer = createDemuxer({
    accessUnit: ({ ptsTicks, run, keyframe, programNumber }) => {
      if (ptsTicks !== null && programNumber === index.program?.number) pictures.push({ run, pts: ptsTicks, keyframe });
    },
  });
  demuxer.push(bytes);
  demuxer.end();
  return { pictures, frame: ({ run, pts }: Picture) => ({ sensorId, fileId, originalKey, run, pts }) };
}

/** Small and grey, for comparing. */
const GREY = ['-vf', 'scale=64:36,format=gray', '-f', 'rawvideo', '-'];
const grey = (args: readonly string[], input?: Uint8Array) =>
  spawnSync('ffmpeg', ['-loglevel', 'error', ...args, ...GREY], { input, maxBuffer: 1 << 28 }).stdout;

/** Every frame of a whole file, decoded at once without a cut, by its PTS. */
function framesOf(path: string): Map<number, Buffer> {
  const args = ['-loglevel', 'error', '-copyts', '-i', path, '-map', '0:v:0', '-fps_mode', 'passthrough'];
  const probe = ['-loglevel', 'error', '-select_streams', 'v:0', '-show_entries', 'frame=pts', '-of', 'csv=p=0', path];
  const pts = spawnSync('ffprobe', probe, { encoding: 'utf8' })
    .stdout.split('\n')
    .map((line) => Number.parseInt(line, 10))
    .filter(Number.isFinite);
  const raw = spawnSync('ffmpeg', [...args, ...GREY], { maxBuffer: 1 << 28 }).stdout;
  return new Map(pts.map((each, n) => [each, raw.subarray(n * 64 * 36, (n + 1) * 64 * 36)]));
}

function apart(one: Uint8Array, other: Uint8Array): number {
  expect(one.length).toBe(other.length);
  return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length;
}

describe.skipIf(!hasDecoder)('a frame of an original', () => {
  it('is the one of its PTS, in its own resolution, also among B-frames and after a jump of the clock', async () => {
    const flight = { width: 320, height: 180, fps: 15, seconds: 3, startUs: 1_700_000_000_000_000, bFrames: 2 };
    await simulateToFile(flight, join(folder, 'a.ts'));
    await simulateToFile({ ...flight, firstPtsTicks: 2 ** 33 - 200_000 }, join(folder, 'b.ts'));
    const complete = [framesOf(join(folder, 'a.ts')), framesOf(join(folder, 'b.ts'))];
    const bytes = Buffer.concat([await readFile(join(folder, 'a.ts')), await readFile(join(folder, 'b.ts'))]);
    await writeFile(join(folder, 'ab.ts'), bytes);
    const { pictures, frame } = await store(bytes);
    expect(new Set(pictures.map(({ run }) => run)).size).toBe(2);

    for (const picture of pictures.filter((_, n) => n % 13 === 4)) {
      const jpeg = await framePicture({ storage, ffmpeg }, frame(picture));
      const found = grey(['-f', 'image2pipe', '-i', '-'], jpeg!);
      const apartFrom = [...complete[picture.run]!].map(([pts, each]) => ({ pts, apart: apart(found, each) }));
      const nearest = apartFrom.reduce((best, one) => (one.apart < best.apart ? one : best));
      expect((nearest.pts - picture.pts) % 2 ** 33, `PTS ${picture.pts}`).toBeCloseTo(0);
    }
  });

  it.skipIf(testDataFolder === null).each(['ts/kwiver/h264_klv.ts', 'ts/kwiver/mpeg2_klv.ts'])(
    'of %s equals that of the whole file',
    async (path) => {
      const complete = framesOf(testData(path));
      const { pictures, frame } = await store(await readFile(testData(path)));
      for (const picture of [pictures[0]!, pictures[pictures.length >> 1]!, pictures.at(-1)!]) {
        const jpeg = await framePicture({ storage, ffmpeg }, frame(picture));
        const expected = complete.get(picture.pts);
        expect(expected, `PTS ${picture.pts}`).toBeDefined();
        expect(apart(grey(['-f', 'image2pipe', '-i', '-'], jpeg!), expected!)).toBeLessThan(4);
      }
    },
  );

  it('is none for a PTS without a picture, and for a run that the file does not have', async () => {
    await simulateToFile({ width: 320, height: 180, fps: 15, seconds: 2 }, join(folder, 'c.ts'));
    const { pictures, frame } = await store(await readFile(join(folder, 'c.ts')));
    const between = { ...pictures[3]!, pts: pictures[3]!.pts + 2000 };

    await expect(framePicture({ storage, ffmpeg }, frame(between))).rejects.toThrow(DecoderError);
    expect(await framePicture({ storage, ffmpeg }, frame({ ...pictures[3]!, run: 7 }))).toBeNull();
  });
});
