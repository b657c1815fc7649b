import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodePacket } from '@osprey/klv';
import { createDemuxer, type VideoFormat } from '@osprey/mpegts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimulationOptions } from './options.ts';
import { simulateToFile } from './simulate.ts';
import { frameTimeUs } from './stream.ts';
import { readTimeCode } from './time-code.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0 && spawnSync('ffprobe', ['-version']).status === 0;
if (!hasFfmpeg)
  process.stderr.write('Skipped: tests of simulated recordings need ffmpeg and ffprobe (apt-get install ffmpeg)\n');
const itEncodes = it.skipIf(!hasFfmpeg);

const START_US = Date.UTC(2026, 5, 1, 9) * 1000;
const FIRST_PTS = 126_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'osprey-simulator-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Frame = { pts: number; dts: number; keyframe: boolean };

/** Pictures and metadata of a recording as our own demuxer finds them. */
function demux(path: string) {
  const frames: Frame[] = [];
  const klv: { pts: number | null; sync: boolean; bytes: Uint8Array }[] = [];
  const formats: VideoFormat[] = [];
  const demuxer = createDemuxer({
    program: () => undefined,
    video: (_pid, format) => formats.push({ ...format }),
    accessUnit: ({ kind, ptsTicks, dtsTicks, keyframe }) => {
      if (kind === 'h264') frames.push({ pts: ptsTicks!, dts: dtsTicks ?? ptsTicks!, keyframe });
    },
    klv: ({ ptsTicks, sync, bytes, start, end }) => klv.push({ pts: ptsTicks, sync, bytes: bytes.slice(start, end) }),
  });
  demuxer.push(readFileSync(path));
  return { frames, klv, formats, report: demuxer.end() };
}

/** Time codes of all frames as ffmpeg shows them, optionally scaled. */
function codesOf(path: string, [width, height]: readonly [number, number]) {
  const args = ['-v', 'error', '-i', path, '-vf', `scale=${width}:${height}`, '-fps_mode', 'passthrough'];
  const { stdout } = spawnSync('ffmpeg', [...args, '-f', 'rawvideo', '-pix_fmt', 'gray', '-'], { maxBuffer: 2 ** 30 });
  const size = width * height;
  return Array.from({ length: stdout.length / size }, (_, index) =>
    readTimeCode(stdout.subarray(index * size, (index + 1) * size), width, height),
  );
}

function probedPts(path: string): number[] {
  const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'frame=pts', '-of', 'csv=p=0', path];
  return spawnSync('ffprobe', args)
    .stdout.toString()
    .trim()
    .split(/\s+/)
    .map((line) => Number.parseInt(line, 10));
}

