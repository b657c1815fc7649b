import type { StoredFile } from '../../../base/storage/storage.ts';
import { type Box, boxAt, fullBoxReader, topBoxes } from './boxes.ts';
import { type FragmentSample, fragmentsOf } from './fragments.ts';
import { type Sample, samplesOf } from './samples.ts';
import { type Movie, type Mp4Track, readMovie } from './tracks.ts';

/** Maximum size of the tables; those of a ten-hour recording with 60 pictures per second are smaller. */
const MOOV_MAX_BYTES = 64 * 1024 * 1024;
/** Maximum number of data boxes that are listed. In a fragmented file, the box `moov` comes before the fragments. */
const DATA_MAX = 10_000;

export type Mp4File = {
  moov: Uint8Array;
  movie: Movie;
  head: Box | null;
  data: Box[];
};

/**
 * Reads the facts of an MP4 or MOV file from its boxes; null without `moov`, the table of contents that recorders write
 * at the end.
 *
 * @throws FormatError for malformed boxes
 */
export async function readMp4(source: StoredFile, nowUs: number): Promise<Mp4File | null> {
  let moovAt: Box | null = null;
  let head: Box | null = null;
  const data: Box[] = [];
  for await (const box of topBoxes(source)) {
    if (box.type === 'ftyp') head ??= box;
    if (box.type === 'moov') moovAt ??= box;
    if (box.type === 'mdat' && data.length < DATA_MAX) data.push(box);
    // Stop here: the rest of the file consists of fragments, which are read in sequence. `moov` comes before them.
    if (box.type === 'moof') break;
  }
  if (moovAt === null || moovAt.end - moovAt.start > MOOV_MAX_BYTES) return null;
  const moov = new Uint8Array(moovAt.end - moovAt.start);
  if ((await source.read(moov, moovAt.start)) < moov.length) return null;
  return { moov, movie: readMovie(moov, nowUs), head, data };
}

/**
 * Returns the duration of a fragmented file that states none: the time at which the last fragment of a track begins.
 */
export async function fragmentedSeconds(source: StoredFile, { moov, movie }: Mp4File): Promise<number> {
  const mehd = boxAt(moov, { body: 8, end: moov.length }, 'mvex', 'mehd');
  if (mehd && mehd.end - mehd.body >= 8) {
    const reader = fullBoxReader(moov, mehd);
    return (reader.version === 1 && reader.left() >= 8 ? reader.u64() : reader.u32()) / movie.timescale;
  }
  const lead = movie.tracks.find(({ handler }) => handler === 'vide');
  if (lead === undefined) return 0;
  let seconds = 0;
  for await (const found of fragmentsOf(source, { requested: [lead], lead, moov })) {
    if ('sample' in found) seconds = Math.max(seconds, found.sample.seconds + found.sample.durationSeconds);
  }
  return seconds;
}

/** Yields the samples of one track, wherever its tables are; ends at the first sample past the end of the file. */
export async function* trackSamples(source: StoredFile, file: Mp4File, track: Mp4Track): AsyncGenerator<Sample> {
  for await (const sample of listedSamples(source, file, track)) {
    if (!isComplete(source, sample)) return;
    yield sample;
  }
}

/**
 * Returns the offset of the first sample that is truncated with the file; null if all samples of these tracks are
 * complete.
 */
export async function cutAt(source: StoredFile, file: Mp4File, tracks: readonly Mp4Track[]): Promise<number | null> {
  if (!file.movie.isFragmented && !file.data.some(({ isCut }) => isCut)) return null;
  let at: number | null = null;
  for (const track of tracks) {
    for await (const sample of listedSamples(source, file, track)) {
      if (isComplete(source, sample)) continue;
      at = Math.min(at ?? source.sizeBytes, sample.offset);
      break;
    }
  }
  return at;
}

const isComplete = (source: StoredFile, { offset, sizeBytes }: Sample): boolean =>
  offset + sizeBytes <= source.sizeBytes;

async function* listedSamples(source: StoredFile, file: Mp4File, track: Mp4Track): AsyncGenerator<Sample> {
  yield* samplesOf(file.moov, track);
  if (!file.movie.isFragmented) return;
  for await (const found of fragmentsOf(source, { requested: [track], lead: null, moov: file.moov })) {
    if ('sample' in found) yield found.sample satisfies FragmentSample;
  }
}

/** Reads the bytes of a sample; null if it is too long to be metadata. */
export async function sampleBytes(source: StoredFile, sample: Pick<Sample, 'offset' | 'sizeBytes'>, mostBytes: number) {
  if (sample.sizeBytes > mostBytes) return null;
  const bytes = new Uint8Array(sample.sizeBytes);
  return (await source.read(bytes, sample.offset)) === bytes.length ? bytes : null;
}
