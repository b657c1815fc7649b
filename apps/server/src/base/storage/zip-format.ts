/** An uncompressed zip entry whose size and checksum are known. */
export type ZipEntry = { name: string; date: Date; sizeBytes: number; crc32: number };

/** An entry and the offset at which it begins. */
export type PlacedEntry = ZipEntry & { offset: number };

// Version needed (APPNOTE 6.3.10): 2.0, or 4.5 with ZIP64. Names are UTF-8 (flag 11). Size and checksum are in the
// local header, so that no data descriptor is needed: Java rejects those of uncompressed entries.
const VERSION = 20;
const VERSION_ZIP64 = 45;
const UTF8_NAMES = 0x0800;
const MODE = 0o100644;
const MADE_ON_UNIX = 3 << 8;
/** Written in place of a value stored in the ZIP64 field. Values from this one on do not fit into 32 bits. */
const NEXT = 0xffffffff;
const COUNT_NEXT = 0xffff;

/**
 * Returns the local header that precedes an entry's bytes. The ZIP64 field is included only for entries of 4 GiB or
 * more, since GDAL rejects it in others.
 */
export function localHeader(entry: ZipEntry): Buffer {
  const sizes = entry.sizeBytes < NEXT ? [] : [entry.sizeBytes, entry.sizeBytes];
  return Buffer.concat([fixedHeader(0x04034b50, entry, sizes), Buffer.from(entry.name), zip64Field(sizes)]);
}

/** The directory of a zip, which begins at `start`, and its end. */
export function* directory(entries: readonly PlacedEntry[], start: number): Generator<Buffer> {
  let sizeBytes = 0;
  for (const entry of entries) {
    const header = centralHeader(entry);
    sizeBytes += header.byteLength;
    yield header;
  }
  yield ending({ start, sizeBytes, count: entries.length });
}

function centralHeader(entry: PlacedEntry): Buffer {
  const sizes = entry.sizeBytes < NEXT ? [] : [entry.sizeBytes, entry.sizeBytes];
  const large = entry.offset < NEXT ? sizes : [...sizes, entry.offset];
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(MODE * 0x10000, 6);
  rest.writeUInt32LE(Math.min(entry.offset, NEXT), 10);
  const made = Buffer.alloc(2);
  made.writeUInt16LE(MADE_ON_UNIX | versionOf(large));
  const head = fixedHeader(0x02014b50, entry, large);
  return Buffer.concat([head.subarray(0, 4), made, head.subarray(4), rest, Buffer.from(entry.name), zip64Field(large)]);
}

const versionOf = (large: readonly number[]): number => (large.length === 0 ? VERSION : VERSION_ZIP64);

/**
 * Returns the fields common to both headers of an entry. The central header has two additional bytes after the
 * signature.
 */
function fixedHeader(
  signature: number,
  { name, date, sizeBytes, crc32: sum }: ZipEntry,
  large: readonly number[],
): Buffer {
  const head = Buffer.alloc(30);
  const { time, day } = dosTime(date);
  head.writeUInt32LE(signature, 0);
  for (const [at, value] of [versionOf(large), UTF8_NAMES, 0, time, day].entries())
    head.writeUInt16LE(value, 4 + 2 * at);
  head.writeUInt32LE(sum, 14);
  head.writeUInt32LE(Math.min(sizeBytes, NEXT), 18);
  head.writeUInt32LE(Math.min(sizeBytes, NEXT), 22);
  head.writeUInt16LE(Buffer.byteLength(name), 26);
  head.writeUInt16LE(zip64Field(large).byteLength, 28);
  return head;
}

/** MS-DOS time and date, in UTC. */
function dosTime(date: Date): { time: number; day: number } {
  return {
    time: (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
    day: ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
  };
}

/** Returns the extra field 0x0001 (APPNOTE 4.5.3); empty if every value fits into 32 bits. */
function zip64Field(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [at, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * at);
  return field;
}

function ending({ start, sizeBytes, count }: { start: number; sizeBytes: number; count: number }): Buffer {
  const end = Buffer.alloc(22);
  const few = Math.min(count, COUNT_NEXT);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(few, 8);
  end.writeUInt16LE(few, 10);
  end.writeUInt32LE(Math.min(sizeBytes, NEXT), 12);
  end.writeUInt32LE(Math.min(start, NEXT), 16);
  if (few < COUNT_NEXT && sizeBytes < NEXT && start < NEXT) return end;
  const large = Buffer.alloc(56 + 20);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 12);
  large.writeUInt16LE(VERSION_ZIP64, 14);
  for (const [at, value] of [count, count, sizeBytes, start].entries())
    large.writeBigUInt64LE(BigInt(value), 24 + 8 * at);
  large.writeUInt32LE(0x07064b50, 56);
  large.writeBigUInt64LE(BigInt(start + sizeBytes), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
}
