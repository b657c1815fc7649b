import type { TagInfo } from '@osprey/klv';
import { aligned, type ColumnHeader } from './format.ts';

/** One column of a block before packing. Absent values are NaN, null or -1, depending on the kind of column. */
export type Column =
  | { key: string; values: Float64Array; info: TagInfo | null }
  | { key: string; texts: (string | null)[] }
  | { key: string; indexes: Int32Array; parts: Uint8Array[] };

type Packed = { header: ColumnHeader; bytes: Uint8Array };

/** Encodes the header and the columns of one block. The length of the result is a multiple of 8 bytes. */
export function blockBytes(rows: number, columns: readonly Column[]): Uint8Array {
  const packed: Packed[] = [];
  let at = 0;
  for (const column of columns) {
    const next = packColumn(column, at);
    packed.push(next);
    at += next.bytes.byteLength;
  }
  const header = new TextEncoder().encode(JSON.stringify({ rows, columns: packed.map((one) => one.header) }));
  const start = aligned(4 + header.byteLength);
  const block = new Uint8Array(start + at);
  new DataView(block.buffer).setUint32(0, header.byteLength, true);
  block.set(header, 4);
  let target = start;
  for (const { bytes } of packed) {
    block.set(bytes, target);
    target += bytes.byteLength;
  }
  return block;
}

function packColumn(column: Column, at: number): Packed {
  if ('texts' in column) return packTexts(column, at);
  if ('parts' in column) return packParts(column, at);
  return packNumbers(column, at);
}

function packNumbers(
  { key, values, info }: { key: string; values: Float64Array; info: TagInfo | null },
  at: number,
): Packed {
  const { count, first, isSame } = lookOver(values);
  const presence = count === values.length ? null : presenceOf(values.length, (row) => !Number.isNaN(values[row]!));
  const mask = presence === null ? null : at;
  if (isSame) return { header: { key, mask, kind: 'same', value: first }, bytes: presence ?? new Uint8Array() };
  const start = at + (presence?.byteLength ?? 0);
  const whole = info && integersOf(values, info);
  if (whole) {
    const { kind, integers, min, step } = whole;
    return { header: { key, mask, kind, at: start, min, step }, bytes: joined(presence, integers) };
  }
  return { header: { key, mask, kind: 'f64', at: start }, bytes: joined(presence, values) };
}

/** Summarizes all values in a single pass, since a recording of an hour has millions of them. */
function lookOver(values: Float64Array) {
  let count = 0;
  let first = 0;
  let isSame = true;
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row]!;
    if (Number.isNaN(value)) continue;
    if (count === 0) first = value;
    else if (value !== first) isSame = false;
    count += 1;
  }
  return { count, first, isSame };
}

const integerKinds = [
  { bytes: 1, kind: 'u8', array: Uint8Array },
  { bytes: 2, kind: 'u16', array: Uint16Array },
  { bytes: 4, kind: 'u32', array: Uint32Array },
] as const;

/**
 * Converts values to the integers defined by the standard for this item. Returns null if any value does not correspond
 * to an integer.
 */
function integersOf(values: Float64Array, { min, resolution, usualBytes }: TagInfo) {
  const shape = integerKinds.find(({ bytes }) => bytes === usualBytes);
  if (shape === undefined || min === null || resolution === null) return null;
  const integers = new shape.array(values.length);
  const limit = 2 ** (8 * shape.bytes) - 1;
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row]!;
    if (Number.isNaN(value)) continue;
    const steps = (value - min) / resolution;
    const whole = Math.round(steps);
    if (whole < 0 || whole > limit || Math.abs(steps - whole) > 1e-3) return null;
    integers[row] = whole;
  }
  return { kind: shape.kind, integers, min, step: resolution };
}

function packTexts({ key, texts }: { key: string; texts: (string | null)[] }, at: number): Packed {
  const places = new Map<string, number>();
  const indexes = new Uint16Array(texts.length);
  let count = 0;
  let last: string | null = null;
  let place = 0;
  for (let row = 0; row < texts.length; row += 1) {
    const text = texts[row]!;
    if (text === null) continue;
    count += 1;
    if (text !== last) {
      place = places.get(text) ?? places.size;
      places.set(text, place);
      last = text;
    }
    indexes[row] = place;
  }
  const presence = count === texts.length ? null : presenceOf(texts.length, (row) => texts[row] !== null);
  const mask = presence === null ? null : at;
  const words = [...places.keys()];
  if (words.length <= 1) {
    return { header: { key, mask, kind: 'same', value: words[0] ?? '' }, bytes: presence ?? new Uint8Array() };
  }
  const start = at + (presence?.byteLength ?? 0);
  return { header: { key, mask, kind: 'text', at: start, words }, bytes: joined(presence, indexes) };
}

function packParts(
  { key, indexes, parts }: { key: string; indexes: Int32Array; parts: Uint8Array[] },
  at: number,
): Packed {
  const places = new Uint16Array(indexes.length);
  let count = 0;
  for (let row = 0; row < indexes.length; row += 1) {
    if (indexes[row]! < 0) continue;
    places[row] = indexes[row]!;
    count += 1;
  }
  const presence = count === indexes.length ? null : presenceOf(indexes.length, (row) => indexes[row]! >= 0);
  const start = at + (presence?.byteLength ?? 0);
  const partsAt = start + aligned(places.byteLength);
  let length = 0;
  const ends = parts.map((part) => {
    length += part.byteLength;
    return length;
  });
  const bytes = new Uint8Array(length);
  parts.forEach((part, index) => {
    bytes.set(part, ends[index]! - part.byteLength);
  });
  const header: ColumnHeader = { key, mask: presence === null ? null : at, kind: 'raw', at: start, partsAt, ends };
  return { header, bytes: joined(joined(presence, places), bytes) };
}

/** Builds a presence bitmap with one bit per row, lowest bit first. */
function presenceOf(rows: number, isThere: (row: number) => boolean): Uint8Array {
  const bits = new Uint8Array(aligned(Math.ceil(rows / 8)));
  for (let row = 0; row < rows; row += 1) if (isThere(row)) bits[row >> 3]! |= 1 << (row & 7);
  return bits;
}

/** Joins two arrays, each padded to a multiple of 8 bytes. */
function joined(first: Uint8Array | null, second: ArrayBufferView): Uint8Array {
  const start = first?.byteLength ?? 0;
  const bytes = new Uint8Array(start + aligned(second.byteLength));
  if (first) bytes.set(first, 0);
  bytes.set(new Uint8Array(second.buffer, second.byteOffset, second.byteLength), start);
  return bytes;
}
