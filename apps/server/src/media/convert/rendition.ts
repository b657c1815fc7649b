import { Readable } from 'node:stream';
import { createSegmentCutter, type Program, TICKS_PER_SECOND } from '@osprey/mpegts';
import { type ConversionOrder, DecoderError, type Ffmpeg } from '../../base/ffmpeg/ffmpeg.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { conversionOf } from '../index/conversion.ts';
import { type FileIndex, programsOf } from '../index/file-index.ts';
import { soundOf, withSound } from '../index/sound.ts';
import { clockRuns } from '../ingest/file-times.ts';

export type RenditionOptions = {
  storage: Pick<Storage, 'read'>;
  ffmpeg: Pick<Ffmpeg, 'transcode'>;
  originalKey: string;
  index: FileIndex;
  /** `none`: video only. */
  sound: 'converted' | 'none';
  signal: AbortSignal;
  /** Receives the progress in per cent. */
  progress: (percent: number) => void;
};

/** Maximum number of parts; a separate decoder is started for each. */
const PARTS_MAX = 100;

/** A part of the original in which the video is in the same stream. */
type Part = { n: number; program: Program; start: number; end: number; seconds: number };

/**
 * Yields the bytes of a rendition. A decoder cannot follow a video to another PID or codec, so each part is converted
 * separately, to different PIDs, so that the clock of the rendition has the same runs as that of the original.
 *
 * @throws DecoderError
 */
export async function* renditionOf(options: RenditionOptions): AsyncGenerator<Uint8Array> {
  const { index, progress } = options;
  const parts = partsOf(index);
  if (parts.length > PARTS_MAX) throw new DecoderError('The video moves to another stream too often.', '');
  for (const part of parts) {
    const share = (part.end - part.start) / index.sizeBytes;
    yield* converted(
      { ...options, progress: (percent) => progress((100 * part.start) / index.sizeBytes + percent * share) },
      part,
    );
  }
}

export const hasSound = (index: FileIndex): boolean => programsOf(index).some((program) => soundOf(program) !== null);

async function* converted(options: RenditionOptions, part: Part): AsyncGenerator<Uint8Array> {
  const { ffmpeg, index, signal, progress } = options;
  const conversion = conversionOf(index);
  const sound = options.sound === 'none' ? null : soundOf(part.program);
  const source = cleanStream(options, { ...part, program: withSound(part.program, sound) });
  // No decoding is needed, so this works without ffmpeg.
  if (conversion !== 'all' && options.sound === 'none') {
    yield* source;
    return;
  }
  yield* ffmpeg.transcode({
    source: Readable.from(source, { objectMode: false }),
    sourceBytes: part.end - part.start,
    durationSeconds: part.seconds,
    audio: audioOf(sound),
    video: conversion === 'sound' ? 'copy' : 'encode',
    part: part.n,
    signal,
    progress,
  });
}

function audioOf(sound: ReturnType<typeof soundOf>): ConversionOrder['audio'] {
  if (sound === null) return 'none';
  return sound.kind === 'aac' ? 'copy' : 'encode';
}

function partsOf(index: FileIndex): Part[] {
  const { program, moves = [], sizeBytes } = index;
  const begun = [{ run: 0, offset: 0, program }, ...moves];
  return begun.flatMap(({ run, offset, program }, n) => {
    const next = begun[n + 1];
    const own = clockRuns(index).filter((one) => one.run >= run && (next === undefined || one.run < next.run));
    const ticks = own.reduce((sum, { firstTicks, endTicks }) => sum + endTicks - firstTicks, 0);
    if (program === null) return [];
    return [{ n, program, start: offset, end: next?.offset ?? sizeBytes, seconds: ticks / TICKS_PER_SECOND }];
  });
}

/** Yields a part of the original as 188-byte packets of the displayed program. */
async function* cleanStream(
  { storage, originalKey, index }: RenditionOptions,
  { program, start, end }: Part,
): AsyncGenerator<Buffer> {
  if (!index.packeting) return;
  const cutter = createSegmentCutter({ packeting: index.packeting, program });
  for await (const bytes of storage.read(originalKey, { start, end })) yield Buffer.from(cutter.push(bytes));
  yield Buffer.from(cutter.end());
}
