import { FormatError } from '@osprey/bytes';
import { Cursor, readInt, readUint, readUtf8 } from './cursor.ts';
import { decodeImapb } from './imapb.ts';
import { END_OF_TIME_US, largeTime, type TagInfo } from './tag-info.ts';
import { addError, addFault, type KlvFault, type Value, type Values } from './value.ts';

/** Sets within sets deeper than this are not read; real ones stay below 6. */
export const MAX_DEPTH = 16;

/** State while one packet is read. */
export type Reading = {
  faults: KlvFault[];
  /** How many sets enclose the one being read. */
  depth: number;
  carried: Carried;
};

/** Values of one packet that later packets need. */
export type Carried = {
  /** ST 0903 tag 4 of the last VMTI set that gave it. */
  vmtiVersion: number | null;
};

/** The state at the beginning of a packet. */
export function newReading(faults: KlvFault[], carried: Carried = { vmtiVersion: null }): Reading {
  return { faults, depth: 0, carried };
}

/** Reads the value of one composite item, all of it; throws FormatError where it breaks its form. */
export type CompositeReader = (cursor: Cursor, reading: Reading) => Value;

/** A kind of local set: its items, how its composite ones are read, which may come more than once. */
export type SetDefinition = {
  tags: ReadonlyMap<number, TagInfo>;
  composites: Readonly<Record<number, CompositeReader>>;
  repeatable?: ReadonlySet<number>;
};

/**
 * Decodes the items of a local set in bytes[start, end).
 *
 * If a tag occurs twice, the last item counts, and a fault says so; repeatable tags come as arrays. Items of a wrong
 * length are faults and give no value. Items of unknown tags come as bytes. Bytes after an item that reaches past the
 * set are lost, and a fault.
 */
export function decodeSet(
  definition: SetDefinition,
  bytes: Uint8Array,
  range: { start: number; end: number },
  reading: Reading,
): Values {
  const values: Values = {};
  eachItem(bytes, range, reading.faults, (tag, start, end) => {
    const value = decodeItem(definition, tag, { bytes, start, end }, reading);
    if (value === undefined) return;
    const before = values[tag];
    if (definition.repeatable?.has(tag)) {
      if (Array.isArray(before)) before.push(value);
      else values[tag] = [value];
      return;
    }
    if (before !== undefined && definition.tags.has(tag)) {
      addFault(reading.faults, tag, start, 'Given more than once; the last one counts');
    }
    values[tag] = value;
  });
  return values;
}

/** Calls `visit` with tag and value bounds of each item in the range; stops at an item that does not fit. */
export function eachItem(
  bytes: Uint8Array,
  range: { start: number; end: number },
  faults: KlvFault[],
  visit: (tag: number, start: number, end: number) => void,
): void {
  const cursor = new Cursor(bytes, range.start, range.end);
  while (cursor.left > 0) {
    let tag: number | null = null;
    let start: number;
    try {
      tag = cursor.berOid();
      const length = cursor.berLength();
      start = cursor.take(length);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      addError(faults, tag, error);
      return;
    }
    visit(tag, start, cursor.at);
  }
}

/** The value of one item; undefined where it is a fault. */
export function decodeItem(
  definition: SetDefinition,
  tag: number,
  { bytes, start, end }: { bytes: Uint8Array; start: number; end: number },
  reading: Reading,
): Value | undefined {
  if (start === end) return null;
  const info = definition.tags.get(tag);
  if (info !== undefined && (end - start < info.minBytes || end - start > info.maxBytes)) {
    addFault(reading.faults, tag, start, wrongLength(info, end - start));
    return undefined;
  }
  const composite = definition.composites[tag];
  if (composite !== undefined) return decodeComposite(composite, tag, new Cursor(bytes, start, end), reading);
  if (info === undefined) return bytes.slice(start, end);
  return decodeSimple(info, bytes, start, end, reading.faults);
}

/** Text about a wrong length: "4 bytes instead of 2" and the like. */
export function wrongLength({ minBytes, maxBytes }: TagInfo, length: number): string {
  const expected = minBytes === maxBytes ? `${minBytes}` : `${minBytes} to ${maxBytes}`;
  return `${length} ${length === 1 ? 'byte' : 'bytes'} instead of ${expected}`;
}

function decodeComposite(read: CompositeReader, tag: number, cursor: Cursor, reading: Reading): Value | undefined {
  const { at } = cursor;
  if (reading.depth >= MAX_DEPTH) {
    addFault(reading.faults, tag, at, `Sets lie more than ${MAX_DEPTH} deep`);
    return undefined;
  }
  try {
    return read(cursor, { ...reading, depth: reading.depth + 1 });
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    addError(reading.faults, tag, error);
    return undefined;
  }
}

function decodeSimple(info: TagInfo, bytes: Uint8Array, start: number, end: number, faults: KlvFault[]): Value {
  switch (info.format) {
    case 'utf8':
      return readUtf8(bytes, start, end);
    case 'imapb': {
      const value = decodeImapb(bytes, start, end - start, info.min ?? 0, info.max ?? 0);
      return Number.isFinite(value) ? value : null;
    }
    case 'time': {
      const raw = readUint(bytes, start, end);
      if (raw < END_OF_TIME_US) return raw;
      const { timeUs, fault } = largeTime(raw);
      addFault(faults, info.tag, start, fault);
      return timeUs;
    }
    case 'int':
      return scaleInt(info, readInt(bytes, start, end));
    case 'uint':
    case 'enum':
    case 'flags':
      return scaleUint(info, readUint(bytes, start, end));
    default:
      return bytes.slice(start, end);
  }
}

function scaleInt(info: TagInfo, raw: number): number | null {
  if (info.errorValue === null) return raw;
  // The marker is kept as an unsigned integer: half of the span, which is the lowest signed one.
  return raw === -info.errorValue ? null : raw * (info.resolution ?? 1);
}

function scaleUint(info: TagInfo, raw: number): number {
  return raw * (info.resolution ?? 1) + (info.min ?? 0);
}
