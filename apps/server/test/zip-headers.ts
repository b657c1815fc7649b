import { crc32 } from 'node:zlib';

/** An entry as the directory of a zip and its local header describe it (APPNOTE 4.3.7, 4.3.12). */
export type ZipHeader = {
  name: string;
  offset: number;
  version: number;
  flags: number;
  method: number;
  crc32: number;
  packedBytes: number;
  sizeBytes: number;
  extraBytes: number;
};
export type ReadZip = {
  /** By the directory, and by the headers before the bytes of each entry. */
  central: ZipHeader[];
  local: ZipHeader[];
  data: Buffer[];
  /** Bytes between the entries, and between the last one and the directory. */
  unusedBytes: number;
  hasZip64End: boolean;
};

const END_BYTES = 22;
const LOCATOR_BYTES = 20;

/** Reads each header of a zip without a comment, as it was written. */
export function headersOf(zip: Buffer): ReadZip {
  const end = zip.length - END_BYTES;
  if (zip.readUInt32LE(end) !== 0x06054b50) throw new Error('The zip has no end');
  const central: ZipHeader[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== 0x02014b50) throw new Error(`No header of an entry at ${at}`);
    const header = fieldsAt(zip, at + 6, at + 46);
    central.push({ ...header, offset: zip.readUInt32LE(at + 42) });
    at += 46 + Buffer.byteLength(header.name) + header.extraBytes + zip.readUInt16LE(at + 32);
  }
  const local = central.map(({ offset }) => ({ ...fieldsAt(zip, offset + 4, offset + 30), offset }));
  const spans = local.map(({ offset, name, extraBytes, packedBytes }) => {
    const start = offset + 30 + Buffer.byteLength(name) + extraBytes;
    return { offset, start, end: start + packedBytes };
  });
  const used = spans.reduce((sum, span) => sum + span.end - span.offset, 0);
  return {
    ...{ central, local, data: spans.map((span) => zip.subarray(span.start, span.end)) },
    unusedBytes: zip.readUInt32LE(end + 16) - used,
    hasZip64End: zip.readUInt32LE(end - LOCATOR_BYTES) === 0x07064b50,
  };
}

/** The fields that both headers have: from the version on, with the name at `nameAt`. */
function fieldsAt(zip: Buffer, at: number, nameAt: number): Omit<ZipHeader, 'offset'> {
  return {
    name: zip.toString('utf8', nameAt, nameAt + zip.readUInt16LE(at + 22)),
    version: zip.readUInt16LE(at),
    flags: zip.readUInt16LE(at + 2),
    method: zip.readUInt16LE(at + 4),
    crc32: zip.readUInt32LE(at + 10),
    packedBytes: zip.readUInt32LE(at + 14),
    sizeBytes: zip.readUInt32LE(at + 18),
    extraBytes: zip.readUInt16LE(at + 24),
  };
}

/** Header of an entry that every reader takes: stored, with length and CRC before the bytes, and without ZIP64. */
export const plainHeaderOf = (name: string, offset: number, data: Buffer): ZipHeader => ({
  ...{ name, offset, version: 20, flags: 0x0800, method: 0, extraBytes: 0 },
  ...{ crc32: crc32(data), packedBytes: data.length, sizeBytes: data.length },
});
