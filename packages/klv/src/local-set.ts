import { FormatError } from '@osprey/bytes';
import { Cursor, readInt, readUint, readUtf8 } from './cursor.ts';
import { decodeImapb } from './imapb.ts';
import { END_OF_TIME_US, largeTime, type TagInfo } from './tag-info.ts';
import { addError, addFault, type KlvFault, type Value, type Values } from './value.ts';

/** Maximum nesting depth of sets that is read; real sets stay below 6. */
export const MAX_DEPTH = 16;

/** State while one packet is being read. */
export type Reading = {
  faults: KlvFault[];
  /** Number of sets that enclose the one being read. */
  depth: number;
  carried: Carried;
};

/** Values of a packet that are needed for reading later packets. */
export type Carried = {
  /** ST 0903 version (tag 4) of the last VMTI set that contained one. */
  vmtiVersion: number | null;
};

/** Returns the state at the beginning of a packet. */
export function newReading(faults: KlvFault[], carried: Carried = { vmtiVersion: null }): Reading {
  return { faults, depth: 0, carried };
}

/** Reads the whole value of one composite item; throws FormatError if the value is malformed. */
export type CompositeReader = (cursor: Cursor, reading: Reading) => Value;

/**
 * Definition of a kind of local set: its items, the readers of its composite items, and the tags that may occur more
 * than once.
 */
export type SetDefinition = {
  tags: ReadonlyMap<number, TagInfo>;
  composites: Readonly<Record<number, CompositeReader>>;
  repeatable?: ReadonlySet<number>;
};

/**
 * Decodes the items of a local set in bytes[start, end).
 *
 * If a tag occurs twice, the last item is used and a fault is reported; the values of repeatable tags are arrays. An
 * item of the wrong length is a fault and has no value. The values of unknown tags are bytes. If an item extends past
 * the set, a fault is reported and the bytes from there on are ignored.
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

/**
 * Calls `visit` with the tag and the bounds of the value of each item in the range; stops at an item that extends past
 * the range.
 */
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

/** Returns the value of one item; undefined if the item is faulty. */
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

/** Returns a message about a wrong length, such as "4 bytes instead of 2". */
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
  // The error marker is stored as an unsigned integer, 2^(bits - 1), which as a signed integer is the lowest value.
  return raw === -info.errorValue ? null : raw * (info.resolution ?? 1);
}

function scaleUint(info: TagInfo, raw: number): number {
  return raw * (info.resolution ?? 1) + (info.min ?? 0);
}
