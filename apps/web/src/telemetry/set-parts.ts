import type { TelemetrySet } from '@osprey/contract';

export type ShownSet = NonNullable<TelemetrySet['set']>;

/** Part of a set: one item with its tag, or the bytes before and after the items. */
export type SetPart = {
  kind: 'key' | 'item' | 'rest';
  tag: number | null;
  /** Bytes from the start of the set; the value of an item is from `valueStart` to `end`. */
  start: number;
  valueStart: number;
  end: number;
};

const DUMP_BYTES = 16;

/** Returns all parts of a set in order, covering every byte. */
export function partsOf({ hex, items }: ShownSet): SetPart[] {
  const length = hex.length / 2;
  const parts: SetPart[] = items.map((item) => ({ kind: 'item', ...item }));
  const first = items[0]?.start ?? length;
  const last = items.at(-1)?.end ?? length;
  if (first > 0) parts.unshift({ kind: 'key', tag: null, start: 0, valueStart: 0, end: first });
  if (last < length) parts.push({ kind: 'rest', tag: null, start: last, valueStart: last, end: length });
  return parts;
}

/** Formats bytes as pairs of hex digits. */
export function hexOf({ hex }: ShownSet, start: number, end: number): string {
  return (hex.slice(2 * start, 2 * end).match(/../g) ?? []).join(' ');
}

/**
 * Formats a hex dump with offset, 16 bytes and their characters on each line, as printed by Wireshark and accepted by
 * its "Import from Hex Dump".
 */
export function dumpOf(set: ShownSet): string {
  const bytes = set.hex.match(/../g) ?? [];
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += DUMP_BYTES) {
    const line = bytes.slice(at, at + DUMP_BYTES);
    const letters = line.map((byte) => letterOf(Number.parseInt(byte, 16))).join('');
    lines.push(`${offsetText(at, 4)}  ${line.join(' ').padEnd(3 * DUMP_BYTES - 1)}   ${letters}`);
  }
  return lines.join('\n');
}

const letterOf = (byte: number): string => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.');

/** Formats an offset in hex, as in dumps. */
export const offsetText = (offset: number, digits: number): string => offset.toString(16).padStart(digits, '0');

export const sumText = (sum: number): string => `0x${offsetText(sum, 4)}`;
