/** Format that determines how the bytes of an item are converted to a value. */
export type TagFormat =
  /** Unsigned integer spread over min..max. */
  | 'uint'
  /** Two's complement integer spread over min..max. If the tag has an error marker, it is the lowest integer. */
  | 'int'
  /** Number mapped to an integer by IMAPB (MISB ST 1201). */
  | 'imapb'
  /** Microseconds since 1970, UTC. */
  | 'time'
  /** Unsigned integer with a meaning for each value, see `labels`. */
  | 'enum'
  /** Unsigned integer with a meaning for each bit, see `labels`. */
  | 'flags'
  | 'utf8'
  /** A nested local set. */
  | 'set'
  /** Several values in a fixed order. */
  | 'pack'
  | 'bytes';

/** Subject of an item, for grouping items on screen. */
export type TagGroup =
  | 'time'
  | 'platform'
  | 'sensor'
  | 'image'
  | 'target'
  | 'environment'
  | 'stores'
  | 'identity'
  | 'security'
  | 'other';

/** One item of a local set, as defined by its standard. */
export type TagInfo = {
  tag: number;
  name: string;
  /** Unit of the decoded value: °, m, m/s ...; null if it has none. */
  unit: string | null;
  format: TagFormat;
  /** Minimum and maximum length of the value, in bytes. A zero length is always allowed and means unknown. */
  minBytes: number;
  maxBytes: number;
  /** Range of the decoded value; null for texts, sets and packs. */
  min: number | null;
  max: number | null;
  /** Step between adjacent values at the usual length. */
  resolution: number | null;
  /** Raw integer, read as unsigned, that means "no value" or "out of range"; null if none is reserved. */
  errorValue: number | null;
  group: TagGroup;
  /** Labels of an enum by value, or of flags by bit. */
  labels: readonly string[] | null;
  /** Length in bytes that the encoder writes. */
  usualBytes: number;
  /**
   * Present if the encoder always writes this length, as the standard requires, although shorter items are also read.
   */
  isPadded?: true;
};

/** Properties of an item that follow from its format; tag, name and group come from its table row. */
export type TagShape = Omit<TagInfo, 'tag' | 'name' | 'group'>;

/** One row of a tag table: tag, name, group, shape. */
export type TagRow = readonly [tag: number, name: string, group: TagGroup, shape: TagShape];

type Spread = { bytes: number; min: number; max: number; unit: string };
type Lengths = { min: number; max: number };

const NONE = { unit: null, min: null, max: null, resolution: null, errorValue: null, labels: null } as const;

/**
 * Maximum length in bytes of a set or pack. This is no real limit, since a set is never longer than the packet that
 * contains it.
 */
const MAX_COMPOSITE_BYTES = 2 ** 31 - 1;

const SECOND_US = 1_000_000;

/** Start of the year 10000 in microseconds. Later times are not valid. */
export const END_OF_TIME_US = 253_402_300_800_000_000;
/**
 * The years 1990 and 2100 in nanoseconds, the other precision of ST 0603. Read as microseconds, both are beyond
 * END_OF_TIME_US.
 */
const NANOSECONDS = { first: 631_152_000e9, end: 4_102_444_800e9 } as const;

export const TIME_FAULTS = {
  nanoseconds: 'Time in nanoseconds, read as such',
  tooLate: 'Time after the year 9999',
} as const;

/**
 * Interprets a time stamp that is too large for microseconds. Returns the time in microseconds, null if it is not a
 * valid time, and the fault.
 */
export function largeTime(raw: number): { timeUs: number | null; fault: string } {
  if (raw >= NANOSECONDS.first && raw < NANOSECONDS.end)
    return { timeUs: Math.round(raw / 1000), fault: TIME_FAULTS.nanoseconds };
  return { timeUs: null, fault: TIME_FAULTS.tooLate };
}

