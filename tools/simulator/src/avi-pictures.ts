const CHUNK_HEAD = 8;
const LIST_HEAD = 12;

/**
 * Extracts the pictures from an AVI stream while it is being written to a pipe. AVI states the size of each picture, so
 * its end is known immediately; in a bare H.264 stream it is known only when the next picture begins, a whole frame
 * later.
 */
export function aviPictures(take: (picture: Uint8Array) => void): { push(bytes: Uint8Array): void } {
  let rest = Buffer.alloc(0);

  /** Reads a chunk and returns the number of bytes read from the front; 0 if more bytes are needed. */
  function readChunk(bytes: Buffer): number {
    if (bytes.length < LIST_HEAD) return 0;
    const kind = bytes.toString('latin1', 0, 4);
    const inside = kind === 'RIFF' || (kind === 'LIST' && bytes.toString('latin1', 8, 12) === 'movi');
    // Read the contents of picture lists chunk by chunk, since the length of a list is not known.
    if (inside) return LIST_HEAD;
    const size = bytes.readUInt32LE(4);
    const padded = CHUNK_HEAD + size + (size & 1);
    if (bytes.length < padded) return 0;
    if (kind === '00dc' && size > 0) take(Uint8Array.from(bytes.subarray(CHUNK_HEAD, CHUNK_HEAD + size)));
    return padded;
  }

  return {
    push(bytes) {
      rest = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes]);
      for (let read = readChunk(rest); read > 0; read = readChunk(rest)) rest = rest.subarray(read);
    },
  };
}
