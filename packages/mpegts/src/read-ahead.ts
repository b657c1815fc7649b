/** A source of bytes that can be read at any offset. Fewer bytes than `buffer` holds are read only at the end. */
export type ReadableAt = {
  readonly sizeBytes: number;
  read: (buffer: Uint8Array, position: number) => Promise<number>;
};

/**
 * Number of bytes per step, for files of any size. It is as fast as larger steps, while three buffers still fit into
 * the cache that processors share; smaller steps wake the reader and its consumers too often. Measured from 512 KiB to
 * 8 MiB.
 */
const CHUNK_BYTES = 3 * 1024 * 1024;
/**
 * Number of buffers: while one step is processed, the next is read, and one more waits, so that the consumer does not
 * have to sleep and be woken.
 */
const BUFFERS = 3;
/**
 * Number of bytes to skip to the next page. Linux allocators place arrays of this size 16 bytes after the start of a
 * page, and on some processors (AMD Zen) the kernel copies to such addresses at a third of the usual speed.
 */
const TO_NEXT_PAGE = 4096 - 16;

/**
 * Reads a file step by step for a demuxer, ahead of its progress, into a few buffers that are used in turn: `bytes` are
 * valid until the next step, and `position` is the offset at which they end. After leaving the loop early, the caller
 * may close the file.
 */
export async function* readAhead(source: ReadableAt): AsyncGenerator<{ bytes: Uint8Array; position: number }> {
  const size = Math.min(CHUNK_BYTES, Math.max(1, source.sizeBytes));
  const steps = Math.max(1, Math.ceil(source.sizeBytes / size));
  const buffers = Array.from({ length: Math.min(BUFFERS, steps) }, () =>
    new Uint8Array(TO_NEXT_PAGE + size).subarray(TO_NEXT_PAGE),
  );
  const read = (step: number): Promise<number> => {
    const reading = source.read(buffers[step % buffers.length]!, step * size);
    // The promise is awaited later; until then, its failure must not count as an unhandled rejection.
    reading.catch(() => {});
    return reading;
  };
  const coming = buffers.map((_, step) => read(step));
  try {
    for (let step = 0; step < steps; step += 1) {
      const filled = await coming.shift()!;
      if (filled === 0) return;
      yield { bytes: buffers[step % buffers.length]!.subarray(0, filled), position: step * size + filled };
      if (step + buffers.length < steps) coming.push(read(step + buffers.length));
    }
  } finally {
    // A caller that leaves the loop closes the file, so wait until no read is in progress.
    await Promise.allSettled(coming);
  }
}