describe('simulateToFile', () => {
  itEncodes.each<[string, SimulationOptions]>([
    ['without B-frames, metadata beside', {}],
    ['with one B-frame', { bFrames: 1, gop: 10 }],
    ['with two B-frames and metadata tied to frames', { bFrames: 2, gop: 12, klv: 'sync', klvRate: 'frame' }],
    ['with three B-frames at 29.97', { bFrames: 3, gop: 17, fps: 29.97 }],
    ['at one frame a second', { fps: 1, seconds: 4 }],
  ])('writes frames whose code, PTS and metadata agree: %s', async (name, given) => {
    const options = { seconds: 3, ships: 2, startUs: START_US, fps: 25, ...given };
    const path = join(folder, `${name.replace(/\W/g, '-')}.ts`);

    const result = await simulateToFile(options, path);

    const { frames, klv, formats, report } = demux(path);
    const shown = frames.map(({ pts }) => pts).sort((a, b) => a - b);
    const codes = codesOf(path, [640, 360]);
    expect(codes).toHaveLength(result.frames);
    codes.forEach((code, index) => {
      expect(code).toEqual({ timeUs: frameTimeUs(options, index), frame: index });
      expect(shown[index]).toBe(FIRST_PTS + Math.round((index * 90_000) / options.fps));
    });
    expect(probedPts(path)).toEqual(shown);
    expect(frames.every(({ pts, dts }) => pts >= dts)).toBe(true);
    expect(frames.every(({ dts }, index) => index === 0 || dts > frames[index - 1]!.dts)).toBe(true);

    expect(klv).toHaveLength(result.klvPackets);
    for (const { pts, sync, bytes } of klv) {
      const { values, checksum } = decodePacket(bytes, 0, bytes.length);
      expect(checksum).toBe('good');
      expect(sync).toBe(given.klv === 'sync');
      expect(Math.abs((Number(values['2']) - START_US) * 0.09 - (pts! - FIRST_PTS))).toBeLessThan(1);
    }
    expect(formats[0]).toMatchObject({ codec: 'h264', width: 640, height: 360, chroma: '4:2:0', interlaced: false });
    expect(report.faults).toMatchObject({
      syncLosses: 0,
      continuityErrors: 0,
      badCrc: 0,
      brokenPes: 0,
      brokenCells: 0,
    });
    expect(report.bytes).toBe(result.bytes);
  });

  itEncodes('keeps the time code readable at half the size and at the lowest rate', async () => {
    const path = join(folder, 'poor.ts');

    await simulateToFile({ seconds: 2, kbps: 200, startUs: START_US }, path);

    const codes = codesOf(path, [320, 180]);
    expect(codes).toHaveLength(50);
    expect(codes.every((code, index) => code?.frame === index)).toBe(true);
  });

  itEncodes('counts on over the wrap of the 33-bit clock', async () => {
    const path = join(folder, 'wrap.ts');

    await simulateToFile({ seconds: 2, ships: 0, firstPtsTicks: 2 ** 33 - 90_000 }, path);

    const { frames } = demux(path);
    expect(frames.at(-1)!.pts - frames[0]!.pts).toBe(49 * 3600);
  });

  itEncodes('writes keyframes where the option says', async () => {
    const path = join(folder, 'gop.ts');

    await simulateToFile({ seconds: 2, ships: 0, gop: 20 }, path);

    const keyframes = demux(path).frames.flatMap(({ keyframe }, index) => (keyframe ? [index] : []));
    expect(keyframes).toEqual([0, 20, 40]);
  });

  it('says what to do without ffmpeg, and leaves no file', async () => {
    const path = join(folder, 'none.ts');

    await expect(simulateToFile({ seconds: 1 }, path, { ffmpeg: '/nowhere/ffmpeg' })).rejects.toThrow(
      '/nowhere/ffmpeg was not found. Install it (Debian: apt-get install ffmpeg) or name its place with --ffmpeg',
    );
    expect(existsSync(path)).toBe(false);
  });

  it("shows the encoder's output when it gives up", async () => {
    const path = join(folder, 'failed.ts');
    const failing = { ffmpeg: process.execPath };

    await expect(simulateToFile({ seconds: 1 }, path, failing)).rejects.toThrow(/ended with code \d+: .*hide_banner/s);
    expect(existsSync(path)).toBe(false);
  });

  itEncodes('stops when asked, and leaves no file', async () => {
    const path = join(folder, 'stopped.ts');
    const stop = new AbortController();

    const running = simulateToFile({ seconds: 600 }, path, {
      signal: stop.signal,
      onProgress: (frames) => frames === 5 && stop.abort(new Error('enough')),
    });

    await expect(running).rejects.toThrow('enough');
    expect(existsSync(path)).toBe(false);
  });

  it('refuses an option out of range before it touches the file', async () => {
    const path = join(folder, 'refused.ts');

    await expect(simulateToFile({ fps: 0 }, path)).rejects.toThrow('fps is 0: it must be a number from 1 to 60');
    expect(existsSync(path)).toBe(false);
  });
});

describe('npm run simulate', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { encoding: 'utf8' });

  it('lists every option on --help', () => {
    const { status, stdout } = run('--help');

    expect(status).toBe(0);
    for (const flag of ['--seconds', '--seed', '--track', '--sensors', '--out', '--live'])
      expect(stdout).toContain(flag);
  });

  itEncodes('writes a file for each sensor of one flight, of the same moments and another view', () => {
    const cheap = ['--size', '320x180', '--fps', '5', '--ships', '0', '--seconds', '1'];

    const { status } = run('--sensors', '2', '--out', join(folder, 'pair.ts'), ...cheap);

    expect(status).toBe(0);
    const sets = ['EO', 'IR'].map((sensor) =>
      demux(join(folder, `pair-${sensor}.ts`)).klv.map(({ bytes }) => decodePacket(bytes, 0, bytes.length).values),
    );
    const tags = (tag: string) => sets.map((all) => all.map((values) => Reflect.get(values, tag)));
    const [times, views] = [tags('2'), tags('16')];
    expect(times[0]!.length).toBeGreaterThan(5);
    expect(times[0]).toEqual(times[1]);
    expect(views[0]![0]).not.toBe(views[1]![0]);
  });

  it('refuses more sensors than eight', () => {
    const { status, stderr } = run('--sensors', '9', '--out', join(folder, 'many.ts'));

    expect([status, stderr]).toEqual([1, expect.stringContaining('--sensors')]);
  });
});
