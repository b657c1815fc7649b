/** Bytes that can be read at any place; fewer bytes than `buffer` takes come only at the end. */
export type ReadableAt = {
  readonly sizeBytes: number;
  read: (buffer: Uint8Array, position: number) => Promise<number>;
};

/**
 * Bytes of one step for files of any size: as fast as larger steps, while three of them still fit the cache that
 * processors share. Smaller steps wake the reader and its consumers too often. Measured from 512 KiB to 8 MiB.
 */
const CHUNK_BYTES = 3 * 1024 * 1024;
/** While one step is processed, the next is read, and one more waits, so that the consumer need not be woken. */
const BUFFERS = 3;
/**
 * Skips to the next page: Linux allocators place so large an array 16 bytes after a page start, and the kernel on some
 * processors (AMD Zen) copies to such addresses at a third of its speed.
 */
const TO_NEXT_PAGE = 4096 - 16;

/**
 * Reads a file step by step for a demuxer, ahead of it, in a few buffers by turns: `bytes` are valid until the next
 * step, `position` is where they end. After leaving the loop early the caller may close the file.
 */
export async function* readAhead(source: ReadableAt): AsyncGenerator<{ bytes: Uint8Array; position: number }> {
  const size = Math.min(CHUNK_BYTES, Math.max(1, source.sizeBytes));
  const steps = Math.max(1, Math.ceil(source.sizeBytes / size));
  const buffers = Array.from({ length: Math.min(BUFFERS, steps) }, () =>
    new Uint8Array(TO_NEXT_PAGE + size).subarray(TO_NEXT_PAGE),
  );
  const read = (step: number): Promise<number> => {
    const reading = source.read(buffers[step % buffers.length]!, step * size);
    // Awaited when its turn comes; a failure before that must not be an unhandled rejection.
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
    // A caller that leaves the loop closes the file, so no read may be under way.
    await Promise.allSettled(coming);
  }
}
