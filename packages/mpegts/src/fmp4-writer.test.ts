import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testData, testDataFolder } from '../../../tools/test-support/test-data.ts';
import { flightStream } from '../test/streams.ts';
import { createFmp4Writer, type Fmp4Writer } from './fmp4-writer.ts';
import { createUnitReader } from './unit-reader.ts';

/** A stream as one fragmented file, and what its pictures were. */
function toFmp4(stream: Uint8Array) {
  let writer: Fmp4Writer | null = null;
  let firstTicks = 0;
  const parts: Uint8Array[] = [];
  const pictures: { pts: number; dts: number; key: boolean }[] = [];
  const reader = createUnitReader({
    unit(unit) {
      if (writer === null) {
        firstTicks = unit.dtsTicks;
        writer = createFmp4Writer({ format: unit.format!, sets: unit.sets!, firstTicks });
        parts.push(writer.init);
      }
      parts.push(writer.fragment(unit));
      pictures.push({ pts: unit.ptsTicks - firstTicks, dts: unit.dtsTicks - firstTicks, key: unit.keyframe });
    },
  });
  reader.push(stream);
  reader.end();
  return { bytes: Buffer.concat(parts), pictures, mimeType: writer!.mimeType };
}

const WITHOUT_FFMPEG = spawnSync('ffmpeg', ['-version']).error !== undefined;
if (WITHOUT_FFMPEG) process.stderr.write('mpegts: written MP4 is not held beside ffmpeg, it is not installed\n');
const itWithFfmpeg = it.skipIf(WITHOUT_FFMPEG || testDataFolder === null);

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'osprey-fmp4-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

function probe(file: string) {
  const entries = 'packet=pts,dts,flags:stream=codec_name,width,height,time_base';
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', entries, '-of', 'json', file];
  const { packets, streams }: { packets: { pts: number; dts: number; flags: string }[]; streams: object[] } =
    JSON.parse(execFileSync('ffprobe', args).toString());
  const pictures = packets.map(({ pts, dts, flags }) => ({ pts, dts, key: flags.startsWith('K') }));
  return { pictures, stream: streams[0] };
}

/** One hash a decoded picture. */
function hashes(file: string): string[] {
  const args = ['-v', 'error', '-i', file, '-map', '0:v:0', '-f', 'framehash', '-vsync', 'passthrough', '-'];
  const lines = execFileSync('ffmpeg', args).toString().split('\n');
  return lines.filter((line) => /^\d/.test(line)).map((line) => line.split(',').at(-1)!.trim());
}

describe('createFmp4Writer', () => {
  it('writes an initialisation segment and one moof and mdat a picture', () => {
    const { bytes, pictures, mimeType } = toFmp4(flightStream({ frames: 5 }));
    const types: string[] = [];
    for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at))
      types.push(bytes.toString('latin1', at + 4, at + 8));

    expect(types).toEqual(['ftyp', 'moov', ...pictures.flatMap(() => ['moof', 'mdat'])]);
    expect(mimeType).toBe('video/mp4; codecs="avc1.640028"');
  });

  it('refuses MPEG-2', () => {
    const format = { codec: 'mpeg2', width: 1, height: 1, frameRate: null, profile: 4, level: 8 } as const;
    const rest = { chroma: '4:2:0', bitDepth: 8, interlaced: false, hasBFrames: null } as const;

    expect(() =>
      createFmp4Writer({ format: { ...format, ...rest }, sets: { vps: [], sps: [], pps: [] }, firstTicks: 0 }),
    ).toThrow(RangeError);
  });

  itWithFfmpeg.each(['ts/kwiver/h264_klv.ts', 'ts/osh/sample-stream.ts'])(
    'ffmpeg sees and decodes the pictures of %s in what was written',
    (path) => {
      const file = join(folder(), 'written.mp4');
      const { bytes, pictures } = toFmp4(readFileSync(testData(path)));
      writeFileSync(file, bytes);

      expect(probe(file).pictures).toEqual(pictures);
      expect(hashes(file)).toEqual(hashes(testData(path)));
    },
  );

  const withBFrames = ['-c:v', 'libx264', '-bf', '2', '-g', '15', '-pix_fmt', 'yuv420p'];
  const asH265 = ['-c:v', 'libx265', '-g', '15', '-pix_fmt', 'yuv420p', '-x265-params', 'log-level=none'];
  itWithFfmpeg.each([
    ['H.264 with B-frames', withBFrames, /^video\/mp4; codecs="avc1\.6400[0-9a-f]{2}"$/],
    ['H.265', asH265, /^video\/mp4; codecs="hvc1\.1\.6\.L\d+\.[0-9A-F.]+"$/],
  ])('%s keeps order, times and pictures', (_what, encoder, type) => {
    const source = join(folder(), 'source.ts');
    const file = join(folder(), 'written.mp4');
    const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=30:duration=2'];
    execFileSync('ffmpeg', ['-v', 'error', ...pattern, ...encoder, '-f', 'mpegts', source]);

    const { bytes, pictures, mimeType } = toFmp4(readFileSync(source));
    writeFileSync(file, bytes);

    expect(pictures).toHaveLength(60);
    expect(pictures.some(({ pts, dts }) => pts > dts)).toBe(true);
    expect(probe(file).pictures).toEqual(pictures);
    expect(probe(file).stream).toMatchObject({ width: 320, height: 240, time_base: '1/90000' });
    expect(hashes(file)).toEqual(hashes(source));
    expect(mimeType).toMatch(type);
  });
});
