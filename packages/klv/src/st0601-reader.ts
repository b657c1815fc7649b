import { FormatError } from '@osprey/bytes';
import { BytesCache } from './bytes-cache.ts';
import { checksumOf } from './checksum.ts';
import { Cursor, readUtf8 } from './cursor.ts';
import type { ChecksumVerdict } from './decode-packet.ts';
import { readIntFast, readUintFast } from './fast-integers.ts';
import { imapbSpecial } from './imapb.ts';
import { readUniversalKey } from './key.ts';
import { type Carried, decodeItem, newReading, wrongLength } from './local-set.ts';
import { packetBounds } from './packets.ts';
import { st0601 } from './st0601.ts';
import {
  IMAPB,
  IMAPB_LENGTHS,
  IMAPB_OFFSET,
  IMAPB_STEP,
  INT,
  KIND,
  MARKER,
  MAX_BYTES,
  MIN_BYTES,
  NESTED,
  OFFSET,
  SCALE,
  TEXT,
  TIME,
  UINT,
} from './st0601-plan.ts';
import { HIGHEST_TAG, REPEATABLE_TAGS, st0601Tags } from './st0601-tags.ts';
import { END_OF_TIME_US, largeTime } from './tag-info.ts';
import { addError, addFault, type KlvFault, type Value } from './value.ts';

/** An item that is decoded only on demand: a set or a pack. */
export type NestedItem = { tag: number; start: number; end: number };

/** Values of the column `present`. */
const ABSENT = 0;
const HAS_VALUE = 1;
const IS_NULL = 2;

/** One ST 0601 packet as columns. The record belongs to its reader, and the next read overwrites it. */
export type St0601Record = {
  /** Tag 2, in microseconds since 1970; null if it is missing or beyond the year 9999. */
  timeUs: number | null;
  /** Numbers, indexed by tag; NaN where there is no number. */
  numbers: Float64Array;
  /** Indexed by tag: 0 absent, 1 has a value, 2 present but unknown (zero length, error marker, or not a number). */
  present: Uint8Array;
  /** Texts, indexed by tag. */
  texts: (string | null)[];
  /** Positions of sets and packs, in the order of the packet; `decodeNested` returns their values. */
  nested: NestedItem[];
  /**
   * Nested items that were replaced by a later one with the same tag. Readers of security markings also check these.
   */
  older: NestedItem[];
  checksum: ChecksumVerdict;
  faults: KlvFault[];
};

const TAGS = HIGHEST_TAG + 1;
const CHECKSUM_TAG = 1;
const TIME_TAG = 2;

/** Reads consecutive ST 0601 packets; see `createSt0601Reader`. */
export type PacketReader = {
  /** @throws FormatError when there is no ST 0601 key at `start` or the packet is cut. */
  read(bytes: Uint8Array, start: number, end: number): St0601Record;
  /**
   * Returns the value of a nested item of the last record read, given the same bytes; null if the item is faulty, in
   * which case the record has the fault. As long as the item's bytes are unchanged, the same object is returned again,
   * so it must not be modified. Values that a stream sends only occasionally (the VMTI version) are remembered.
   */
  decodeNested(bytes: Uint8Array, item: NestedItem): Value;
};

/**
 * Creates a reader for large numbers of ST 0601 packets. It creates no object per packet or item, and strings only when
 * they change. Values, rules and faults are those of `decodePacket`; items of unknown tags are skipped.
 */
export function createSt0601Reader(): PacketReader {
  const reader = new St0601Reader();
  return {
    read: (bytes, start, end) => reader.read(bytes, start, end),
    decodeNested: (bytes, item) => reader.decodeNested(bytes, item),
  };
}

