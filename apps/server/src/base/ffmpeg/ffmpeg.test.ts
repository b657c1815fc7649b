import { existsSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createDemuxer, type VideoFormat } from '@osprey/mpegts';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { testData, testDataFolder } from '../../../../../tools/test-support/test-data.ts';
import { commandOf, killNow, treeOf } from '../../../test/processes.ts';
import {
  conversionArguments,
  DECODERS_MAX,
  DecoderError,
  type Ffmpeg,
  ffmpegTools,
  pictureArguments,
  type Sound,
  subtitleArguments,
} from './ffmpeg.ts';
import { findSandbox } from './sandbox.ts';

const ready = testDataFolder !== null && existsSync('/usr/bin/ffmpeg');
let ffmpeg: Ffmpeg;
beforeAll(async () => {
  ffmpeg = ffmpegTools({ sandbox: await findSandbox('auto') });
});

/** Result of our own demuxer: the format and every PTS in the order of showing. */
function look(bytes: Uint8Array) {
  const pts: number[] = [];
  const keyframes: number[] = [];
  let format: VideoFormat | null = null;
  const demuxer = createDemuxer({
    accessUnit: (unit) => {
      if (unit.ptsTicks === null) return;
      pts.push(unit.ptsTicks);
      if (unit.keyframe) keyframes.push(unit.ptsTicks);
    },
    video: (_pid, found) => {
      format = { ...found };
    },
  });
  demuxer.push(bytes);
  demuxer.end();
  return { pts: pts.sort((a, b) => a - b), keyframes, format: format as VideoFormat | null };
}

async function convert(file: string, durationSeconds: number, audio: Sound = 'none') {
  const bytes = readFileSync(testData(file));
  const parts: Uint8Array[] = [];
  const percents: number[] = [];
  const made = ffmpeg.transcode({
    source: Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]),
    sourceBytes: bytes.byteLength,
    durationSeconds,
    audio,
    signal: new AbortController().signal,
    progress: (percent) => percents.push(percent),
  });
  for await (const part of made) parts.push(part);
  return { before: look(bytes), after: look(Buffer.concat(parts)), percents };
}

describe.skipIf(!ready)('a picture', () => {
  it.each([
    ['webp', 'RIFF'],
    ['jpeg', '\xff\xd8\xff'],
  ] as const)('is made as %s', async (type, signature) => {
    const bytes = readFileSync(testData('ts/kwiver/h264_klv.ts'));

    const picture = await ffmpeg.pictureAt({ bytes, width: 96, type });

    expect(picture.subarray(0, signature.length).toString('latin1')).toBe(signature);
    expect(picture.byteLength).toBeGreaterThan(100);
  });

  it('of a playlist, an empty stream or noise is none', async () => {
    const playlist = Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n');
    for (const bytes of [playlist, new Uint8Array(0), new Uint8Array(100_000).fill(0x47)]) {
      await expect(ffmpeg.pictureAt({ bytes, width: 96, type: 'webp' })).rejects.toThrow(DecoderError);
    }
  });
});

