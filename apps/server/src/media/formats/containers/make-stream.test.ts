import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDemuxer, TICKS_PER_SECOND, type VideoFormat } from '@osprey/mpegts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  box,
  containerFile,
  fileOf,
  H264,
  likeness,
  pictureTimes,
  testPictures,
  withEdits,
  withTracks,
  words,
} from '../../../../test/containers.ts';
import { withFrames } from '../../../../test/matroska.ts';
import { CONTAINER_START_SECONDS, ffmpegTools } from '../../../base/ffmpeg/ffmpeg.ts';
import { findSandbox } from '../../../base/ffmpeg/sandbox.ts';
import { folderStorage } from '../../../base/storage/folder.ts';
import type { Storage } from '../../../base/storage/storage.ts';
import { shownSeconds } from '../mp4/tracks.ts';
import { streamOf } from './make-stream.ts';
import { type ContainerKind, surveyContainer } from './survey.ts';

let root: string;
let storage: Storage;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'osprey-stream-'));
  storage = folderStorage({ root });
});
afterAll(() => rm(root, { recursive: true }));
const ffmpeg = ffmpegTools({ sandbox: await findSandbox('auto') });
const NOW_US = Date.UTC(2026, 10, 1) * 1000;

const survey = async (bytes: Uint8Array, kind: ContainerKind) => {
  const key = `uploads/${crypto.randomUUID()}.part`;
  await storage.put(key, [bytes]);
  const source = await storage.open(key);
  try {
    return { key, survey: await surveyContainer(source, kind, NOW_US) };
  } finally {
    await source.close();
  }
};

async function streamed(bytes: Uint8Array, kind: ContainerKind = 'mp4'): Promise<Buffer> {
  const found = await survey(bytes, kind);
  const source = await storage.open(found.key);
  try {
    const parts: Buffer[] = [];
    const making = { storage, ffmpeg, source, ...found, signal: new AbortController().signal, progress: () => {} };
    for await (const piece of streamOf(making)) parts.push(Buffer.from(piece));
    return Buffer.concat(parts);
  } finally {
    await source.close();
  }
}

/** Distance of each picture of the stream from its time in the container, seconds at most. */
function apart(file: Uint8Array, stream: Uint8Array, format: 'mov' | 'matroska'): { pictures: number; most: number } {
  const expected = pictureTimes(file, format);
  const found = pictureTimes(stream, 'mpegts').map((seconds) => seconds - CONTAINER_START_SECONDS);
  expect(found).toHaveLength(expected.length);
  return { pictures: expected.length, most: Math.max(...expected.map((time, n) => Math.abs(time - found[n]!))) };
}

/** Sets of a stream: PID, seconds of the presentation, first bytes. */
function setsOf(stream: Uint8Array) {
  const sets: { pid: number; seconds: number; text: string }[] = [];
  const demuxer = createDemuxer({
    klv: ({ pid, ptsTicks, bytes, start, end }) => {
      const seconds = (ptsTicks ?? Number.NaN) / TICKS_PER_SECOND - CONTAINER_START_SECONDS;
      sets.push({
        pid,
        seconds: Math.round(seconds * 1e4) / 1e4,
        text: Buffer.from(bytes.subarray(start + 17, end)).toString(),
      });
    },
  });
  demuxer.push(stream);
  expect(demuxer.end().faults).toMatchObject({ continuityErrors: 0, badCrc: 0, brokenPes: 0, badTimes: 0 });
  return sets;
}

const TURN: Record<number, string> = { 90: 'transpose=clock', 180: 'hflip,vflip', 270: 'transpose=cclock' };

/** The matrix of the first track, as cameras write it that were held so. */
function turnedBy(file: Buffer, degrees: number): Buffer {
  const at = file.indexOf('tkhd') + 4 + 4 + 20 + 16;
  const [cos, sin] = [Math.round(Math.cos((degrees * Math.PI) / 180)), Math.round(Math.sin((degrees * Math.PI) / 180))];
  const turned = Buffer.from(file);
  words(cos * 65536, sin * 65536, 0, -sin * 65536, cos * 65536, 0).copy(turned, at);
  return turned;
}

function formatOf(stream: Uint8Array): VideoFormat | undefined {
  let format: VideoFormat | undefined;
  const demuxer = createDemuxer({
    video: (_pid, found) => {
      format = found;
    },
  });
  demuxer.push(stream);
  demuxer.end();
  return format;
}

