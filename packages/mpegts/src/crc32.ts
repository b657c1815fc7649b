const POLYNOMIAL = 0x04c11db7;

const TABLE = makeTable();

function makeTable(): Uint32Array {
  const table = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
    table[byte] = crc >>> 0;
  }
  return table;
}

/**
 * Returns the CRC of PSI sections (ISO/IEC 13818-1, annex A); 0 if computed over a whole section including its own CRC.
 */
export function crc32(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xffffffff;
  for (let i = start; i < end; i++) crc = (crc << 8) ^ TABLE[((crc >>> 24) ^ bytes[i]!) & 0xff]!;
  return crc >>> 0;
}
