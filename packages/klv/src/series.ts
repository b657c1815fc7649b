import type { Cursor } from './cursor.ts';
import { type CompositeReader, decodeSet, type SetDefinition } from './local-set.ts';
import { addFault, type Value } from './value.ts';

/** Most values of one series that are read; the rest is reported. No screen shows more boxes than this. */
const MAX_SERIES = 1000;

/** Lengths and values in turn, to the end of the item; a zero length gives null. */
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

/** Reads a nested local set. The definition is asked for late, so that sets can hold themselves. */
export function setOf(definition: () => SetDefinition): CompositeReader {
  return ({ bytes, at, end }, reading) => decodeSet(definition(), bytes, { start: at, end }, reading);
}

/** BER-OID numbers to the end of the item. */
export function readOids(cursor: Cursor): Value {
  const values: number[] = [];
  while (cursor.left > 0 && values.length < MAX_SERIES) values.push(cursor.berOid());
  return values;
}
