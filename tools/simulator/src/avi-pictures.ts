const CHUNK_HEAD = 8;
const LIST_HEAD = 12;

/**
 * Takes the pictures out of an AVI as it is written into a pipe. AVI gives the end of each picture at once: in a bare
 * H.264 stream only the next picture would, a whole frame later.
 */
export function aviPictures(take: (picture: Uint8Array) => void): { push(bytes: Uint8Array): void } {
  let rest = Buffer.alloc(0);

  /** Bytes that were read from the front; 0 asks for more. */
  function readChunk(bytes: Buffer): number {
    if (bytes.length < LIST_HEAD) return 0;
    const kind = bytes.toString('latin1', 0, 4);
    const inside = kind === 'RIFF' || (kind === 'LIST' && bytes.toString('latin1', 8, 12) === 'movi');
    // Lists of pictures are of unknown length, and are entered.
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
