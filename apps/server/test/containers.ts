import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const FFMPEG = '/usr/bin/ffmpeg';

/** A file that ffmpeg writes with these words; the ending of the name chooses the container. */
export function containerFile(name: string, args: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'osprey-container-'));
  try {
    const path = join(folder, name);
    const { status, stderr } = spawnSync(FFMPEG, ['-v', 'error', '-y', ...args, path]);
    if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes the bytes to a file that exists until the test ends. */
export function fileOf(bytes: Uint8Array, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'osprey-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Similarity of the pictures of two files: the peak signal to noise ratio, dB. */
export function likeness(one: Uint8Array, other: Uint8Array): number {
  const paths = [fileOf(one, 'one'), fileOf(other, 'other')].flatMap((path) => ['-i', path]);
  const { stderr } = spawnSync(FFMPEG, [
    ...paths,
    '-lavfi',
    '[0:v]setpts=PTS-STARTPTS[a];[1:v]setpts=PTS-STARTPTS[b];[a][b]psnr',
    '-f',
    'null',
    '-',
  ]);
  return Number(/average:([\d.]+)/.exec(String(stderr))?.[1] ?? Number.NaN);
}

/** Pictures and sound of this length. */
export const testPictures = (seconds: number, rate = 25): string[] => [
  ...['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=${rate}:duration=${seconds}`],
  ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`],
];

export const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '25', '-pix_fmt', 'yuv420p'];

/** PTS of the pictures as ffprobe reads them, seconds, in their order. */
export function pictureTimes(bytes: Uint8Array, format: 'mpegts' | 'mov' | 'matroska'): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'osprey-probe-'));
  try {
    const path = join(folder, 'file');
    writeFileSync(path, bytes);
    const asked = ['-select_streams', 'v:0', '-show_entries', 'frame=pts_time', '-of', 'csv=p=0'];
    const { stdout, stderr } = spawnSync('/usr/bin/ffprobe', ['-v', 'error', '-f', format, ...asked, path], {
      maxBuffer: 1 << 26,
    });
    const times = String(stdout)
      .split('\n')
      .filter((line) => /^[\d.-]/.test(line))
      .map((line) => Number.parseFloat(line));
    if (times.length === 0) throw new Error(`ffprobe: ${stderr}`);
    return times.sort((a, b) => a - b);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export type AddedTrack = {
  handler: string;
  coding: string;
  timescale: number;
  samples: readonly { bytes: Uint8Array; ticks: number }[];
};

/** An MP4 with its tables at the end, as ffmpeg writes it, with tracks of metadata or text that others write. */
export function withTracks(file: Buffer, tracks: readonly AddedTrack[]): Buffer {
  const moovAt = findBox(file, 'moov', 0, file.length)!;
  const data: Buffer[] = [];
  let at = moovAt.start + 8;
  const boxes = tracks.map(({ samples, ...track }, n) => {
    const offsets = samples.map(({ bytes }) => {
      data.push(Buffer.from(bytes));
      at += bytes.length;
      return at - bytes.length;
    });
    return trackBox({ ...track, id: 10 + n, samples, offsets });
  });
  const moov = file.subarray(moovAt.start + 8, moovAt.end);
  return Buffer.concat([file.subarray(0, moovAt.start), box('mdat', ...data), box('moov', moov, ...boxes)]);
}

/** An MP4 with its tables at the end and an edit list, whose first track shows these stretches (seconds) one after the other. */
export function withEdits(file: Buffer, stretches: readonly { from: number; seconds: number }[]): Buffer {
  const at = file.indexOf('elst') - 4;
  const movieScale = file.readUInt32BE(file.indexOf('mvhd') + 16);
  const mediaScale = file.readUInt32BE(file.indexOf('mdhd') + 16);
  const first = file.readUInt32BE(at + 20);
  const edits = stretches.flatMap(({ from, seconds }) => [seconds * movieScale, first + from * mediaScale, 0x10000]);
  const list = box('elst', words(0, stretches.length, ...edits));
  const size = file.readUInt32BE(at);
  const made = Buffer.concat([file.subarray(0, at), list, file.subarray(at + size)]);
  for (const around of ['edts', 'trak', 'moov']) {
    const start = made.indexOf(around) - 4;
    made.writeUInt32BE(made.readUInt32BE(start) + list.length - size, start);
  }
  return made;
}

export function findBox(bytes: Buffer, type: string, from: number, to: number): { start: number; end: number } | null {
  for (let at = from; at + 8 <= to; ) {
    const size = bytes.readUInt32BE(at) || to - at;
    if (bytes.toString('latin1', at + 4, at + 8) === type) return { start: at, end: at + size };
    at += Math.max(8, size);
  }
  return null;
}

export function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, n) => void bytes.writeUInt32BE(value >>> 0, 4 * n));
  return bytes;
}

const IDENTITY = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

function trackBox(track: AddedTrack & { id: number; offsets: readonly number[] }): Buffer {
  const { id, handler, coding, timescale, samples, offsets } = track;
  const length = samples.reduce((sum, { ticks }) => sum + ticks, 0);
  const entry = box(coding, Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]));
  const table = box(
    'stbl',
    box('stsd', words(0, 1), entry),
    box('stts', words(0, samples.length, ...samples.flatMap(({ ticks }) => [1, ticks]))),
    box('stsc', words(0, 1, 1, 1, 1)),
    box('stsz', words(0, 0, samples.length, ...samples.map(({ bytes }) => bytes.length))),
    box('stco', words(0, offsets.length, ...offsets)),
  );
  const media = box(
    'mdia',
    box('mdhd', words(0, 0, 0, timescale, length, 0)),
    box('hdlr', words(0, 0), Buffer.from(handler, 'latin1'), words(0, 0, 0), Buffer.from('handler\0')),
    box('minf', box('nmhd', words(0)), box('dinf', box('dref', words(0, 1), box('url ', words(1)))), table),
  );
  return box('trak', box('tkhd', words(3, 0, 0, id, 0, 0, 0, 0, 0, 0), IDENTITY, words(0, 0)), media);
}