const KEY = '060e2b34020b01010e01030101000000';
const klv = (text: string): Buffer =>
  Buffer.concat([Buffer.from(KEY, 'hex'), Buffer.from([text.length]), Buffer.from(text)]);

describe.skipIf(!existsSync('/usr/bin/ffmpeg'))('a recording in a container', () => {
  const plain = () => containerFile('plain.mp4', [...testPictures(3), ...H264, '-c:a', 'aac']);

  it.each([
    ['an MP4 with its tables at the end', 'mov', () => plain()],
    [
      'an MP4 with its tables in front',
      'mov',
      () => containerFile('a.mp4', [...testPictures(3), ...H264, '-movflags', '+faststart']),
    ],
    [
      'an MP4 in fragments',
      'mov',
      () => containerFile('a.mp4', [...testPictures(3), ...H264, '-movflags', '+frag_keyframe+empty_moov']),
    ],
    [
      'a MOV whose video begins late',
      'mov',
      () => containerFile('a.mov', ['-itsoffset', '0.7', ...testPictures(2), ...H264]),
    ],
    [
      'pictures at a variable rate',
      'mov',
      () =>
        containerFile('a.mp4', [
          ...testPictures(3),
          '-vf',
          "select='not(mod(n\\,3))+not(mod(n\\,7))'",
          '-fps_mode',
          'vfr',
          '-video_track_timescale',
          '12800',
          ...H264,
        ]),
    ],
    ['MKV', 'matroska', () => containerFile('a.mkv', [...testPictures(3), ...H264, '-c:a', 'aac'])],
    [
      'H.265 in MOV',
      'mov',
      () =>
        containerFile('a.mov', [
          ...testPictures(1),
          '-c:v',
          'libx265',
          '-preset',
          'ultrafast',
          '-x265-params',
          'log-level=error',
          '-tag:v',
          'hvc1',
        ]),
    ],
  ] as const)('%s keeps each picture within 1 ms', async (_what, format, make) => {
    const file = make();

    const { pictures, most } = apart(file, await streamed(file, format === 'mov' ? 'mp4' : 'mkv'), format);

    expect(pictures).toBeGreaterThan(20);
    expect(most).toBeLessThan(0.001);
  });

  it('shows what several edits show, each picture within 1 ms', async () => {
    const made = containerFile('a.mp4', [...testPictures(6), ...H264, '-c:a', 'aac']);
    const file = withEdits(made, [
      { from: 0, seconds: 2 },
      { from: 3.4, seconds: 2 },
    ]);

    expect(apart(file, await streamed(file), 'mov')).toMatchObject({ pictures: 100, most: expect.closeTo(0, 3) });
    const track = {
      editSeconds: 0,
      edits: [
        { from: 0, at: 0, length: 2 },
        { from: 3.4, at: 2, length: 2 },
      ],
    };
    expect([1.5, 2, 3, 3.4, 5, 5.4].map((media) => shownSeconds(track, media))).toEqual([
      1.5,
      null,
      null,
      2,
      3.6,
      null,
    ]);
  });

  it('keeps pictures that an edit list leaves out before the others, whose times are those of the list', async () => {
    const file = containerFile('cut.mp4', ['-ss', '0.52', '-i', fileOf(plain(), 'plain.mp4'), '-c', 'copy']);

    const expected = pictureTimes(file, 'mov');
    const found = pictureTimes(await streamed(file), 'mpegts').map((seconds) => seconds - CONTAINER_START_SECONDS);
    const shown = found.filter((seconds) => seconds > -0.001);

    expect([expected.length, shown.length, found.length]).toEqual([62, 62, 75]);
    expect(Math.max(...expected.map((time, n) => Math.abs(time - shown[n]!)))).toBeLessThan(0.001);
    expect(found[0]).toBeCloseTo(-0.52, 3);
  });

  it.each([
    ['MPEG-4 part 2', 'mpeg4', 'a.mp4', ['-c:v', 'mpeg4', '-q:v', '5']],
    ['MPEG-4 part 2 in MKV', 'mpeg4', 'a.mkv', ['-c:v', 'mpeg4', '-q:v', '5']],
    ['MJPEG', 'mjpeg', 'a.mov', ['-c:v', 'mjpeg', '-q:v', '5', '-pix_fmt', 'yuvj420p']],
    ['MJPEG in MKV', 'mjpeg', 'a.mkv', ['-c:v', 'mjpeg', '-q:v', '5', '-pix_fmt', 'yuvj420p']],
    ['AV1', 'av1', 'a.mp4', ['-c:v', 'libaom-av1', '-cpu-used', '8', '-b:v', '300k']],
    ['AV1 in MKV', 'av1', 'a.mkv', ['-c:v', 'libaom-av1', '-cpu-used', '8', '-b:v', '300k']],
  ] as const)('converts %s, each picture within 1 ms', async (_what, coding, name, coded) => {
    const isMkv = name.endsWith('mkv');
    const file = containerFile(name, [...testPictures(1), ...coded, '-an']);

    const found = await survey(file, isMkv ? 'mkv' : 'mp4');
    const stream = await streamed(file, isMkv ? 'mkv' : 'mp4');

    expect(found.survey.video).toMatchObject({ coding, way: 'encode' });
    expect(apart(file, stream, isMkv ? 'matroska' : 'mov')).toMatchObject({ pictures: 25 });
    expect(apart(file, stream, isMkv ? 'matroska' : 'mov').most).toBeLessThan(0.001);
    expect(formatOf(stream)).toMatchObject({ codec: 'h264', width: 320, height: 180, bitDepth: 8 });
  });

  it.each([
    [90, 180, 320],
    [180, 320, 180],
    [270, 180, 320],
  ])('turns pictures by %i degrees', async (degrees, width, height) => {
    const upright = containerFile('a.mp4', [...testPictures(1), ...H264, '-an']);
    const turned = turnedBy(upright, degrees);

    const found = await survey(turned, 'mp4');
    const stream = await streamed(turned);

    expect(found.survey.video).toMatchObject({ rotation: degrees, way: 'encode' });
    expect(formatOf(stream)).toMatchObject({ width, height });
    expect(apart(upright, stream, 'mov').most).toBeLessThan(0.001);
    expect(
      likeness(stream, containerFile('b.mp4', ['-i', fileOf(upright, 'u.mp4'), '-vf', TURN[degrees]!, ...H264])),
    ).toBeGreaterThan(30);
  });

  it('puts the KLV of a metadata track between the pictures, by their times', async () => {
    const samples = Array.from({ length: 30 }, (_, n) => ({ bytes: klv(`set ${n}`), ticks: 100 }));
    const file = withTracks(plain(), [{ handler: 'meta', coding: 'mett', timescale: 1000, samples }]);

    const sets = setsOf(await streamed(file));

    expect(sets).toHaveLength(30);
    expect(sets[7]).toEqual({ pid: 0x180, seconds: 0.7, text: 'set 7' });
    expect(sets.map(({ text }) => text)).toEqual(samples.map((_, n) => `set ${n}`));
  });

  it('takes the frames of tracks of Matroska whose frames begin with a universal label', async () => {
    const file = containerFile('a.mkv', [...testPictures(3), ...H264, '-c:a', 'aac']);
    const frames = Array.from({ length: 30 }, (_, n) => ({
      ms: n * 100,
      bytes: klv(`set ${n}`),
      isGroup: n % 2 === 1,
    }));
    const added = withFrames(file, [
      { number: 5, type: 33, codec: 'D_KLV', frames },
      { number: 6, type: 33, codec: 'D_OTHER', frames: [{ ms: 0, bytes: Buffer.from('something else') }] },
      { number: 7, type: 17, codec: 'S_KLV', frames: [{ ms: 1500, bytes: klv('other') }] },
    ]);

    const stream = await streamed(added, 'mkv');

    const sets = setsOf(stream);
    expect(sets.filter(({ pid }) => pid === 0x180).map(({ seconds, text }) => [seconds, text])).toEqual(
      frames.map((_, n) => [n / 10, `set ${n}`]),
    );
    expect(sets.filter(({ pid }) => pid === 0x181)).toEqual([{ pid: 0x181, seconds: 1.5, text: 'other' }]);
    expect(apart(added, stream, 'matroska')).toMatchObject({ pictures: 75 });
    // A file that is cut off keeps what came before.
    expect(setsOf(await streamed(added.subarray(0, added.length - 20_000), 'mkv'))).toHaveLength(31);
  });

  it('takes sets longer than a PES packet, and several tracks', async () => {
    const long = Buffer.concat([
      Buffer.from(KEY, 'hex'),
      Buffer.from([0x83, 1, 0x86, 0xa0]),
      Buffer.alloc(100_000, 'x'),
    ]);
    const track = { handler: 'meta', coding: 'mett', timescale: 1000 };
    const file = withTracks(plain(), [
      {
        ...track,
        samples: [
          { bytes: long, ticks: 1000 },
          { bytes: klv('one'), ticks: 1000 },
        ],
      },
      { ...track, coding: 'urim', samples: [{ bytes: klv('other'), ticks: 1500 }] },
      { ...track, coding: 'mebx', samples: [{ bytes: Buffer.from('something else'), ticks: 1500 }] },
    ]);

    const sets = setsOf(await streamed(file));

    expect(sets.map(({ pid, seconds, text }) => [pid, seconds, text.length])).toEqual([
      [0x180, 0, 100_003],
      [0x181, 0, 5],
      [0x180, 1, 3],
    ]);
  });

  it.each([0, 1])('reads KLV from event messages of version %i (ST 1910)', async (version) => {
    const file = containerFile('a.mp4', [
      ...testPictures(3),
      ...H264,
      '-an',
      '-movflags',
      '+frag_keyframe+empty_moov+default_base_moof',
    ]);
    const strings = Buffer.from('urn:misb:KLV:bin:1910.1\0\0');
    const parts: Buffer[] = [];
    let fragment = 0;
    for (let at = 0; at < file.length; ) {
      const size = file.readUInt32BE(at);
      if (file.toString('latin1', at + 4, at + 8) === 'moof') {
        const bytes = klv(`event ${fragment}`);
        // The first counts from the fragment that follows, the second from the beginning.
        const numbers =
          version === 0 ? words(1000, 40, 0, fragment) : words(1000, 0, fragment * 1000 + 40, 0, fragment);
        const content = version === 0 ? [strings, numbers] : [numbers, strings];
        parts.push(box('emsg', words(version << 24), ...content, bytes));
        fragment += 1;
      }
      parts.push(file.subarray(at, at + size));
      at += size;
    }

    const sets = setsOf(await streamed(Buffer.concat(parts)));

    expect(fragment).toBe(3);
    const lead = pictureTimes(file, 'mov')[0]!;
    expect(sets.map(({ seconds, text }) => [text, seconds])).toEqual(
      [0, 1, 2].map((n) => [`event ${n}`, expect.closeTo(n + 0.04 + (version === 0 ? lead : 0), 2)]),
    );
  });

  it.each([
    ['an MP4 without moov', 'mp4', () => plain().subarray(0, -4000), 'moov'],
    [
      'VP9',
      'mkv',
      () => containerFile('a.mkv', [...testPictures(0.2), '-c:v', 'libvpx-vp9', '-an']),
      'VP9, which is not read: convert it to H.264 first',
    ],
    [
      'ProRes',
      'mp4',
      () => containerFile('a.mov', [...testPictures(0.2), '-c:v', 'prores', '-an']),
      'ProRes, which is not read: convert it to H.264 first',
    ],
    [
      'VVC',
      'mp4',
      () => Buffer.from(plain().toString('latin1').replaceAll('avc1', 'vvc1'), 'latin1'),
      'H.266 (VVC), which is not read: convert it to H.264 first',
    ],
    ['sound alone', 'mp4', () => containerFile('a.m4a', ['-f', 'lavfi', '-i', 'sine=duration=1']), 'it holds no video'],
  ] as const)('refuses %s and says why', async (_what, kind, make, words) => {
    await expect(survey(make(), kind)).rejects.toThrow(words);
  });

  it('names what it leaves out', async () => {
    const track = { handler: 'meta', coding: 'djmd', timescale: 1000 };
    const file = withTracks(containerFile('a.mov', [...testPictures(1), ...H264, '-c:a', 'pcm_s16le']), [
      { ...track, samples: [{ bytes: Buffer.from('....'), ticks: 1000 }] },
    ]);

    const found = await survey(file, 'mp4');

    expect(found.survey.notes).toEqual([
      'Its sound (sowt) is in a coding that is not read, and is left out.',
      'It holds a DJI metadata track (djmd), which is not read: its format is not published.',
    ]);
    expect(apart(file, await streamed(file), 'mov').most).toBeLessThan(0.001);
  });

  it('says when the container was begun', async () => {
    const dated = ['-metadata', 'creation_time=2023-11-14T22:13:20Z'];
    const [mp4, mkv] = ['a.mp4', 'a.mkv'].map((name) => containerFile(name, [...testPictures(0.2), ...H264, ...dated]));

    expect((await survey(mp4!, 'mp4')).survey.createdUs).toBe(Date.UTC(2023, 10, 14, 22, 13, 20) * 1000);
    expect((await survey(mkv!, 'mkv')).survey.createdUs).toBe(Date.UTC(2023, 10, 14, 22, 13, 20) * 1000);
    expect((await survey(plain(), 'mp4')).survey.createdUs).toBeNull();
  });
});