/** This class is a hot path: it allocates all objects that it writes to only once. */
class St0601Reader {
  readonly record: St0601Record = {
    timeUs: null,
    numbers: new Float64Array(TAGS).fill(Number.NaN),
    present: new Uint8Array(TAGS),
    texts: new Array<string | null>(TAGS).fill(null),
    nested: [],
    older: [],
    checksum: 'missing',
    faults: [],
  };
  readonly #texts = Array.from({ length: TAGS }, () => new BytesCache(readUtf8));
  readonly #carried: Carried = { vmtiVersion: null };
  readonly #sets = Array.from(
    { length: TAGS },
    (_, tag) =>
      new BytesCache<Value>(
        (bytes, start, end) =>
          decodeItem(st0601, tag, { bytes, start, end }, newReading(this.record.faults, this.#carried)) ?? null,
      ),
  );
  /**
   * Tags present in the record. Only these are cleared, since filling whole columns takes as long as reading some
   * items.
   */
  readonly #tags = new Uint8Array(TAGS);
  #tagCount = 0;
  /** Whether `record.nested` contains items that were replaced by later ones with the same tag. */
  #hasOlder = false;

  read(bytes: Uint8Array, start: number, end: number): St0601Record {
    const bounds = packetBounds(bytes, start, end);
    if (readUniversalKey(bytes, start) !== 'st0601') throw new FormatError('No ST 0601 packet', start);
    this.#clear();
    this.#readItems(bytes, start, bounds.valueStart, bounds.end);
    if (this.#hasOlder) this.#dropOlder();
    const { record } = this;
    record.timeUs = record.present[TIME_TAG] === HAS_VALUE ? record.numbers[TIME_TAG]! : null;
    return record;
  }

  decodeNested(bytes: Uint8Array, { tag, start, end }: NestedItem): Value {
    return this.#sets[tag]!.read(bytes, start, end);
  }

  #clear(): void {
    const { record } = this;
    for (let at = 0; at < this.#tagCount; at++) {
      const tag = this.#tags[at]!;
      record.numbers[tag] = Number.NaN;
      record.present[tag] = ABSENT;
      record.texts[tag] = null;
    }
    this.#tagCount = 0;
    // Pop elements instead of setting the length to 0, which would free the array's memory only for the next item to
    // allocate it again.
    while (record.nested.length > 0) record.nested.pop();
    if (record.older.length > 0) record.older.length = 0;
    record.faults.length = 0;
    record.checksum = 'missing';
  }

  #readItems(bytes: Uint8Array, packetStart: number, start: number, end: number): void {
    let at = start;
    while (at < end) {
      let tag = bytes[at]!;
      let length = at + 1 < end ? bytes[at + 1]! : 0x80;
      let valueStart = at + 2;
      if (tag === 0x81 && length < 0x80 && at + 2 < end && bytes[at + 2]! < 0x80) {
        // Two-byte form of tags 128 to 143.
        tag = 128 + length;
        length = bytes[at + 2]!;
        valueStart = at + 3;
      } else if (tag >= 0x80 || length >= 0x80) {
        const header = this.#readHeader(bytes, at, end);
        if (header === null) return;
        ({ tag, length, valueStart } = header);
      }
      const valueEnd = valueStart + length;
      if (valueEnd > end) {
        addFault(this.record.faults, tag, valueStart, 'Value reaches past its set');
        return;
      }
      if (tag > 0 && tag <= HIGHEST_TAG) this.#readItem(bytes, tag, valueStart, valueEnd);
      if (tag === CHECKSUM_TAG && length === 2) this.#check(bytes, packetStart, valueStart);
      at = valueEnd;
    }
  }

