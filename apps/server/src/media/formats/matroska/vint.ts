/** Reads a variable-length number (RFC 8794, 4). Ids keep their marker bit; a size with all bits set is unknown. */
export function vint(bytes: Uint8Array, at: number, end: number, most: number, keepsMarker: boolean) {
  const first = at < end ? bytes[at]! : 0;
  const length = first === 0 ? 9 : Math.clz32(first) - 23;
  if (length > most || at + length > end) return null;
  let value = keepsMarker ? first : first & (0xff >> length);
  let isOnes = (first & (0xff >> length)) === 0xff >> length;
  for (let k = 1; k < length; k++) {
    value = value * 256 + bytes[at + k]!;
    isOnes &&= bytes[at + k] === 0xff;
  }
  return { length, value: isOnes && !keepsMarker ? null : value };
}
