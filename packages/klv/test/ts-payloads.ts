import { readFileSync } from 'node:fs';

const PACKET = 188;

/**
 * Returns the PES payloads of one PID of a clean 188-byte transport stream, in order. For tests of this package only:
 * no resynchronisation, no tables, unbounded PES only.
 */
export function pesPayloads(path: string, pid: number): Uint8Array[] {
  const bytes = readFileSync(path);
  const units: Uint8Array[][] = [];
  for (let at = 0; at + PACKET <= bytes.length; at += PACKET) {
    const isOurs = (((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!) === pid;
    if (!isOurs || !(bytes[at + 3]! & 0x10)) continue;
    const start = at + 4 + (bytes[at + 3]! & 0x20 ? 1 + bytes[at + 4]! : 0);
    if (bytes[at + 1]! & 0x40) units.push([]);
    units.at(-1)?.push(bytes.subarray(start, at + PACKET));
  }
  return units.map((parts) => withoutHeader(new Uint8Array(Buffer.concat(parts))));
}

/** Removes the PES header and any bytes beyond the stated length. */
function withoutHeader(pes: Uint8Array): Uint8Array {
  const length = (pes[4]! << 8) | pes[5]!;
  const end = length === 0 ? pes.length : 6 + length;
  return pes.subarray(9 + pes[8]!, end);
}
