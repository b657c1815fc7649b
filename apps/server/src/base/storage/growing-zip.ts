import { crc32 } from 'node:zlib';
import type { Append } from './storage.ts';

/** A whole entry of a zip: where its bytes are, and their sums. */
export type GrownEntry = { name: string; dataOffset: number; sizeBytes: number; crc32: number };

// APPNOTE 6.3.10: version 4.5 for ZIP64; sizes come after the bytes; names in UTF-8.
const VERSION = 45;
const FLAGS = 0x0808;
const MADE_BY_UNIX = (3 << 8) | VERSION;
const MODE = 0o100644;
const NEXT = 0xffffffff;

/**
 * Appends one stored entry to a zip that grows in a file, and makes it durable. A zip whose writing was broken off is cut
 * after its last whole entry and goes on there.
 */
export async function appendEntry(
  file: Append,
  { name, date }: { name: string; date: Date },
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<GrownEntry> {
  await file.write(localHeader(name, date));
  const dataOffset = file.sizeBytes();
  let sum = 0;
  for await (const part of bytes) {
    sum = crc32(part, sum);
    await file.write(part);
  }
  const sizeBytes = file.sizeBytes() - dataOffset;
  const descriptor = Buffer.alloc(24);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(sum, 4);
  descriptor.writeBigUInt64LE(BigInt(sizeBytes), 8);
  descriptor.writeBigUInt64LE(BigInt(sizeBytes), 16);
  await file.write(descriptor);
  await file.sync();
  return { name, dataOffset, sizeBytes, crc32: sum };
}

/** The bytes of the file up to the end of an entry, its descriptor included. */
export const endOf = ({ dataOffset, sizeBytes }: GrownEntry): number => dataOffset + sizeBytes + 24;

/** Writes the table of contents: the zip is whole then. */
export async function finishZip(file: Append, entries: readonly GrownEntry[], date: Date): Promise<void> {
  const start = file.sizeBytes();
  for (const entry of entries) await file.write(centralHeader(entry, date));
  await file.write(ending({ start, sizeBytes: file.sizeBytes() - start, count: entries.length }));
  await file.sync();
}

/** MS-DOS time and date, in UTC. */
function dosTime(date: Date): { time: number; day: number } {
  return {
    time: (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
    day: ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
  };
}

function localHeader(name: string, date: Date): Buffer {
  const text = Buffer.from(name, 'utf8');
  const head = Buffer.alloc(30);
  const { time, day } = dosTime(date);
  head.writeUInt32LE(0x04034b50, 0);
  for (const [at, value] of [VERSION, FLAGS, 0, time, day].entries()) head.writeUInt16LE(value, 4 + 2 * at);
  head.writeUInt32LE(NEXT, 18);
  head.writeUInt32LE(NEXT, 22);
  head.writeUInt16LE(text.length, 26);
  head.writeUInt16LE(20, 28);
  return Buffer.concat([head, text, zip64([0, 0])]);
}

function centralHeader({ name, dataOffset, sizeBytes, crc32: sum }: GrownEntry, date: Date): Buffer {
  const text = Buffer.from(name, 'utf8');
  const head = Buffer.alloc(46);
  const { time, day } = dosTime(date);
  head.writeUInt32LE(0x02014b50, 0);
  for (const [at, value] of [MADE_BY_UNIX, VERSION, FLAGS, 0, time, day].entries()) {
    head.writeUInt16LE(value, 4 + 2 * at);
  }
  head.writeUInt32LE(sum, 16);
  head.writeUInt32LE(NEXT, 20);
  head.writeUInt32LE(NEXT, 24);
  head.writeUInt16LE(text.length, 28);
  head.writeUInt16LE(28, 30);
  head.writeUInt32LE(MODE * 0x10000, 38);
  head.writeUInt32LE(NEXT, 42);
  // The local header ends with the name and 20 bytes of extra field.
  return Buffer.concat([head, text, zip64([sizeBytes, sizeBytes, dataOffset - 30 - text.length - 20])]);
}

/** Extra field 0x0001 (APPNOTE 4.5.3). */
function zip64(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [at, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * at);
  return field;
}

function ending({ start, sizeBytes, count }: { start: number; sizeBytes: number; count: number }): Buffer {
  const end = Buffer.alloc(56 + 20 + 22);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(MADE_BY_UNIX, 12);
  end.writeUInt16LE(VERSION, 14);
  for (const [at, value] of [count, count, sizeBytes, start].entries())
    end.writeBigUInt64LE(BigInt(value), 24 + 8 * at);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(start + sizeBytes), 64);
  end.writeUInt32LE(1, 72);
  end.writeUInt32LE(0x06054b50, 76);
  const few = Math.min(count, 0xffff);
  end.writeUInt16LE(few, 84);
  end.writeUInt16LE(few, 86);
  end.writeUInt32LE(NEXT, 88);
  end.writeUInt32LE(NEXT, 92);
  return end;
}
