import { FormatError } from '@osprey/bytes';
import type { Box } from './boxes.ts';
import { fullBoxReader, viewOf } from './boxes.ts';
import { type Mp4Track, shownSeconds } from './tracks.ts';

/** One sample of a track: its position in the file, and when it is shown. */
export type Sample = {
  offset: number;
  sizeBytes: number /** Of the presentation. */;
  seconds: number;
  durationSeconds: number;
};

const SAMPLES_MAX = 50_000_000;

/**
 * Yields the samples of a track with tables in `moov` (ISO/IEC 14496-12, 8.6 and 8.7), in sequence. Composition offsets
 * are not read, since tracks of metadata and text have none.
 *
 * @throws FormatError for inconsistent tables
 */
export function* samplesOf(moov: Uint8Array, track: Mp4Track): Generator<Sample> {
  const { stts, stsc, stsz, chunks } = track.tables;
  if (!stts || !stsc || !stsz || !chunks) return;
  const sizes = sizesOf(moov, stsz);
  const times = timesOf(moov, stts);
  const places = chunksOf(moov, chunks);
  const spread = spreadOf(moov, stsc);
  let n = 0;
  let ticks = 0;
  for (let chunk = 0; chunk < places.count && n < sizes.count; chunk++) {
    let offset = places.at(chunk);
    const inChunk = spread(chunk);
    for (let k = 0; k < inChunk && n < sizes.count; k++, n++) {
      if (n === SAMPLES_MAX) throw new FormatError('Too many samples', stsz.start);
      const sizeBytes = sizes.at(n);
      const duration = times();
      const seconds = shownSeconds(track, ticks / track.timescale);
      if (seconds !== null) yield { offset, sizeBytes, seconds, durationSeconds: duration / track.timescale };
      offset += sizeBytes;
      ticks += duration;
    }
  }
}

function sizesOf(bytes: Uint8Array, box: Box) {
  const reader = fullBoxReader(bytes, box);
  const all = reader.u32();
  const count = reader.u32();
  const from = reader.at();
  if (all > 0) return { count, at: () => all };
  const view = viewOf(bytes);
  return { count: Math.min(count, (box.end - from) >> 2), at: (n: number) => view.getUint32(from + 4 * n) };
}

/**
 * Returns a function that returns the duration of the next sample at each call; after the end, it returns that of the
 * last one.
 */
function timesOf(bytes: Uint8Array, box: Box): () => number {
  const reader = fullBoxReader(bytes, box);
  let entries = reader.u32();
  let left = 0;
  let delta = 0;
  return () => {
    while (left === 0 && entries > 0 && reader.left() >= 8) {
      left = reader.u32();
      delta = reader.u32();
      entries -= 1;
    }
    left = Math.max(0, left - 1);
    return delta;
  };
}

/** Returns a function for the number of samples in each chunk; it must be called for the chunks in ascending order. */
function spreadOf(bytes: Uint8Array, box: Box): (chunk: number) => number {
  const reader = fullBoxReader(bytes, box);
  const entries = reader.u32();
  let read = 0;
  let count = 0;
  let next = entry();

  function entry(): { first: number; count: number } | null {
    if (read === entries || reader.left() < 12) return null;
    read += 1;
    const first = reader.u32() - 1;
    const samples = reader.u32();
    reader.skip(4);
    return { first, count: samples };
  }

  return (chunk) => {
    while (next !== null && next.first <= chunk) {
      count = next.count;
      next = entry();
    }
    return count;
  };
}

/** Reads the offsets of the chunks from `stco` or `co64`. */
export function chunksOf(bytes: Uint8Array, box: Box) {
  const reader = fullBoxReader(bytes, box);
  const size = box.type === 'co64' ? 8 : 4;
  const count = Math.min(reader.u32(), Math.floor(reader.left() / size));
  const from = reader.at();
  const view = viewOf(bytes);
  return {
    count,
    at: (n: number) => (size === 8 ? Number(view.getBigUint64(from + 8 * n)) : view.getUint32(from + 4 * n)),
  };
}
