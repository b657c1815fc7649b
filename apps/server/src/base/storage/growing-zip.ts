import type { Append } from './storage.ts';
import { directory, type PlacedEntry } from './zip-format.ts';
import { entryParts, type ZipSource } from './zip-writer.ts';

/** A complete entry of a growing zip: its data for the central directory, and the offset of its bytes. */
export type GrownEntry = Omit<PlacedEntry, 'date'> & { dataOffset: number };

/**
 * Appends one uncompressed entry to a zip that grows in a file, and syncs it. If the writing of a zip was interrupted,
 * the file is truncated after its last complete entry and continued there.
 */
export async function appendEntry(file: Append, source: ZipSource): Promise<GrownEntry> {
  const offset = file.sizeBytes();
  const sums = { sizeBytes: 0, crc32: 0 };
  for await (const part of entryParts(source, ({ sizeBytes, crc32 }) => Object.assign(sums, { sizeBytes, crc32 }))) {
    await file.write(part);
  }
  await file.sync();
  return { name: source.name, ...sums, offset, dataOffset: file.sizeBytes() - sums.sizeBytes };
}

/** Returns the offset at which an entry ends in the file. */
export const endOf = ({ dataOffset, sizeBytes }: GrownEntry): number => dataOffset + sizeBytes;

/** Writes the central directory, which completes the zip. */
export async function finishZip(file: Append, entries: readonly GrownEntry[], date: Date): Promise<void> {
  const placed = entries.map((entry) => ({ ...entry, date }));
  for (const part of directory(placed, file.sizeBytes())) await file.write(part);
  await file.sync();
}
