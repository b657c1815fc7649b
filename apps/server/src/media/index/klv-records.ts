import {
  createSt0601Reader,
  decodePacket,
  HIGHEST_TAG,
  type NestedItem,
  readUniversalKey,
  type Value,
} from '@osprey/klv';
import type { TelemetryRow } from '../../telemetry/writer.ts';

const TAGS = HIGHEST_TAG + 1;
const VMTI_TAG = 74;
const KEY_BYTES = 16;

/** One KLV set, as the record stored for it. The object, its record and its lists are reused. */
export type KlvSet = {
  checksum: 'good' | 'bad' | 'missing';
  faults: readonly { tag: number | null; fault: string }[];
  /** Null if the packet is not telemetry. */
  record: TelemetryRow['record'] | null;
  /** Items that may contain a security set, even if they are not stored as telemetry. */
  items: readonly NestedItem[];
  /** A security set that was decoded as an object; if undefined, see `items`. */
  security?: Value | undefined;
};

/** Reads KLV packets of all known standards as records of ST 0601. */
export function createKlvRecords() {
  const reader = createSt0601Reader();
  const spare = emptyRecord();
  const set: KlvSet = { checksum: 'missing', faults: [], record: null, items: [] };

  /** Reads a packet; null if its key belongs to no known standard. @throws FormatError for a truncated packet */
  function read(bytes: Uint8Array, start: number, end: number): KlvSet | null {
    const standard = readUniversalKey(bytes, start);
    if (standard === null) return null;
    if (standard !== 'st0601') return readOther(bytes, start, end);
    const record = reader.read(bytes, start, end);
    set.checksum = record.checksum;
    set.faults = record.faults;
    set.record = record;
    set.items = record.older.length > 0 ? [...record.nested, ...record.older] : record.nested;
    return set;
  }

  /**
   * Reads universal sets and sets of other standards by decoding them as objects, which is slower; these sets are rare.
   */
  function readOther(bytes: Uint8Array, start: number, end: number): KlvSet {
    const { standard, values, faults, checksum } = decodePacket(bytes, start, end);
    const security = standard === 'st0102' ? values : values['48'];
    let record: Spare | null = null;
    if (checksum !== 'bad') {
      if (standard === 'eg0104') fillRecord(spare, values);
      if (standard === 'st0903') fillVmti(spare, values['2'], bodyOf(bytes, start, end));
      if (standard === 'eg0104' || standard === 'st0903') record = spare;
    }
    return { checksum, faults, record, items: [], security };
  }

  return { read };
}

type Spare = TelemetryRow['record'];

export function emptyRecord(): Spare {
  return {
    timeUs: null,
    numbers: new Float64Array(TAGS).fill(Number.NaN),
    present: new Uint8Array(TAGS),
    texts: new Array<string | null>(TAGS).fill(null),
    nested: [],
  };
}

function clear(record: Spare): void {
  record.timeUs = null;
  record.numbers.fill(Number.NaN);
  record.present.fill(0);
  record.texts.fill(null);
  record.nested.length = 0;
}

/** Stores the values of a universal set under the equivalent tags of ST 0601. */
function fillRecord(record: Spare, values: St0601Values): void {
  clear(record);
  for (const [key, value] of Object.entries(values)) {
    const tag = Number(key);
    if (!Number.isInteger(tag) || tag <= 0 || tag >= TAGS) continue;
    if (typeof value === 'number') record.numbers[tag] = value;
    else if (typeof value === 'string') record.texts[tag] = value;
    else continue;
    record.present[tag] = 1;
  }
  const time = record.numbers[2]!;
  record.timeUs = Number.isNaN(time) ? null : time;
}

type St0601Values = Readonly<Record<string, unknown>>;

/** Stores a standalone VMTI set as the item that it would be inside ST 0601. */
function fillVmti(record: Spare, time: unknown, body: { start: number; end: number }): void {
  clear(record);
  if (typeof time === 'number') {
    record.timeUs = time;
    record.numbers[2] = time;
    record.present[2] = 1;
  }
  record.present[VMTI_TAG] = 1;
  record.nested.push({ tag: VMTI_TAG, ...body });
}

/**
 * Returns the bytes after key and length. If the first byte of the length is 0x80 or more, it gives the number of
 * length bytes that follow.
 */
function bodyOf(bytes: Uint8Array, start: number, end: number): { start: number; end: number } {
  const length = bytes[start + KEY_BYTES] ?? 0;
  return { start: start + KEY_BYTES + 1 + (length >= 0x80 ? length & 0x7f : 0), end };
}
