import type { Cursor } from './cursor.ts';
import { type CompositeReader, decodeSet, type SetDefinition } from './local-set.ts';
import { addFault, type Value } from './value.ts';

/**
 * Maximum number of values read from one series; the rest is reported as a fault. No screen shows more boxes than this.
 */
const MAX_SERIES = 1000;

/** Reads alternating lengths and values up to the end of the item; a zero length gives null. */
export function series(read: CompositeReader): CompositeReader {
  return (cursor, reading) => {
    const values: Value[] = [];
    while (cursor.left > 0) {
      if (values.length === MAX_SERIES) {
        addFault(reading.faults, null, cursor.at, `Series of more than ${MAX_SERIES}; the rest is not read`);
        break;
      }
      const part = cursor.sub(cursor.berLength());
      values.push(part.left === 0 ? null : read(part, reading));
    }
    return values;
  };
}

/**
 * Returns a reader for a nested local set. The definition is passed as a function, so that sets can be nested in
 * themselves.
 */
export function setOf(definition: () => SetDefinition): CompositeReader {
  return ({ bytes, at, end }, reading) => decodeSet(definition(), bytes, { start: at, end }, reading);
}

/** Reads BER-OID numbers up to the end of the item. */
export function readOids(cursor: Cursor): Value {
  const values: number[] = [];
  while (cursor.left > 0 && values.length < MAX_SERIES) values.push(cursor.berOid());
  return values;
}
