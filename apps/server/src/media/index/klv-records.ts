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

/** One KLV set as the record that is kept of it. The object, its record and its lists are reused. */
export type KlvSet = {
  checksum: 'good' | 'bad' | 'missing';
  faults: readonly { tag: number | null; fault: string }[];
  /** Null if the packet is no telemetry. */
  record: TelemetryRow['record'] | null;
  /** Items in which a security set may be, those that do not count among the telemetry too. */
  items: readonly NestedItem[];
  /** A security set that was decoded as an object; undefined: see `items`. */
  security?: Value | undefined;
};

/** Reads KLV packets of any known standard as records of ST 0601. */
export function createKlvRecords() {
  const reader = createSt0601Reader();
  const spare = emptyRecord();
  const set: KlvSet = { checksum: 'missing', faults: [], record: null, items: [] };

  /** Null for keys of no known standard. @throws FormatError for a packet that is cut */
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

  /** Universal sets and sets of other standards, decoded as objects: they are rare. */
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

/** Values of a universal set under the tags of ST 0601 that mean the same. */
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

/** A VMTI set that travels alone is kept as the item it would be inside ST 0601. */
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

/** The bytes after key and length: from 0x80 on the first byte says how many bytes of length follow. */
function bodyOf(bytes: Uint8Array, start: number, end: number): { start: number; end: number } {
  const length = bytes[start + KEY_BYTES] ?? 0;
  return { start: start + KEY_BYTES + 1 + (length >= 0x80 ? length & 0x7f : 0), end };
}
