import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testData, testDataFolder } from '../../../tools/test-support/test-data.ts';
import { demux, flightStream, join } from '../test/streams.ts';
import { eachNalUnit } from './annex-b.ts';
import { type ClipOptions, openClip } from './clip.ts';
import { openMp4Clip } from './mp4-clip.ts';
import { isBesidePictures, nalType } from './parameter-sets.ts';
import { createPesGatherer } from './pes-gatherer.ts';
import { runPlaces } from './run-place.ts';
import { createSegmentMap } from './segment-map.ts';

const missing = (program: string) => spawnSync(program, ['-version']).error !== undefined;
const WITHOUT_FFMPEG = missing('ffmpeg') || missing('ffprobe');
if (WITHOUT_FFMPEG) process.stderr.write('mpegts: MP4 clips are not held beside ffmpeg, it is not installed\n');
const itWithFfmpeg = it.skipIf(WITHOUT_FFMPEG);

function folder(): string {
  const made = mkdtempSync(path(tmpdir(), 'osprey-mp4-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

function readable(bytes: Uint8Array) {
  return {
    sizeBytes: bytes.length,
    async read(buffer: Uint8Array, position: number) {
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    },
  };
}

/** A stretch from the key frame at or before one moment to another, in seconds of the stream. */
function partOf(stream: Uint8Array, from: number, to: number) {
  const { units, report } = demux(stream);
  const video = report.programs[0]!.streams.find(({ kind }) => ['h264', 'h265', 'mpeg2', 'mpeg4'].includes(kind))!;
  const builder = createSegmentMap({ videoPid: video.pid, programNumber: report.programs[0]!.number });
  for (const unit of units) builder.add(unit);
  const { keyframes, segments, runs } = builder.finish(stream.length, report);
  const first = Math.min(
    ...units.flatMap(({ pid, ptsTicks }) => (pid === video.pid && ptsTicks !== null ? [ptsTicks] : [])),
  );
  const asked = first + from * 90_000;
  const key = keyframes.findLast(({ ptsTicks }) => ptsTicks <= asked) ?? keyframes[0]!;
  const options = {
    source: readable(stream),
    packeting: { packetSize: report.packetSize!, syncOffset: report.packetSize === 192 ? 4 : 0 },
    ...{ offset: key.offset, place: runPlaces(segments).get(key.run)! },
    complete: {
      start: asked <= first,
      end: first + to * 90_000 >= runs.at(-1)!.lastPts + runs.at(-1)!.lastDurationTicks,
    },
    askedTicks: Math.max(0, asked - key.ptsTicks),
    lengthTicks: Math.round(first + to * 90_000 - key.ptsTicks),
  };
  return {
    options,
    video,
    part: {
      ...{ askedTicks: options.askedTicks, lengthTicks: options.lengthTicks },
      open: async () => ({ clip: await openClip(options), close: async () => undefined }),
    },
  };
}

const words = { title: 'osprey_SECRET_Kea', comment: 'SECRET. Kea, EO/IR', createdSeconds: 1_780_304_400 };

async function mp4Of(parts: Parameters<typeof openMp4Clip>[0]) {
  const clip = await openMp4Clip(parts, words);
  const pieces: Uint8Array[] = [];
  for await (const piece of clip.bytes()) pieces.push(piece);
  const bytes = join(pieces);
  expect(bytes.length).toBe(clip.sizeBytes);
  return { bytes, reports: clip.reports };
}

async function cutOf(options: ClipOptions): Promise<Uint8Array> {
  const clip = await openClip(options);
  const packets: Uint8Array[] = [];
  for await (const one of clip.packets()) packets.push(one);
  return join(packets);
}

/** All but parameter sets and delimiters, which readers of MP4 write themselves. */
function nalsOf(stream: Uint8Array): string[] {
  const nals: string[] = [];
  eachNalUnit(stream, 0, stream.length, (start, end) => {
    if (!isBesidePictures('h264', nalType('h264', stream, start)))
      nals.push(createHash('sha256').update(stream.subarray(start, end)).digest('hex'));
  });
  return nals;
}

const kindsOf = (bytes: Uint8Array): string[] => {
  const view = Buffer.from(bytes);
  const kinds: string[] = [];
  for (let at = 0; at < view.length; at += view.readUInt32BE(at)) kinds.push(view.toString('latin1', at + 4, at + 8));
  return kinds;
};

function made(name: string, ...args: string[]): Uint8Array {
  const file = path(folder(), name);
  execFileSync('ffmpeg', ['-v', 'error', ...args, '-f', 'mpegts', file]);
  return Uint8Array.from(readFileSync(file));
}

type Probed = {
  format: { duration: string; start_time: string; tags: Record<string, string> };
  streams: { codec_name: string; codec_tag_string: string; codec_type: string; duration: string; nb_frames: string }[];
};

function probed(file: string): Probed {
  return JSON.parse(
    execFileSync('ffprobe', ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', file]).toString(),
  );
}

/** One hash a picture that is shown. */
function hashes(file: string, ...filter: string[]): string[] {
  const args = [
    '-v',
    'error',
    '-i',
    file,
    '-map',
    '0:v:0',
    ...filter,
    '-f',
    'framehash',
    '-fps_mode',
    'passthrough',
    '-',
  ];
  const lines = execFileSync('ffmpeg', args).toString().split('\n');
  return lines.filter((line) => /^\d/.test(line)).map((line) => line.split(',').at(-1)!.trim());
}

const pattern = (seconds: number) => ['-f', 'lavfi', '-i', `testsrc2=size=320x240:rate=30:duration=${seconds}`];
const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
const h264 = ['-c:v', 'libx264', '-bf', '2', '-g', '30', '-pix_fmt', 'yuv420p'];
const h265 = ['-c:v', 'libx265', '-g', '30', '-pix_fmt', 'yuv420p', '-x265-params', 'log-level=none'];

/** Two of three pictures of the first half alone, and those after them at their own times. */
const variable = ['-vf', "select='gt(n,45)+gt(mod(n,3),0)'", '-fps_mode', 'vfr'];

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

/** PTS of the pictures of a file in the order of decoding, in ticks. */
function picturesOf(file: string): number[] {
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'packet=pts', '-of', 'csv=p=0', file];
  return execFileSync('ffprobe', args).toString().match(/\d+/g)!.map(Number);
}

/** Number of pictures that a player of the file shows. */
function shownIn(file: string): number {
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'packet=flags', '-of', 'csv=p=0', file];
  return execFileSync('ffprobe', args)
    .toString()
    .split('\n')
    .filter((flags) => flags !== '' && !flags.includes('D')).length;
}

describe('openMp4Clip', () => {
  it('writes the tables before the data', async () => {
    const { part } = partOf(flightStream({ frames: 60 }), 0.5, 1.5);

    const { bytes, reports } = await mp4Of([part]);

    expect(kindsOf(bytes)).toEqual(['ftyp', 'moov', 'mdat']);
    expect(reports).toMatchObject([{ frames: 35, framesBefore: 5 }]);
  });

  it('holds every set of KLV as it is', async () => {
    const { part, options } = partOf(flightStream({ frames: 60, klv: 'klvSync' }), 0.5, 1.5);

    const { bytes } = await mp4Of([part]);

    const { payloads } = demux(await cutOf(options));
    const file = Buffer.from(bytes).toString('latin1');
    expect(payloads).toHaveLength(35);
    for (const { hex } of payloads) expect(file).toContain(Buffer.from(hex, 'hex').toString('latin1'));
  });

  itWithFfmpeg('holds every NAL unit of the pictures as it is, parameter sets once', async () => {
    const { part, options, video } = partOf(made('whole.ts', ...pattern(3), ...h264), 0.5, 2);
    const file = path(folder(), 'clip.mp4');
    writeFileSync(file, (await mp4Of([part])).bytes);

    const args = ['-v', 'error', '-ignore_editlist', '1', '-i', file, '-c', 'copy', '-bsf:v', 'h264_mp4toannexb'];
    const read = execFileSync('ffmpeg', [...args, '-f', 'h264', '-'], { maxBuffer: 1e8 });

    const cut = await cutOf(options);
    const pictures: Uint8Array[] = [];
    const gatherer = createPesGatherer([video.pid], ({ bytes, start, end }) => pictures.push(bytes.slice(start, end)));
    gatherer.push(cut);
    gatherer.end();
    expect(nalsOf(read)).toEqual(nalsOf(join(pictures)));
    expect(nalsOf(read).length).toBeGreaterThan(45);
  });

  itWithFfmpeg.each([
    ['H.264 with B-frames and AAC', h264, 'avc1'],
    ['H.265 with AAC', h265, 'hvc1'],
  ])('shows %s from In to Out to the picture', async (_what, encoder, tag) => {
    const stream = made('whole.ts', ...pattern(6), ...tone(6), ...encoder, '-c:a', 'aac', '-shortest');
    const file = path(folder(), 'clip.mp4');
    const complete = path(folder(), 'whole.ts');
    writeFileSync(complete, stream);

    writeFileSync(file, (await mp4Of([partOf(stream, 2.5, 4).part])).bytes);

    const { format, streams } = probed(file);
    expect(Number(format.duration)).toBeCloseTo(1.5, 2);
    expect(Number(format.start_time)).toBeCloseTo(0, 2);
    expect(format.tags).toMatchObject({ title: words.title, comment: words.comment });
    expect(streams.map(({ codec_type }) => codec_type)).toEqual(['video', 'audio']);
    expect(streams[0]!.codec_tag_string).toBe(tag);
    expect(hashes(file)).toEqual(hashes(complete).slice(75, 120));
  });

  itWithFfmpeg.each([
    { encoder: [...h264, '-bf', '3', '-b_strategy', '0'], group: 4, what: 'H.264, three B-frames' },
    { encoder: [...h264, '-bf', '16', '-b_strategy', '0'], group: 17, what: 'H.264, sixteen B-frames' },
    { encoder: [...h264, '-bf', '3', '-x264-params', 'open-gop=1'], group: 4, what: 'H.264, open groups' },
    { encoder: h265, group: 5, what: 'H.265' },
    { encoder: [...h264, '-bf', '3', '-b_strategy', '0', ...variable], group: 4, what: 'H.264 of a variable rate' },
  ])('ends .ts and .mp4 at the picture before Out, without a hole: $what', async ({ encoder, group, what }) => {
    const stream = made('complete.ts', ...pattern(3), ...encoder);
    const [complete, ts, mp4] = ['complete.ts', 'clip.ts', 'clip.mp4'].map((name) => path(folder(), name));
    writeFileSync(complete!, stream);
    const pictures = picturesOf(complete!);
    const times = sorted(pictures);
    const seconds = (pts: number) => (pts - times[0]!) / 90_000;

    for (let at = 20; at <= 20 + group; at += 1) {
      // Every second Out is a moment after its picture.
      const [inPts, outPts] = [times[12]!, times[at]! + (at % 2) * 1000];
      const { part, options } = partOf(stream, seconds(inPts), seconds(outPts));
      writeFileSync(ts!, await cutOf(options));
      writeFileSync(mp4!, (await mp4Of([part])).bytes);

      // Those that decoding passes until the last picture before Out, and those shown between them.
      const needed = Math.max(...pictures.slice(0, pictures.findLastIndex((pts) => pts < outPts) + 1));
      const cut = picturesOf(ts!);
      const last = Math.max(...cut);
      expect(sorted(cut)).toEqual(sorted(pictures.slice(pictures.indexOf(cut[0]!))).filter((pts) => pts <= last));
      expect(last).toBeGreaterThanOrEqual(needed);
      // At a variable rate only the next group says that none is between.
      const isVariable = what.includes('variable');
      expect(times.indexOf(last) - times.indexOf(needed)).toBeLessThanOrEqual(isVariable ? group : 0);
      expect(shownIn(mp4!)).toBe(times.filter((pts) => pts >= inPts && pts < outPts).length);
    }
  });
});

it.skipIf(testDataFolder === null)('reads a real recording', async () => {
  const stream = Uint8Array.from(readFileSync(testData('ts/osh/sample-stream.ts')));
  const file = path(folder(), 'clip.mp4');

  writeFileSync(file, (await mp4Of([partOf(stream, 3, 6).part])).bytes);

  expect(Number(probed(file).format.duration)).toBeCloseTo(3, 1);
});

it.skipIf(testDataFolder === null)(
  'makes a file as long as it says of a damaged recording, or refuses it',
  async () => {
    const complete = readFileSync(testData('ts/osh/sample-stream.ts'));
    const answers = new Set<string>();
    for (let seed = 1; seed <= 8; seed++) {
      const damaged = Uint8Array.from(complete);
      let number = seed;
      for (let hit = 0; hit < seed * 100; hit++) {
        number = (number * 1_103_515_245 + 12_345) % 2 ** 31;
        damaged[number % damaged.length] = number & 0xff;
      }
      const { part } = partOf(damaged, 2, 8);
      // Twice, so that clocks and parameter sets meet at a joint too.
      const made = await mp4Of([part, part]).catch((error: unknown) => error);
      answers.add(made instanceof RangeError ? 'refused' : 'bytes' in (made as object) ? 'made' : String(made));
    }
    expect([...answers].filter((answer) => answer !== 'refused')).toEqual(['made']);
  },
);