  /** Reads the rare headers with a long tag or a long length. */
  #readHeader(bytes: Uint8Array, at: number, end: number): { tag: number; length: number; valueStart: number } | null {
    const cursor = new Cursor(bytes, at, end);
    let tag: number | null = null;
    try {
      tag = cursor.berOid();
      const length = cursor.berLength();
      return { tag, length, valueStart: cursor.at };
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      addError(this.record.faults, tag, error);
      return null;
    }
  }

  #readItem(bytes: Uint8Array, tag: number, start: number, end: number): void {
    const length = end - start;
    if (length === 0) {
      this.#setNull(tag, start);
      return;
    }
    if (length < MIN_BYTES[tag]! || length > MAX_BYTES[tag]!) {
      const info = st0601Tags.get(tag);
      if (info !== undefined) addFault(this.record.faults, tag, start, wrongLength(info, length));
      return;
    }
    switch (KIND[tag]!) {
      case UINT:
        this.#setNumber(tag, start, readUintFast(bytes, start, end) * SCALE[tag]! + OFFSET[tag]!);
        break;
      case INT:
        this.#readInt(bytes, tag, start, end);
        break;
      case IMAPB:
        this.#readImapb(bytes, tag, start, end);
        break;
      case TIME:
        this.#readTime(bytes, tag, start, end);
        break;
      case TEXT:
        this.#readText(bytes, tag, start, end);
        break;
      case NESTED:
        this.#addNested(tag, start, end);
        break;
    }
  }

  #setNumber(tag: number, start: number, value: number): void {
    const { present, numbers } = this.record;
    this.#meet(tag, start);
    present[tag] = HAS_VALUE;
    numbers[tag] = value;
  }

  #meet(tag: number, start: number): void {
    if (this.record.present[tag] === ABSENT) this.#tags[this.#tagCount++] = tag;
    else this.#reportTwice(tag, start);
  }

  #setNull(tag: number, start: number): void {
    const { present, numbers, texts } = this.record;
    this.#meet(tag, start);
    if (KIND[tag] === NESTED) this.#noteOlder(tag);
    present[tag] = IS_NULL;
    numbers[tag] = Number.NaN;
    texts[tag] = null;
  }

  /**
   * Notes that a tag occurred again. Replaced items are removed in one pass at the end, since a hostile packet can
   * contain a million of them.
   */
  #noteOlder(tag: number): void {
    if (this.record.present[tag] === HAS_VALUE && !REPEATABLE_TAGS.has(tag)) this.#hasOlder = true;
  }

  /** Keeps only the last item of each tag that is not repeatable, and none if that last item is null. */
  #dropOlder(): void {
    const { present, nested, older } = this.record;
    const last = new Map<number, NestedItem>();
    for (const item of nested) last.set(item.tag, item);
    const met = [...nested];
    nested.length = 0;
    for (const item of met) {
      const counts = REPEATABLE_TAGS.has(item.tag) || (present[item.tag] === HAS_VALUE && last.get(item.tag) === item);
      (counts ? nested : older).push(item);
    }
    this.#hasOlder = false;
  }

  #reportTwice(tag: number, start: number): void {
    if (REPEATABLE_TAGS.has(tag)) return;
    addFault(this.record.faults, tag, start, 'Given more than once; the last one counts');
  }

  #readInt(bytes: Uint8Array, tag: number, start: number, end: number): void {
    const raw = readIntFast(bytes, start, end);
    if (raw === MARKER[tag]) this.#setNull(tag, start);
    else this.#setNumber(tag, start, raw * SCALE[tag]!);
  }

  #readImapb(bytes: Uint8Array, tag: number, start: number, end: number): void {
    const length = end - start;
    if (bytes[start]! >= 0x80 && imapbSpecial(bytes, start, length) !== null) {
      this.#setNull(tag, start);
      return;
    }
    const index = tag * IMAPB_LENGTHS + length;
    const step = IMAPB_STEP[index]!;
    const value = (readUintFast(bytes, start, end) - IMAPB_OFFSET[index]!) * step + OFFSET[tag]!;
    this.#setNumber(tag, start, Math.abs(value) < step / 2 ? 0 : value);
  }

  #readTime(bytes: Uint8Array, tag: number, start: number, end: number): void {
    const raw = readUintFast(bytes, start, end);
    if (raw < END_OF_TIME_US) {
      this.#setNumber(tag, start, raw);
      return;
    }
    const { timeUs, fault } = largeTime(raw);
    addFault(this.record.faults, tag, start, fault);
    if (timeUs === null) this.#setNull(tag, start);
    else this.#setNumber(tag, start, timeUs);
  }

  #readText(bytes: Uint8Array, tag: number, start: number, end: number): void {
    const { present, texts } = this.record;
    this.#meet(tag, start);
    present[tag] = HAS_VALUE;
    texts[tag] = this.#texts[tag]!.read(bytes, start, end);
  }

  #addNested(tag: number, start: number, end: number): void {
    const { present, nested } = this.record;
    this.#meet(tag, start);
    this.#noteOlder(tag);
    present[tag] = HAS_VALUE;
    nested.push({ tag, start, end });
  }

  #check(bytes: Uint8Array, packetStart: number, valueStart: number): void {
    const stated = (bytes[valueStart]! << 8) | bytes[valueStart + 1]!;
    this.record.checksum = stated === checksumOf(bytes, packetStart, valueStart) ? 'good' : 'bad';
  }
}
