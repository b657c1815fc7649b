import { isUniversalSet, readUniversalKey, type Standard } from './key.ts';
import { type PacketLayout, packetLayout } from './layout.ts';
import { decodeItem, decodeSet, eachItem, newReading, type Reading } from './local-set.ts';
import { packetBounds } from './packets.ts';
import { st0102 } from './st0102.ts';
import { st0601 } from './st0601.ts';
import { st0806 } from './st0806.ts';
import { decodeVmti } from './st0903.ts';
import { decodeUniversalSet } from './universal-set.ts';
import type { KlvFault, Value, Values } from './value.ts';

export type ChecksumVerdict = 'good' | 'bad' | 'missing';

/** One packet decoded to objects. */
export type DecodedPacket = {
  standard: Standard;
  start: number;
  end: number;
  /** 'missing' also for standards without a checksum, and for ST 0806, whose CRC is not checked. */
  checksum: ChecksumVerdict;
  /**
   * Values keyed by tag as text. Values of EG 0104 are keyed by universal key in hex, and by the equivalent ST 0601
   * tag.
   */
  values: Values;
  faults: KlvFault[];
};

type Range = { start: number; end: number };

const LOCAL_SETS: Readonly<Partial<Record<Standard, (bytes: Uint8Array, range: Range, reading: Reading) => Values>>> = {
  st0601: (bytes, range, reading) => decodeSet(st0601, bytes, range, reading),
  st0903: decodeVmti,
  st0102: (bytes, range, reading) => decodeSet(st0102, bytes, range, reading),
  st0806: (bytes, range, reading) => decodeSet(st0806, bytes, range, reading),
};

/**
 * Decodes the packet whose key is at `start`.
 *
 * Values are returned even if the checksum is wrong, which is only flagged. Faults of single items are listed.
 * @throws FormatError when there is no key, the length is not readable, or the packet ends after `end`.
 */
export function decodePacket(bytes: Uint8Array, start: number, end: number): DecodedPacket {
  const { valueStart, end: packetEnd } = packetBounds(bytes, start, end);
  const standard = readUniversalKey(bytes, start) ?? 'unknown';
  const faults: KlvFault[] = [];
  const range = { start: valueStart, end: packetEnd };
  const packet = { standard, start, end: packetEnd, faults };

  if (isUniversalSet(bytes, start)) {
    return { ...packet, checksum: 'missing', values: decodeUniversalSet(standard, bytes, range, faults) };
  }
  const decode = LOCAL_SETS[standard];
  if (decode === undefined) return { ...packet, checksum: 'missing', values: rawItems(bytes, range, faults) };
  const values = decode(bytes, range, newReading(faults));
  return { ...packet, checksum: verdictOf(packetLayout(bytes, start, end)), values };
}

/**
 * Decodes one item of an ST 0601 set, such as those that a reader leaves in `nested`. If the item is faulty, the value
 * is null and the fault is added to `faults`.
 */
export function decodeSt0601Item(
  bytes: Uint8Array,
  { tag, start, end }: { tag: number; start: number; end: number },
  faults: KlvFault[] = [],
): Value {
  return decodeItem(st0601, tag, { bytes, start, end }, newReading(faults)) ?? null;
}

/** Returns the items of a local set of an unknown standard as raw bytes, keyed by tag. */
function rawItems(bytes: Uint8Array, range: Range, faults: KlvFault[]): Values {
  const values: Values = {};
  eachItem(bytes, range, faults, (tag, start, end) => {
    values[tag] = bytes.slice(start, end);
  });
  return values;
}

function verdictOf({ checksum }: PacketLayout): ChecksumVerdict {
  if (checksum === null) return 'missing';
  return checksum.stated === checksum.computed ? 'good' : 'bad';
}
