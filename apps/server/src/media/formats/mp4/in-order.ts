import type { Storage } from '../../../base/storage/storage.ts';
import { type Box, boxesIn, viewOf } from './boxes.ts';
import { chunksOf } from './samples.ts';

/** The parts of a file that a decoder needs, and the requested tracks. */
export type Mp4Parts = { moov: Uint8Array; head: Box | null; data: readonly Box[]; tracks: ReadonlySet<number> };

const LARGE_HEAD = 16;
/** Boxes that contain other boxes, down to the chunk tables. */
const PARENTS = new Set(['trak', 'mdia', 'minf', 'stbl', 'edts']);

/**
 * Yields the bytes of a file in an order that can be read from a pipe: `ftyp`, `moov` with only the requested tracks,
 * then the data. Chunk offsets are adapted, with 64 bits, and the rest of the file is left out. Chunks outside of the
 * data, as in a truncated file, point past its end.
 */
export async function* inOrder(
  storage: Pick<Storage, 'read'>,
  key: string,
  parts: Mp4Parts,
): AsyncGenerator<Uint8Array> {
  const { head, data } = parts;
  const headBytes = head ? head.end - head.start : 0;
  // The size of `moov` does not depend on the values of the offsets, so it can be computed first.
  const moovBytes = rebuilt(parts, () => 0).length;
  const starts: number[] = [];
  let at = headBytes + moovBytes;
  for (const { body, end } of data) {
    starts.push(at + LARGE_HEAD - body);
    at += LARGE_HEAD + end - body;
  }
  const fileEnd = at;
  const moov = rebuilt(parts, (offset) => {
    const n = data.findIndex(({ body, end }) => offset >= body && offset < end);
    return n < 0 ? fileEnd : offset + starts[n]!;
  });
  if (head) yield* storage.read(key, { start: head.start, end: head.end }) as AsyncIterable<Uint8Array>;
  yield moov;
  for (const { body, end } of data) {
    yield largeHead('mdat', LARGE_HEAD + end - body);
    yield* storage.read(key, { start: body, end }) as AsyncIterable<Uint8Array>;
  }
}

function rebuilt({ moov, tracks }: Mp4Parts, place: (offset: number) => number): Uint8Array {
  const body = viewOf(moov).getUint32(0) === 1 ? LARGE_HEAD : 8;
  const parts: Uint8Array[] = [];
  for (const one of boxesIn(moov, body, moov.length)) {
    if (one.type === 'mvhd') parts.push(moov.subarray(one.start, one.end));
    if (one.type === 'trak' && tracks.has(one.start)) parts.push(withPlaces(moov, one, place));
  }
  return boxOf('moov', parts);
}

function withPlaces(bytes: Uint8Array, box: Box, place: (offset: number) => number): Uint8Array {
  if (box.type === 'stco' || box.type === 'co64') return largeChunks(bytes, box, place);
  if (!PARENTS.has(box.type)) return bytes.subarray(box.start, box.end);
  const parts: Uint8Array[] = [];
  for (const one of boxesIn(bytes, box.body, box.end)) parts.push(withPlaces(bytes, one, place));
  return boxOf(box.type, parts);
}

function largeChunks(bytes: Uint8Array, box: Box, place: (offset: number) => number): Uint8Array {
  const chunks = chunksOf(bytes, box);
  const content = new Uint8Array(8 + 8 * chunks.count);
  const view = viewOf(content);
  view.setUint32(4, chunks.count);
  for (let n = 0; n < chunks.count; n++) view.setBigUint64(8 + 8 * n, BigInt(place(chunks.at(n))));
  return boxOf('co64', [content]);
}

function boxOf(type: string, parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, part) => sum + part.length, 8);
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32BE(size, 0);
  bytes.write(type, 4, 'latin1');
  let at = 8;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function largeHead(type: string, size: number): Uint8Array {
  const bytes = Buffer.alloc(LARGE_HEAD);
  bytes.writeUInt32BE(1, 0);
  bytes.write(type, 4, 'latin1');
  bytes.writeBigUInt64BE(BigInt(size), 8);
  return bytes;
}
