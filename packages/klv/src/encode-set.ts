import { ByteWriter } from './byte-writer.ts';
import { encodeItem } from './encode-item.ts';
import type { TagInfo } from './tag-info.ts';
import { isValues, type Value, type Values } from './value.ts';

/** Values to encode, in the form that `decodePacket` returns; undefined items are omitted. */
export type EncodeValues = { [tag: string]: Value | undefined };

/** Encodes the value of one composite item; throws RangeError if the value does not have the required form. */
export type CompositeWriter = (value: Value) => Uint8Array;

/** Encoding of a kind of local set. */
export type SetEncoding = {
  tags: ReadonlyMap<number, TagInfo>;
  writers: Readonly<Record<number, CompositeWriter>>;
  repeatable?: ReadonlySet<number>;
  /** Tags that are written before all others. */
  first?: readonly number[];
  /** Tags that are not taken from the values, since they are computed. */
  computed?: readonly number[];
};

/**
 * Writes the items of a local set, in the order of their tags.
 * @throws RangeError for a value that its tag cannot hold, and for a value of an unknown tag that is not bytes.
 */
export function encodeSet(encoding: SetEncoding, values: EncodeValues): Uint8Array {
  const writer = new ByteWriter();
  for (const tag of orderedTags(encoding, values)) {
    const value = values[tag];
    if (value === undefined) continue;
    const parts = encoding.repeatable?.has(tag) && Array.isArray(value) ? value : [value];
    for (const part of parts) writer.berOid(tag).lengthAndBytes(encodeValue(encoding, tag, part));
  }
  return writer.finish();
}

function orderedTags({ first = [], computed = [] }: SetEncoding, values: EncodeValues): number[] {
  const tags = Object.keys(values)
    .filter((key) => key !== 'id')
    .map(Number);
  const wrong = tags.find((tag) => !(Number.isSafeInteger(tag) && tag > 0));
  if (wrong !== undefined) throw new RangeError('Items are keyed by their tag, a whole number above 0');
  const place = (tag: number) => (first.includes(tag) ? first.indexOf(tag) : first.length + tag);
  return tags.filter((tag) => !computed.includes(tag)).sort((a, b) => place(a) - place(b));
}

function encodeValue(encoding: SetEncoding, tag: number, value: Value): Uint8Array {
  const info = encoding.tags.get(tag);
  const write = encoding.writers[tag];
  if (write !== undefined && value !== null && !(value instanceof Uint8Array)) return write(value);
  if (info !== undefined) return encodeItem(info, value);
  if (value instanceof Uint8Array) return value;
  throw new RangeError(`Tag ${tag} is not of this set: only bytes can be written under it`);
}

/**
 * Returns a writer for a nested set. The encoding is passed as a function, so that sets can be nested in themselves.
 */
export function setWriter(encoding: () => SetEncoding): CompositeWriter {
  return (value) => encodeSet(encoding(), expectObject(value));
}

/** Returns a writer that writes each element of a list as its length followed by its bytes. */
export function seriesWriter(write: CompositeWriter): CompositeWriter {
  return (value) => {
    const writer = new ByteWriter();
    for (const part of expectList(value)) writer.lengthAndBytes(part === null ? new Uint8Array(0) : write(part));
    return writer.finish();
  };
}

export function expectObject(value: Value): Values {
  if (isValues(value)) return value;
  throw new RangeError('A set or pack is written from an object');
}

export function expectList(value: Value): Value[] {
  if (Array.isArray(value)) return value;
  throw new RangeError('A series is written from a list');
}

/** Returns the number under a name in an object; `missing` if there is none. */
export function numberOf(object: { [key: string]: Value }, name: string, missing = Number.NaN): number {
  const value = object[name] ?? missing;
  if (typeof value === 'number') return value;
  throw new RangeError(`${name} must be a number`);
}
