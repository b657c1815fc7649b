import { Readable } from 'node:stream';
import { createSegmentCutter } from '@osprey/mpegts';
import type { Ffmpeg } from '../../base/ffmpeg/ffmpeg.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { getJson, programOfRun, readFileIndex, type StoredSegments } from '../index/file-index.ts';

/** Range of PTS in a stream, which has 33 bits. */
const WRAP = 2 ** 33;
/**
 * Maximum number of bytes read, for at most two groups of pictures; larger ones could not be decoded within the
 * decoder's time limit.
 */
const READ_MAX = 128 * 1024 * 1024;

export type FramePictureDeps = {
  storage: Pick<Storage, 'read' | 'stat'>;
  ffmpeg: Pick<Ffmpeg, 'available' | 'frameAt'>;
};

/**
 * A frame of a stored file: its sensor, the key of the original, the run of the clock, and the unwrapped PTS (90 kHz).
 */
export type StoredFrame = { sensorId: string; fileId: string; originalKey: string; run: number; pts: number };

/**
 * Decodes one frame of an original as JPEG in its own resolution. Null if the index contains no key frame before it, or
 * if no decoder is installed.
 *
 * @throws DecoderError if the decoder fails, or no frame has this PTS
 */
export async function framePicture(
  { storage, ffmpeg }: FramePictureDeps,
  { sensorId, fileId, originalKey, run, pts }: StoredFrame,
): Promise<Buffer | null> {
  const index = await readFileIndex(storage, sensorId, fileId);
  const program = index && programOfRun(index, run);
  if (!index?.segmentsKey || !index.packeting || !program || !ffmpeg.available()) return null;
  const { keyframes } = await getJson<StoredSegments>(storage, index.segmentsKey);
  const ofRun = keyframes.filter(([, , ofRun]) => ofRun === run);
  const first = ofRun.findLastIndex(([, ticks]) => ticks <= pts);
  const from = ofRun[first];
  if (from === undefined) return null;
  // Read one more group of pictures: pictures displayed before the next key frame may be stored after it, and refer to
  // it.
  const end = Math.min(ofRun[first + 2]?.[0] ?? index.sizeBytes, index.sizeBytes, from[0] + READ_MAX);
  const cutter = createSegmentCutter({ packeting: index.packeting, program });
  async function* cleaned(start: number) {
    for await (const bytes of storage.read(originalKey, { start, end })) yield Buffer.from(cutter.push(bytes));
    yield Buffer.from(cutter.end());
  }
  return ffmpeg.frameAt({ source: Readable.from(cleaned(from[0])), pts: ((pts % WRAP) + WRAP) % WRAP });
}
