/** Standard of a KLV packet, identified by its universal key. */
export type Standard = 'st0601' | 'st0903' | 'st0102' | 'eg0104' | 'st0806' | 'unknown';

/** Length of a universal key (SMPTE ST 298), in bytes. */
export const KEY_BYTES = 16;

const key = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Key of the UAS Datalink Local Set (ST 0601 section 6). */
export const ST0601_KEY = key('060e2b34020b01010e01030101000000');
/** Key of the VMTI Local Set (ST 0903 section 6). */
export const ST0903_KEY = key('060e2b34020b01010e01030306000000');
/** Key of the Security Metadata Local Set (ST 0102 section 6). */
export const ST0102_KEY = key('060e2b34020301010e01030302000000');

/** Keys of the known sets. In universal sets, the items also have 16-byte keys (SMPTE ST 336). */
const KEYS: readonly { standard: Standard; universal: boolean; bytes: Uint8Array }[] = [
  { standard: 'st0601', universal: false, bytes: ST0601_KEY },
  { standard: 'st0903', universal: false, bytes: ST0903_KEY },
  { standard: 'st0102', universal: false, bytes: ST0102_KEY },
  { standard: 'st0102', universal: true, bytes: key('060e2b34020101010208020000000000') },
  { standard: 'eg0104', universal: true, bytes: key('060e2b34020101010e01010201010000') },
  { standard: 'st0806', universal: false, bytes: key('060e2b34020b01010e01030102000000') },
];

/**
 * Position of the registry version byte. It differs between encoders for the same set and is therefore not compared.
 */
const VERSION_BYTE = 7;

/**
 * Returns the standard of the universal key at `start`; 'unknown' for the key of any other set, null if there is no
 * universal key or fewer than 16 bytes are left.
 */
export function readUniversalKey(bytes: Uint8Array, start: number): Standard | null {
  if (!isUniversalKey(bytes, start)) return null;
  for (const known of KEYS) if (isSame(bytes, start, known.bytes)) return known.standard;
  return 'unknown';
}

/** Whether the key at `start` is that of a known universal set. */
export function isUniversalSet(bytes: Uint8Array, start: number): boolean {
  return KEYS.some((known) => known.universal && isSame(bytes, start, known.bytes));
}

/** Whether at least 16 bytes are left and begin with 06 0E 2B 34, as every universal key does. */
export function isUniversalKey(bytes: Uint8Array, start: number): boolean {
  if (start + KEY_BYTES > bytes.length || bytes[start] !== 0x06) return false;
  return bytes[start + 1] === 0x0e && bytes[start + 2] === 0x2b && bytes[start + 3] === 0x34;
}

/**
 * Returns the key at `start` as 32 hex digits. With 'anyVersion', the version byte is written as 00, for comparison
 * with tables.
 */
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
