import { crc32 } from 'node:zlib';

export type ZipWriterEntry = {
  name: string;
  data: Buffer;
  /** Wrong values for tests: those of the header before the data, and those of the directory. */
  localName?: string;
  localSize?: number;
  method?: number;
  crc?: number;
  offset?: number;
  /** Unpacked size of data of another method than 0, as both state it. */
  unpackedBytes?: number;
};

/** More entries than the end of a plain directory can count. */
const COUNT_MAX = 0xffff;

/** A zip of entries as they are (APPNOTE 4.3), right unless an entry asks to be wrong; Zip64 where they are many. */
export function zipOf(entries: readonly ZipWriterEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const entry of entries) {
    const crc = entry.crc ?? crc32(entry.data);
    const method = entry.method ?? 0;
    const size = entry.data.byteLength;
    const sizes = { crc, method, size, unpackedBytes: entry.unpackedBytes ?? size };
    const local = header(0x04034b50, entry.localName ?? entry.name, {
      ...sizes,
      ...(entry.localSize !== undefined && { size: entry.localSize, unpackedBytes: entry.localSize }),
      offset: null,
    });
    directory.push(header(0x02014b50, entry.name, { ...sizes, offset: entry.offset ?? position }));
    parts.push(local, entry.data);
    position += local.byteLength + entry.data.byteLength;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries.length, COUNT_MAX), 8);
  end.writeUInt16LE(Math.min(entries.length, COUNT_MAX), 10);
  end.writeUInt32LE(central.byteLength, 12);
  end.writeUInt32LE(position, 16);
  const large = entries.length < COUNT_MAX ? [] : zip64End(entries.length, position, central.byteLength);
  return Buffer.concat([...parts, central, ...large, end]);
}

/** APPNOTE 4.3.14 and 4.3.15: the end of a Zip64 directory, and its place. */
function zip64End(count: number, start: number, bytes: number): [Buffer, Buffer] {
  const end = Buffer.alloc(56);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(45, 12);
  end.writeUInt16LE(45, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(bytes), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(start + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return [end, locator];
}

type Fields = { crc: number; method: number; size: number; unpackedBytes: number; offset: number | null };

/** A local header, or with an offset an entry of the directory. */
function header(signature: number, name: string, { crc, method, size, unpackedBytes, offset }: Fields): Buffer {
  const raw = Buffer.from(name);
  const central = offset !== null;
  const fixed = Buffer.alloc(central ? 46 : 30);
  const at = central ? 2 : 0;
  fixed.writeUInt32LE(signature, 0);
  fixed.writeUInt16LE(20, 4 + at);
  fixed.writeUInt16LE(0x0800, 6 + at);
  fixed.writeUInt16LE(method, 8 + at);
  fixed.writeUInt32LE(crc, 14 + at);
  fixed.writeUInt32LE(size, 18 + at);
  fixed.writeUInt32LE(unpackedBytes, 22 + at);
  fixed.writeUInt16LE(raw.byteLength, 26 + at);
  if (central) fixed.writeUInt32LE(offset, 42);
  return Buffer.concat([fixed, raw]);
}
