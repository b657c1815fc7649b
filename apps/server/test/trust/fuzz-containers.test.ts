import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { AppError } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { DecoderError, ffmpegTools, type SourceFormat } from '../../src/base/ffmpeg/ffmpeg.ts';
import { findSandbox } from '../../src/base/ffmpeg/sandbox.ts';
import type { StoredFile } from '../../src/base/storage/storage.ts';
import { gpmfRows, gpmfStartUs, subtitleText } from '../../src/media/formats/containers/embedded.ts';
import { klvStreams, metadataUnits } from '../../src/media/formats/containers/metadata.ts';
import { type ContainerKind, surveyContainer } from '../../src/media/formats/containers/survey.ts';
import { containerFile, H264, testPictures, withTracks } from '../containers.ts';
import { gps5Payload, gps9Payload } from '../gpmf.ts';
import { mutated, randomNumbers } from './mutations.ts';

/** 2 s each in every run, 60 s in the soak. */
const FUZZ_MS = Number(process.env.OSPREY_FUZZ_MS ?? 2000);
/** A decoder takes long to start on a busy machine. */
const INPUTS_LEAST = 4;
const SEED = Number(process.env.OSPREY_SEED ?? 20601);
const MEMORY_BYTES = 256 * 1024 * 1024;
const NOW_US = Date.UTC(2026, 0, 1) * 1000;

const ffmpeg = ffmpegTools({ sandbox: await findSandbox('auto') });

function stored(bytes: Uint8Array): StoredFile {
  return {
    sizeBytes: bytes.length,
    read: async (buffer, position) => {
      const part = bytes.subarray(position, position + buffer.byteLength);
      buffer.set(part);
      return part.length;
    },
    close: async () => {},
  };
}

/** All that is read of a container before a decoder sees it. */
async function readAll(bytes: Uint8Array, kind: ContainerKind): Promise<void> {
  const source = stored(bytes);
  const { mp4 } = await surveyContainer(source, kind, NOW_US);
  if (mp4 === null) return;
  const { file, metadata } = mp4;
  for await (const _unit of metadataUnits(source, await klvStreams(source, file, metadata), 10));
  for (const track of file.movie.tracks.slice(0, 4)) {
    await gpmfStartUs({ source, file, track });
    for await (const _row of gpmfRows({ source, file, track }));
    for await (const _text of subtitleText({ source, file, track }));
  }
}

async function fuzz(sources: readonly Uint8Array[], read: (bytes: Uint8Array) => Promise<void>) {
  const random = randomNumbers(SEED);
  const before = process.memoryUsage().rss;
  const strange: unknown[] = [];
  let inputs = 0;
  let slowestMs = 0;
  for (const end = performance.now() + FUZZ_MS; performance.now() < end || inputs < INPUTS_LEAST; inputs += 1) {
    const begun = performance.now();
    await read(mutated(sources[random(sources.length)]!, random)).catch((error: unknown) => {
      if (!(error instanceof AppError) && !(error instanceof DecoderError)) strange.push(error);
    });
    slowestMs = Math.max(slowestMs, performance.now() - begun);
  }
  return { strange, inputs, slowestMs, grownBytes: process.memoryUsage().rss - before };
}

const small = ['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=10:duration=1'];
const klv = Buffer.from('060e2b34020b01010e0103010100000004aabbccdd', 'hex');

