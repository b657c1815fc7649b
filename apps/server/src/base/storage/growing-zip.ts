import type { Append } from './storage.ts';
import { directory, type PlacedEntry } from './zip-format.ts';
import { entryParts, type ZipSource } from './zip-writer.ts';

/** A whole entry of a zip that grows: what the directory says, and where its bytes are. */
export type GrownEntry = Omit<PlacedEntry, 'date'> & { dataOffset: number };

/**
 * Appends one stored entry to a zip that grows in a file, and makes it durable. A zip whose writing was interrupted is cut
 * after its last whole entry and goes on there.
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

/** The bytes of the file up to the end of an entry. */
export const endOf = ({ dataOffset, sizeBytes }: GrownEntry): number => dataOffset + sizeBytes;

/** Writes the directory: the zip is whole then. */
export async function finishZip(file: Append, entries: readonly GrownEntry[], date: Date): Promise<void> {
  const placed = entries.map((entry) => ({ ...entry, date }));
  for (const part of directory(placed, file.sizeBytes())) await file.write(part);
  await file.sync();
}
