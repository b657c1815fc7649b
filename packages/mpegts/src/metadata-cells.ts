import { type Budget, createGrowingBuffer } from './growing-buffer.ts';
import { KLV_LIMIT, type RawKlv } from './raw-klv.ts';
import { isKlvStart } from './universal-label.ts';

/**
 * Size of the header of a metadata AU cell: service id, sequence number, flags, 16 bits of length (ISO/IEC 13818-1,
 * 2.12.4.2).
 */
export const CELL_HEAD = 5;

/** Values of cell_fragment_indication (table 2-98), which is the top two bits of the flags. */
export const FRAGMENT = { middle: 0, last: 1, first: 2, complete: 3 } as const;

/** Reads the metadata access unit cells in PES payloads, and joins units that are split across several cells. */
export type MetadataCells = {
  /** Reads a payload; false if it contains no cells. `strict` requires that cells fill it to the last byte. */
  read(bytes: Uint8Array, start: number, end: number, from: { pts: number; offset: number; strict: boolean }): boolean;
  /** Drops the incomplete unit, since packets are missing. */
  lose(): void;
};

type Options = {
  budget: Budget;
  onPayload(payload: RawKlv): void;
  onFault(kind: 'brokenCells', offset: number): void;
};

/** Creates the reader of one stream. */
export function createMetadataCells({ budget, onPayload, onFault }: Options): MetadataCells {
  const joined = createGrowingBuffer(KLV_LIMIT, budget);
  const payload: RawKlv = { bytes: new Uint8Array(0), start: 0, end: 0, pts: -1, offset: 0, sync: true };
  let open = false;
  let sequence = 0;
  let firstPts = -1;
  let firstOffset = 0;

  function read(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: { pts: number; offset: number; strict: boolean },
  ): boolean {
    if (from.strict && !areCells(bytes, start, end)) return false;
    let at = start;
    while (at + CELL_HEAD <= end) {
      const next = at + CELL_HEAD + ((bytes[at + 3]! << 8) | bytes[at + 4]!);
      if (next > end) {
        lose();
        onFault('brokenCells', from.offset);
        return true;
      }
      readCell(bytes, at, next, from.pts, from.offset);
      at = next;
    }
    return at > start;
  }

  function readCell(bytes: Uint8Array, at: number, end: number, pts: number, offset: number) {
    const start = at + CELL_HEAD;
    const number = bytes[at + 1]!;
    const fragment = bytes[at + 2]! >> 6;
    // Some encoders mark complete cells as continuations.
    const isComplete =
      fragment === FRAGMENT.complete || (!open && fragment !== FRAGMENT.first && isKlvStart(bytes, start, end));
    if (isComplete || fragment === FRAGMENT.first) lose();
    if (isComplete) return deliver(bytes, start, end, pts, offset);
    if (fragment === FRAGMENT.first) {
      open = true;
      firstPts = pts;
      firstOffset = offset;
    } else if (!open || !(number === sequence || number === ((sequence + 1) & 0xff))) {
      // The first part, or one in between, is missing. An unchanged sequence number is not a gap: some encoders do not
      // count cells, and others use one number for all cells of a set.
      if (!open) onFault('brokenCells', offset);
      return lose();
    }
    sequence = number;
    if (!joined.append(bytes, start, end)) return lose();
    if (fragment !== FRAGMENT.last) return;
    open = false;
    deliver(joined.bytes(), 0, joined.length(), firstPts, firstOffset);
    joined.clear();
  }

  function deliver(bytes: Uint8Array, start: number, end: number, pts: number, offset: number) {
    payload.bytes = bytes;
    payload.start = start;
    payload.end = end;
    payload.pts = pts;
    payload.offset = offset;
    onPayload(payload);
  }

  function lose() {
    if (open) onFault('brokenCells', firstOffset);
    open = false;
    joined.clear();
  }

  return { read, lose };
}

function areCells(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at + CELL_HEAD <= end) at += CELL_HEAD + ((bytes[at + 3]! << 8) | bytes[at + 4]!);
  return at === end && at > start;
}
