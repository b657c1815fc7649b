import { FormatError } from '@osprey/bytes';
import { Cursor, readUtf16 } from './cursor.ts';
import { eg0104Items, SECURITY_TAG, type UniversalFormat, type UniversalItem } from './eg0104.ts';
import { KEY_BYTES, keyText, type Standard } from './key.ts';
import { decodeSet, newReading } from './local-set.ts';
import { st0102 } from './st0102.ts';
import { CLASSIFICATIONS } from './st0102-tags.ts';
import { st0102UniversalItems } from './st0102-universal.ts';
import { addError, addFault, isValues, type KlvFault, type Value, type Values } from './value.ts';

/**
 * Decodes a set whose items have 16-byte keys.
 *
 * Values of ST 0102 are keyed by their local tags. Values of EG 0104 are keyed by universal key in hex, and those with
 * an equivalent in ST 0601 also by its tag; ST 0102 items that occur directly in the set, rather than in a nested
 * security set, are collected into one. If an item occurs twice, the last one is used.
 */
export function decodeUniversalSet(
  standard: Standard,
  bytes: Uint8Array,
  range: { start: number; end: number },
  faults: KlvFault[],
): Values {
  const isSecurity = standard === 'st0102';
  const items = isSecurity ? st0102UniversalItems : eg0104Items;
  const values: Values = {};
  const cursor = new Cursor(bytes, range.start, range.end);
  while (cursor.left > 0) {
    const key = readItemKey(cursor, faults);
    if (key === null) return values;
    const marking = isSecurity ? undefined : st0102UniversalItems.get(key.known);
    const item = items.get(key.known) ?? marking;
    const value = decodeUniversalItem(item, key.part, faults);
    if (value === undefined) continue;
    if (!isSecurity || item === undefined) values[key.text] = value;
    if (marking !== undefined) {
      values[SECURITY_TAG] = { ...asSet(values[SECURITY_TAG]), [String(marking.tag)]: value };
    } else if (item !== undefined && item.tag !== null) {
      if (values[item.tag] !== undefined)
        addFault(faults, item.tag, key.part.at, 'Given more than once; the last one counts');
      values[item.tag] = value;
    }
  }
  return values;
}

const asSet = (value: Value | undefined): Values => (isValues(value) ? value : {});

/** Reads the key and the value of the next item; adds a fault and returns null if the item extends past the set. */
function readItemKey(cursor: Cursor, faults: KlvFault[]): { text: string; known: string; part: Cursor } | null {
  try {
    const start = cursor.take(KEY_BYTES);
    const part = cursor.sub(cursor.berLength());
    return { text: keyText(cursor.bytes, start), known: keyText(cursor.bytes, start, 'anyVersion'), part };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    addError(faults, null, error);
    return null;
  }
}

function decodeUniversalItem(item: UniversalItem | undefined, part: Cursor, faults: KlvFault[]): Value | undefined {
  if (part.left === 0) return null;
  if (item === undefined) return part.copy(part.left);
  try {
    return readers[item.format](part, faults);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    addError(faults, item.tag, error);
    return undefined;
  }
}

const readers: Readonly<Record<UniversalFormat, (part: Cursor, faults: KlvFault[]) => Value>> = {
  utf8: (part) => part.utf8(part.left),
  utf16: (part) => readUtf16(part.bytes, part.at, part.end),
  bytes: (part) => part.copy(part.left),
  uint: (part) => {
    if (part.left > 8) throw new FormatError(`Integer of ${part.left} bytes`, part.at);
    return part.uint(part.left);
  },
  float: readFloat,
  latitude: (part) => readAngle(part, 90),
  longitude: (part) => readAngle(part, 180),
  dateTime: readDateTime,
  classification: readClassification,
  security: ({ bytes, at, end }, faults) => decodeSet(st0102, bytes, { start: at, end }, newReading(faults)),
  universalSecurity: ({ bytes, at, end }, faults) => decodeUniversalSet('st0102', bytes, { start: at, end }, faults),
};

/** Reads an IEEE 754 number of 4 or 8 bytes. */
function readFloat(part: Cursor): number | null {
  const { bytes, at, left } = part;
  if (left !== 4 && left !== 8) throw new FormatError(`Floating point number of ${left} bytes`, at);
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, left);
  const value = left === 4 ? view.getFloat32(0) : view.getFloat64(0);
  return Number.isFinite(value) ? value : null;
}

/**
 * Reads a latitude or longitude. Unlike the integers of local sets, a float can hold values outside the valid range;
 * these are refused, since drawing code relies on valid places.
 */
function readAngle(part: Cursor, limitDeg: number): Value {
  const degrees = readFloat(part);
  if (degrees !== null && Math.abs(degrees) > limitDeg) throw new FormatError('Place that is none on earth', part.at);
  return degrees;
}

/**
 * Reads a date of EG 0104: YYYYMMDDThhmmss in UTC, where the T is sometimes omitted. Returns microseconds since 1970.
 */
function readDateTime(part: Cursor): Value {
  const { at } = part;
  const text = part.utf8(part.left);
  const fields = /^(\d{4})(\d{2})(\d{2})T?(\d{2})(\d{2})(\d{2})Z?$/.exec(text);
  if (fields === null) throw new FormatError('Date and time of an unknown form', at);
  const [year, month, day, hour, minute, second] = fields.slice(1).map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute, second) * 1000;
}

/**
 * Reads ST 0102 universal tag 1: the classification as a word followed by two slashes. Returns the number that the
 * local set uses.
 */
function readClassification(part: Cursor): Value {
  const text = part.utf8(part.left);
  const word = text.replace(/[/\s]+$/, '').toUpperCase();
  const words: readonly string[] = CLASSIFICATIONS;
  const rank = words.indexOf(word);
  // An unknown word is returned as text, so that it is not mistaken for a low classification.
  return rank > 0 ? rank : text;
}
