import { close, createReadStream } from 'node:fs';
import type { RingSegment } from '../../recorder-wire/protocol.ts';
import type { RingHistory } from '../components.ts';
import type { RingFiles } from './ring-files.ts';
import type { CutPart } from './segmenter.ts';

const READ_BYTES = 256 * 1024;

/** A segment of the ring with its state in memory. */
export type Entry = {
  segment: RingSegment;
  /**
   * PAT and PMT that the ring inserted at the start of the segment; null for a segment written by an earlier recorder,
   * where they are unknown.
   */
  tables: Buffer | null;
  /** Parts that have been cut but not yet written to disk. */
  queued: CutPart[];
  /** True when the segment was dropped with the history; its data is then neither written nor announced. */
  isGone: boolean;
};

type Piece = Buffer | { descriptor: number; start: number; end: number };

type Requested = {
  /** Segments, oldest first. The last one is still open: later parts are added to it. */
  entries: readonly Entry[];
  seconds: number;
  files: Pick<RingFiles, 'openNow'>;
  /** Bytes received since the last part was cut. */
  rest: Buffer;
};

/**
 * Returns the most recent part of the ring, up to the present moment. Opens its files before any await, so that they
 * stay readable after the ring removes them.
 */
export function historyOf({ entries, seconds, files, rest }: Requested): RingHistory | null {
  const requested = lastOf(entries, seconds);
  const tables = requested[0]?.tables;
  if (!requested[0] || !tables) return null;
  const pieces = [...requested.flatMap((entry) => piecesOf(entry, files)), Buffer.from(rest)];
  return {
    startUs: requested[0].segment.startUs,
    tables,
    async *read() {
      for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
        if (Buffer.isBuffer(piece)) {
          if (piece.length > 0) yield piece;
        } else yield* bytesOf(piece);
      }
    },
    close() {
      for (const piece of pieces.splice(0)) if (!Buffer.isBuffer(piece)) close(piece.descriptor);
    },
  };
}

function lastOf(entries: readonly Entry[], seconds: number): Entry[] {
  let first = entries.length - 1;
  // Unwritten parts of the open segment are not counted, so one segment too many may be returned, but never one too
  // few.
  let length = 0;
  while (first > 0 && !entries[first]!.segment.discontinuity && entries[first - 1]!.tables !== null) {
    length += entries[first]!.segment.durationSeconds;
    if (length >= seconds) break;
    first -= 1;
  }
  return entries.slice(Math.max(0, first));
}

function piecesOf({ segment, tables, queued }: Entry, files: Pick<RingFiles, 'openNow'>): Piece[] {
  const skip = tables?.length ?? 0;
  const [head, ...more] = queued.map(({ bytes }) => bytes);
  if (segment.sizeBytes === 0) return head ? [head.subarray(skip), ...more] : [];
  const written = { descriptor: files.openNow(segment.n), start: skip, end: segment.sizeBytes };
  return head ? [written, head, ...more] : [written];
}

const bytesOf = ({ descriptor, start, end }: Exclude<Piece, Buffer>): AsyncIterable<Buffer> =>
  createReadStream('', { fd: descriptor, start, end: end - 1, highWaterMark: READ_BYTES });
