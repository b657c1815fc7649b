/** Whether the first packet of these bytes begins a program association table (PAT). */
export const beginsWithTables = (bytes: Uint8Array): boolean => (bytes[1]! & 0x5f) === 0x40 && bytes[2] === 0;

/**
 * Inserts PAT and PMT at the start of a file that begins in the middle of a stream: without them nothing could be
 * decoded until the sender repeats them.
 */
export async function* withTables(tables: Uint8Array, pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let isFirst = true;
  for await (const bytes of pieces) {
    if (isFirst && !beginsWithTables(bytes)) yield tables;
    isFirst = false;
    yield bytes;
  }
}
