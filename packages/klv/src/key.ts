/** Standard of a KLV packet, by its universal key. */
export type Standard = 'st0601' | 'st0903' | 'st0102' | 'eg0104' | 'st0806' | 'unknown';

/** Length of a universal key (SMPTE ST 298). */
export const KEY_BYTES = 16;

const key = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** ST 0601 section 6: UAS Datalink Local Set. */
export const ST0601_KEY = key('060e2b34020b01010e01030101000000');
/** ST 0903 section 6: VMTI Local Set. */
export const ST0903_KEY = key('060e2b34020b01010e01030306000000');
/** ST 0102 section 6: Security Metadata Local Set. */
export const ST0102_KEY = key('060e2b34020301010e01030302000000');

/** Universal sets have 16-byte keys for their items too (SMPTE ST 336). */
const KEYS: readonly { standard: Standard; universal: boolean; bytes: Uint8Array }[] = [
  { standard: 'st0601', universal: false, bytes: ST0601_KEY },
  { standard: 'st0903', universal: false, bytes: ST0903_KEY },
  { standard: 'st0102', universal: false, bytes: ST0102_KEY },
  { standard: 'st0102', universal: true, bytes: key('060e2b34020101010208020000000000') },
  { standard: 'eg0104', universal: true, bytes: key('060e2b34020101010e01010201010000') },
  { standard: 'st0806', universal: false, bytes: key('060e2b34020b01010e01030102000000') },
];

/** Version byte of the registry: differs between encoders for the same set, so it is not compared. */
const VERSION_BYTE = 7;

/**
 * Standard of the universal key at `start`; 'unknown' for a key of another set, null if there is no universal key (or
 * fewer than 16 bytes are left).
 */
export function readUniversalKey(bytes: Uint8Array, start: number): Standard | null {
  if (!isUniversalKey(bytes, start)) return null;
  for (const known of KEYS) if (isSame(bytes, start, known.bytes)) return known.standard;
  return 'unknown';
}

/** True where the key at `start` names a universal set we know. */
export function isUniversalSet(bytes: Uint8Array, start: number): boolean {
  return KEYS.some((known) => known.universal && isSame(bytes, start, known.bytes));
}

/** True where 16 bytes are left and start with 06 0E 2B 34, as every universal key does. */
export function isUniversalKey(bytes: Uint8Array, start: number): boolean {
  if (start + KEY_BYTES > bytes.length || bytes[start] !== 0x06) return false;
  return bytes[start + 1] === 0x0e && bytes[start + 2] === 0x2b && bytes[start + 3] === 0x34;
}

/** The key at `start` as 32 hex digits; 'anyVersion' writes its version byte as 00, to compare with tables. */
export function keyText(bytes: Uint8Array, start: number, version: 'asIs' | 'anyVersion' = 'asIs'): string {
  let text = '';
  for (let index = 0; index < KEY_BYTES; index++) {
    const byte = index === VERSION_BYTE && version === 'anyVersion' ? 0 : bytes[start + index]!;
    text += byte.toString(16).padStart(2, '0');
  }
  return text;
}

function isSame(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  for (let index = 0; index < KEY_BYTES; index++) {
    if (index !== VERSION_BYTE && bytes[start + index] !== expected[index]) return false;
  }
  return true;
}
