import type { FormatError } from '@osprey/bytes';

/**
 * A decoded value in the units of its standard. null: known to be unknown (zero length, error marker, or not a number).
 * Uint8Array: a copy of bytes of unknown format. Arrays and objects: series, packs and nested sets; nested sets are
 * keyed by tag number as text.
 */
export type Value = number | string | null | Uint8Array | Value[] | { [tag: string]: Value };

/** The items of one set, keyed by tag number as text. */
export type Values = { [tag: string]: Value };

/** Whether a value is a set or a pack. */
export const isValues = (value: Value | undefined): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/** A violation of a standard in a packet. The rest of the packet was still read. */
export type KlvFault = {
  /** Tag of the faulty item within its own set; null if the fault does not concern an item. */
  tag: number | null;
  /** Byte offset in the input buffer. */
  offset: number;
  fault: string;
};

/**
 * Maximum number of listed faults, since a packet of noise has thousands. The last entry states that there are more.
 */
const MAX_FAULTS = 100;

/** Adds an error thrown by a reader to `faults`, without the offset in its message. */
export function addError(faults: KlvFault[], tag: number | null, error: FormatError): void {
  addFault(faults, tag, error.offset, reasonOf(error));
}

/** Returns the message of the error without its offset, so that equal faults have equal texts. */
export function reasonOf({ message, offset }: FormatError): string {
  return message.replace(` at byte ${offset}`, '');
}

/** Adds to `faults` unless the list is full. */
export function addFault(faults: KlvFault[], tag: number | null, offset: number, fault: string): void {
  if (faults.length >= MAX_FAULTS) return;
  const last = faults.length === MAX_FAULTS - 1;
  faults.push({ tag, offset, fault: last ? 'More faults than are listed' : fault });
}