describe.skipIf(!existsSync('/usr/bin/ffmpeg'))(
  `T-042 hostile containers, seed ${SEED},`,
  { timeout: 2 * FUZZ_MS + 60_000 },
  () => {
    it('neither stop nor fill the readers of MP4, GPMF and Matroska', async () => {
      const readings = [{ latitude: 36, longitude: -6, altitude: 20, speed: 3 }];
      const payload = { readings, fix: 3, utc: new Date(NOW_US / 1000) };
      const gpmf = [gps5Payload(payload), gps9Payload(payload)].map((bytes) => ({ bytes, ticks: 500 }));
      const tracks = withTracks(containerFile('a.mp4', [...small, ...H264]), [
        { handler: 'meta', coding: 'gpmd', timescale: 1000, samples: gpmf },
        { handler: 'meta', coding: 'mett', timescale: 1000, samples: [{ bytes: klv, ticks: 1000 }] },
      ]);
      // Changes in the pictures do not reach these readers: tables and metadata are most of what is changed.
      const sources = [tracks.subarray(0, 40), tracks].map((bytes) => new Uint8Array(bytes));
      const fragments = containerFile('a.mp4', [...small, ...H264, '-movflags', '+frag_keyframe+empty_moov']);
      const stated = ['-metadata', 'com.apple.quicktime.creationdate=2024-02-03T04:05:06+0200'];
      const named = containerFile('a.mov', [...small, ...H264, ...stated, '-movflags', '+faststart+use_metadata_tags']);
      const mkv = containerFile('a.mkv', [...small, ...H264]).subarray(0, 1000);

      const mp4 = await fuzz([...sources, fragments, named.subarray(0, 2000)], (bytes) => readAll(bytes, 'mp4'));
      const matroska = await fuzz([mkv], (bytes) => readAll(bytes, 'mkv'));

      for (const found of [mp4, matroska]) {
        expect(found.strange).toEqual([]);
        expect(found.inputs).toBeGreaterThan(50);
        expect(found.slowestMs).toBeLessThan(5000);
        expect(found.grownBytes).toBeLessThan(MEMORY_BYTES);
      }
    });

    it.each([
      ['mov', 'a.mp4', ['-c:v', 'mpeg4']],
      ['mov', 'a.mov', ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p']],
      ['mov', 'a.mp4', ['-c:v', 'libaom-av1', '-cpu-used', '8']],
      ['matroska', 'a.mkv', ['-c:v', 'mpeg4']],
    ] as const)('end the decoder or are converted: %s, %s %s', async (format: SourceFormat, name, coded) => {
      const source = containerFile(name, [
        ...small,
        ...coded,
        ...(format === 'mov' ? ['-movflags', '+faststart'] : []),
      ]);

      const found = await fuzz([source], async (bytes) => {
        const order = { format, sourceBytes: bytes.length, durationSeconds: 1, audio: 'none' as const };
        const signal = new AbortController().signal;
        for await (const _part of ffmpeg.transcode({
          ...order,
          source: Readable.from([bytes]),
          signal,
          progress: () => {},
        }));
      });

      expect(found.strange).toEqual([]);
      expect(found.inputs).toBeGreaterThan(3);
    });

    it('a movie that names other files as its data opens none of them', async () => {
      const movie = containerFile('a.mov', [...testPictures(0.2), '-c:v', 'mjpeg', '-an', '-movflags', '+faststart']);
      // The entry "url " of the data reference says that the data are in a file of this name.
      const at = movie.indexOf('url ');
      const name = Buffer.from('file:///etc/passwd\0');
      const entry = Buffer.concat([Buffer.alloc(4), Buffer.from('url '), Buffer.alloc(4), name]);
      entry.writeUInt32BE(entry.length, 0);
      const hostile = grown(movie, at - 4, 12, entry);
      const parts: Uint8Array[] = [];
      const converting = ffmpeg.transcode({
        ...{
          format: 'mov',
          source: Readable.from([hostile]),
          sourceBytes: hostile.length,
          durationSeconds: 1,
          audio: 'none',
        },
        ...{ signal: new AbortController().signal, progress: () => {} },
      });

      await (async () => {
        for await (const part of converting) parts.push(part);
      })().catch((error: unknown) => expect(error).toBeInstanceOf(DecoderError));

      expect(Buffer.concat(parts).includes('root:')).toBe(false);
    });
  },
);

/** A movie in which one piece of a box is replaced by a longer one: all boxes around it grow. */
function grown(movie: Buffer, at: number, length: number, piece: Buffer): Buffer {
  const bytes = Buffer.concat([movie.subarray(0, at), piece, movie.subarray(at + length)]);
  const more = piece.length - length;
  const grow = (from: number, to: number): void => {
    for (let start = from; start + 8 <= to; ) {
      const size = movie.readUInt32BE(start);
      if (size < 8) return;
      if (start < at && at < start + size) {
        bytes.writeUInt32BE(size + more, start);
        const isDref = movie.toString('latin1', start + 4, start + 8) === 'dref';
        grow(start + (isDref ? 16 : 8), start + size);
      }
      start += size;
    }
  };
  grow(0, movie.length);
  return bytes;
}