/** Unsigned integer spread over min..max. */
export function uint({ bytes, min, max, unit }: Spread): TagShape {
  const resolution = (max - min) / (2 ** (8 * bytes) - 1);
  return { ...NONE, ...fixed(bytes), format: 'uint', unit, min, max, resolution };
}

/** Signed integer spread over min..max; the lowest integer is reserved as the error marker. */
export function int({ bytes, min, max, unit }: Spread): TagShape {
  const resolution = (max - min) / (2 ** (8 * bytes) - 2);
  return { ...NONE, ...fixed(bytes), format: 'int', unit, min, max, resolution, errorValue: 2 ** (8 * bytes - 1) };
}

/** An unsigned integer that is itself the value. */
export function count(bytes: number | Lengths, unit: string | null = null): TagShape {
  const lengths = typeof bytes === 'number' ? fixed(bytes) : variable(bytes);
  return { ...NONE, ...lengths, format: 'uint', unit, min: 0, max: 2 ** (8 * lengths.maxBytes) - 1, resolution: 1 };
}

/** Like `count`, for items for which the standard defines one length but shorter ones are also read. */
export function paddedCount(bytes: number, unit: string | null = null): TagShape {
  return { ...count({ min: 1, max: bytes }, unit), isPadded: true };
}

/** A signed integer that is itself the value. */
export function signedCount(bytes: Lengths, unit: string | null = null): TagShape {
  const max = Math.min(2 ** (8 * bytes.max - 1) - 1, Number.MAX_SAFE_INTEGER);
  return { ...NONE, ...variable(bytes), format: 'int', unit, min: -max - 1, max, resolution: 1 };
}

/** One byte whose value is an index of `labels`. */
export function enumeration(labels: readonly string[]): TagShape {
  return { ...NONE, ...fixed(1), format: 'enum', min: 0, max: 255, resolution: 1, labels };
}

/** One byte in which each bit is one of `labels`. */
export function flags(labels: readonly string[]): TagShape {
  return { ...NONE, ...fixed(1), format: 'flags', min: 0, max: 255, resolution: 1, labels };
}

/** A number written as IMAPB for the range min..max in `bytes` bytes; other lengths up to `maxBytes` are also read. */
export function imapb(shape: Spread & { maxBytes: number }): TagShape {
  const { bytes, min, max, unit, maxBytes } = shape;
  // ST 1201 section 8.1: the step is the smallest power of two with which all of min..max fits in 8L - 1 bits, where L
  // is the length in bytes.
  const resolution = 2 ** (Math.ceil(Math.log2(max - min)) - 8 * bytes + 1);
  return { ...NONE, format: 'imapb', unit, min, max, resolution, minBytes: 1, maxBytes, usualBytes: bytes };
}

/** UTF-8 text of at most `maxBytes` bytes. */
export function utf8(maxBytes = 127): TagShape {
  return { ...NONE, format: 'utf8', minBytes: 1, maxBytes, usualBytes: maxBytes };
}

/** Microseconds since 1970, in `min` to 8 bytes. */
export function time(min = 8): TagShape {
  const range = { unit: 'µs', min: 0, max: END_OF_TIME_US - SECOND_US, resolution: 1 };
  return { ...NONE, ...range, format: 'time', minBytes: min, maxBytes: 8, usualBytes: 8 };
}

/** A set, a pack, or bytes that are returned unchanged. */
export function composite(format: 'set' | 'pack' | 'bytes'): TagShape {
  return { ...NONE, format, minBytes: 1, maxBytes: MAX_COMPOSITE_BYTES, usualBytes: 0 };
}

/** Builds the table of a standard's items, by tag. */
export function tagTable(rows: readonly TagRow[]): ReadonlyMap<number, TagInfo> {
  return new Map(rows.map(([tag, name, group, shape]) => [tag, { tag, name, group, ...shape }]));
}

const fixed = (bytes: number) => ({ minBytes: bytes, maxBytes: bytes, usualBytes: bytes });
const variable = ({ min, max }: Lengths) => ({ minBytes: min, maxBytes: max, usualBytes: max });
