import { FormatError } from '@osprey/bytes';
import type { StoredFile } from '../../../base/storage/storage.ts';

/** A box of ISO/IEC 14496-12, 4.2: start of the box, start of its content, and their common end. */
export type Box = {
  type: string;
  start: number;
  body: number;
  end: number /** The file ends before it does. */;
  isCut?: true;
};

/** Maximum number of boxes; a file with ten fragments per second has fewer in a day. */
const BOXES_MAX = 4_000_000;
const HEAD = 16;
/** Number of bytes read at a time, so that small consecutive boxes are read together. */
const WINDOW_BYTES = 64 * 1024;

/**
 * Yields the top-level boxes of a file without reading their contents. Ends before a truncated or invalid box; a
 * truncated data box (`mdat`) extends to the end of the file.
 */
export async function* topBoxes(source: StoredFile): AsyncGenerator<Box> {
  const heads = windowOf(source);
  let at = 0;
  for (let count = 0; at + 8 <= source.sizeBytes && count < BOXES_MAX; count++) {
    const head = await heads(at);
    const found = readBox(head, 0, { base: at, end: source.sizeBytes });
    if (found === null) {
      const isData = head.length >= 8 && typeAt(head, 0) === 'mdat';
      if (isData)
        yield {
          type: 'mdat',
          start: at,
          body: Math.min(source.sizeBytes, at + sizeOfHead(head)),
          end: source.sizeBytes,
          isCut: true,
        };
      return;
    }
    yield found;
    at = found.end;
  }
}

/** Returns a function that reads the header of a box, if possible from the bytes read last. */
function windowOf(source: StoredFile): (at: number) => Promise<Uint8Array> {
  const bytes = new Uint8Array(WINDOW_BYTES);
  let [from, to] = [0, 0];
  return async (at) => {
    const isWithin = at >= from && at + HEAD <= to;
    if (!isWithin) {
      const isNear = at >= from && at < to + HEAD;
      // After a large box, only the header of the next box is read.
      to = at + (await source.read(isNear || at === 0 ? bytes : bytes.subarray(0, HEAD), at));
      from = at;
    }
    return bytes.subarray(at - from, Math.min(at - from + HEAD, to - from));
  };
}

const typeAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at + 4, at + 8));
const sizeOfHead = (bytes: Uint8Array): number => (viewOf(bytes).getUint32(0) === 1 ? HEAD : 8);

/** Yields the boxes in [start, end) of bytes in memory; ends at a box that does not fit. */
export function* boxesIn(bytes: Uint8Array, start: number, end: number): Generator<Box> {
  for (let at = start; at + 8 <= end; ) {
    const found = readBox(bytes, at, { base: 0, end });
    if (found === null) return;
    yield found;
    at = found.end;
  }
}

/**
 * Reads the box at `at`; null if there is no valid box.
 *
 * @param limits `base` is added to each offset; a box of size 0 extends to `end`, and no box may extend past it
 */
function readBox(bytes: Uint8Array, at: number, { base, end }: { base: number; end: number }): Box | null {
  if (at + 8 > bytes.length) return null;
  const view = viewOf(bytes);
  const size = view.getUint32(at);
  const type = typeAt(bytes, at);
  const start = base + at;
  if (size === 0) return { type, start, body: start + 8, end };
  if (size !== 1) return size < 8 || start + size > end ? null : { type, start, body: start + 8, end: start + size };
  if (at + HEAD > bytes.length) return null;
  const large = view.getUint32(at + 8) * 2 ** 32 + view.getUint32(at + 12);
  return large < HEAD || start + large > end ? null : { type, start, body: start + HEAD, end: start + large };
}

/** Finds the first box along a path of box types; null if one of them is missing. */
export function boxAt(bytes: Uint8Array, parent: Pick<Box, 'body' | 'end'>, ...path: readonly string[]): Box | null {
  let inside = parent;
  let found: Box | null = null;
  for (const type of path) {
    found = null;
    for (const one of boxesIn(bytes, inside.body, inside.end)) {
      if (one.type !== type) continue;
      found = one;
      break;
    }
    if (found === null) return null;
    inside = found;
  }
  return found;
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads the numbers of one box in sequence, never beyond its end. */
export type BoxReader = {
  u8: () => number;
  u16: () => number;
  i16: () => number;
  u32: () => number;
  i32: () => number;
  /** Numbers above 2 ** 53 lose precision. */
  u64: () => number;
  i64: () => number;
  fourcc: () => string;
  skip: (count: number) => void;
  left: () => number;
  at: () => number;
};

/** Reads numbers from a box. @throws FormatError at the end of the box */
export function boxReader(bytes: Uint8Array, start: number, end: number): BoxReader {
  const view = viewOf(bytes);
  let at = start;
  function advance(count: number): number {
    if (at + count > end) throw new FormatError('Box cut short', at);
    at += count;
    return at - count;
  }
  const u32 = () => view.getUint32(advance(4));
  return {
    u8: () => view.getUint8(advance(1)),
    u16: () => view.getUint16(advance(2)),
    i16: () => view.getInt16(advance(2)),
    u32,
    i32: () => view.getInt32(advance(4)),
    u64: () => Number(view.getBigUint64(advance(8))),
    i64: () => Number(view.getBigInt64(advance(8))),
    fourcc: () => String.fromCharCode(...bytes.subarray(advance(4), at)),
    skip: (count) => void advance(count),
    left: () => end - at,
    at: () => at,
  };
}

/** Reads version and flags of a full box (4.2); returns them with a reader for the rest. */
export function fullBoxReader(bytes: Uint8Array, box: Pick<Box, 'body' | 'end'>) {
  const reader = boxReader(bytes, box.body, box.end);
  const word = reader.u32();
  return Object.assign(reader, { version: word >>> 24, flags: word & 0xffffff });
}