describe.skipIf(!ready)('a conversion', () => {
  it.each([
    ['4:4:4', 'ts/kwiver/h264_klv.ts', 1, 'none'],
    ['MPEG-2', 'ts/kwiver/mpeg2_klv.ts', 1, 'encode'],
    ['one frame a second', 'ts/kwiver/aphill_klv_10s.ts', 10, 'none'],
    ['sound', 'ts/kwiver/h264_audio.ts', 10, 'copy'],
    ['HEVC', 'ts/tsduck/test-100.1.ts', 3, 'none'],
  ] as const)(
    'of %s is H.264 8-bit 4:2:0 progressive with the very times of its source',
    async (_what, file, seconds, audio) => {
      const { before, after, percents } = await convert(file, seconds, audio);

      expect(after.format).toMatchObject({ codec: 'h264', chroma: '4:2:0', bitDepth: 8, interlaced: false });
      const known = new Set(before.pts);
      const strays = after.pts.filter((ticks) => !known.has(ticks));
      expect(strays).toEqual([]);
      expect(after.pts.length).toBeGreaterThanOrEqual(Math.floor(before.pts.length * 0.8));
      expect(percents.at(-1)).toBe(100);
    },
  );

  it('has a keyframe at least every two seconds and a frame', async () => {
    const { after } = await convert('ts/kwiver/h264_audio.ts', 10, 'encode');

    const gaps = after.keyframes.slice(1).map((ticks, index) => ticks - after.keyframes[index]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2.1 * 90_000);
  });

  /** Reads a stream that does not end. */
  async function endless(signal: AbortSignal, begun: () => void): Promise<void> {
    const source = Readable.from(
      (async function* () {
        for (;;) yield readFileSync(testData('ts/kwiver/h264_audio.ts'));
      })(),
    );
    const made = ffmpeg.transcode({
      ...{ source, sourceBytes: 1e12, durationSeconds: 1000, audio: 'none', signal },
      progress: (percent) => percent > 0 && begun(),
    });
    for await (const _bytes of made);
  }

  it('ends at once when it is aborted', async () => {
    const stop = new AbortController();

    await expect(endless(stop.signal, () => stop.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });

  it('does not begin when it is aborted while others are converted', async () => {
    const [busy, stop] = [new AbortController(), new AbortController()];
    const begin = () => new Promise<void>((begun) => void endless(busy.signal, begun).catch(() => {}));
    await Promise.all(Array.from({ length: DECODERS_MAX }, begin));
    let isBegun = false;
    const waiting = endless(stop.signal, () => {
      isBegun = true;
    });

    stop.abort(new Error('stopped'));
    busy.abort(new Error('done'));

    await expect(waiting).rejects.toThrow('stopped');
    expect(isBegun).toBe(false);
  });

  it('that is killed from outside is no fault of what it converts', async () => {
    const kill = () => {
      for (const pid of treeOf(process.pid)) if (commandOf(pid).startsWith('/usr/bin/ffmpeg')) killNow(pid);
    };

    const failure = await endless(new AbortController().signal, kill).catch((error: unknown) => error);

    expect(failure).toEqual(new Error('The decoder was killed'));
    expect(failure).not.toBeInstanceOf(DecoderError);
  });

  it('T-059 of a long file on which the decoder loops ends when nothing moves, long before its time', async () => {
    const sandbox = await findSandbox('auto');
    const looping = ffmpegTools({
      sandbox: {
        ...sandbox,
        start: (_one, _args, ...own) => sandbox.start('/usr/bin/perl', ['-e', '1 while 1'], ...own),
      },
      stallMs: 300,
    });
    const made = looping.transcode({
      ...{ source: Readable.from([Buffer.alloc(1000)]), sourceBytes: 1e9, durationSeconds: 36_000 },
      ...{ signal: new AbortController().signal, progress: () => {} },
    });

    const failure = await made.next().catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(DecoderError);
    expect(failure).toMatchObject({ message: 'The video could not be converted: it took too long.' });
  });

  it('is not ended while its bytes wait to be stored', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    // The result is larger than a pipe holds at a time.
    const bytes = Buffer.concat(Array<Buffer>(8).fill(readFileSync(testData('ts/kwiver/mpeg2_klv.ts'))));
    const made = ffmpeg.transcode({
      ...{ source: Readable.from([bytes]), sourceBytes: bytes.byteLength, durationSeconds: 8 },
      ...{ signal: new AbortController().signal, progress: () => {} },
    });
    let parts = 0;
    for await (const _part of made) {
      parts += 1;
      vi.advanceTimersByTime(3_600_000);
    }

    expect(parts).toBeGreaterThan(1);
  });

  it('of something else fails with a sentence, and reveals nothing of the inside', async () => {
    const failing = convert('bad/media/playlist_file.ts', 1);

    await expect(failing).rejects.toThrow('The video could not be converted: the decoder failed.');
  });
});

it.each([
  ['a picture', pictureArguments({ width: 320, type: 'jpeg' }), 'mpegts'],
  ['a picture of an MP4', pictureArguments({ width: 320, type: 'webp', format: 'mov' }), 'mov'],
  ['a conversion', conversionArguments({ sourceBytes: 1e6, durationSeconds: 1 }), 'mpegts'],
  ['a conversion of MP4', conversionArguments({ sourceBytes: 1e6, durationSeconds: 1, format: 'mov' }), 'mov'],
  [
    'a conversion of Matroska',
    conversionArguments({ sourceBytes: 1e6, durationSeconds: 1, format: 'matroska' }),
    'matroska',
  ],
  ['the subtitles of Matroska', subtitleArguments(), 'matroska'],
])('T-057 %s reads one pipe, in one format, with few decoders, and asks nobody', (_what, words, format) => {
  const before = words.slice(0, words.indexOf('-i'));
  const after = (name: string) => before.flatMap((word, index) => (word === name ? [before[index + 1]] : []));

  expect(words.filter((word) => word === '-i')).toHaveLength(1);
  expect(words[words.indexOf('-i') + 1]).toBe('pipe:0');
  expect(before).toContain('-nostdin');
  expect(after('-f')).toEqual([format]);
  expect(after('-protocol_whitelist')).toEqual(['pipe']);
  const family = { mov: 'mov,mp4,m4a,3gp,3g2,mj2', matroska: 'matroska,webm', mpegts: 'mpegts' }[format];
  expect(after('-format_whitelist')).toEqual([family]);
  // Data in other files, which a movie may name, are never opened.
  expect([after('-enable_drefs'), after('-use_absolute_path')]).toEqual(format === 'mov' ? [['0'], ['0']] : [[], []]);
  expect(after('-codec_whitelist')).toEqual([
    'h264,hevc,mpeg2video,mpeg4,libdav1d,mjpeg,png,aac,aac_latm,ac3,eac3,mp2,mp2float',
  ]);
});

it('T-057 gives the decoder fixed words and numbers only', () => {
  const words = [
    ...pictureArguments({ width: 320.4, type: 'webp' }),
    ...conversionArguments({ sourceBytes: 1e6, durationSeconds: 1, audio: 'encode' }),
  ];

  expect(words).toContain('pipe:0');
  expect(words.filter((word) => /[\\/]|\.\.|\$|`|;|\||\bfile:|http/.test(word)).sort()).toEqual([
    'yadif=deint=interlaced,scale=trunc(iw/2)*2:trunc(ih/2)*2,format=yuv420p',
  ]);
});
