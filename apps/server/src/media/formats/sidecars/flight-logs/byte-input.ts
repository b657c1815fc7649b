/** Reads a file that arrives in pieces. Records are requested by their length, and only that much is buffered. */
export type ByteInput = {
  /**
   * Waits until `count` bytes are available; false at the end of the file. For most records no wait is necessary: check
   * `left` first.
   */
  has(count: number): Promise<boolean>;
  /** Returns the next bytes, which must be available. They are valid until the next call. */
  peek(count: number): DataView;
  skip(count: number): void;
  /** Number of bytes consumed since the beginning of the file. */
  position(): number;
  /** Number of bytes available without waiting. */
  left(): number;
  /** Closes the file, even before its end. */
  close(): Promise<void>;
};

export function createByteInput(source: AsyncIterable<Uint8Array>): ByteInput {
  const pieces = source[Symbol.asyncIterator]();
  let bytes: Uint8Array = new Uint8Array();
  let at = 0;
  let passed = 0;

  async function wait(count: number): Promise<boolean> {
    while (bytes.length - at < count) {
      const { done, value } = await pieces.next();
      if (done) return false;
      bytes = at === bytes.length ? value : Buffer.concat([bytes.subarray(at), value]);
      at = 0;
    }
    return true;
  }

  return {
    has: wait,
    peek: (count) => new DataView(bytes.buffer, bytes.byteOffset + at, count),
    skip(count) {
      at += count;
      passed += count;
    },
    position: () => passed,
    left: () => bytes.length - at,
    async close() {
      await pieces.return?.();
    },
  };
}
