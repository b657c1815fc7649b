import type { FormatError } from '@osprey/bytes';

/**
 * A decoded value in the units of its standard. null: known to be unknown (zero length, error marker, or no number).
 * Uint8Array: bytes of unknown format, copied. Arrays and objects: series, packs and nested sets, the latter keyed by
 * tag number as text.
 */
export type Value = number | string | null | Uint8Array | Value[] | { [tag: string]: Value };

/** The items of one set, keyed by tag number as text. */
export type Values = { [tag: string]: Value };

/** Whether a value is a set or a pack. */
export const isValues = (value: Value | undefined): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/** Violation of a standard in a packet; the rest of the packet was read. */
export type KlvFault = {
  /** Tag of the item, in its own set; null where the fault is not an item's. */
  tag: number | null;
  /** Byte offset in the buffer that was read. */
  offset: number;
  fault: string;
};

/** A packet of noise has thousands of faults; this many are listed, the last one says so. */
const MAX_FAULTS = 100;

/** Adds what a reader threw to `faults`, without the place that its message names. */
export function addError(faults: KlvFault[], tag: number | null, error: FormatError): void {
  addFault(faults, tag, error.offset, reasonOf(error));
}

/** The message of the error without its place: equal faults then have equal texts. */
export function reasonOf({ message, offset }: FormatError): string {
  return message.replace(` at byte ${offset}`, '');
}

/** Adds to `faults` unless the list is full. */
export function addFault(faults: KlvFault[], tag: number | null, offset: number, fault: string): void {
  if (faults.length >= MAX_FAULTS) return;
  const last = faults.length === MAX_FAULTS - 1;
  faults.push({ tag, offset, fault: last ? 'More faults than are listed' : fault });
}
