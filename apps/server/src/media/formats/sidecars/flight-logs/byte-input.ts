/** Bytes of a file that comes in pieces: a record is asked for by its length, and only that much is kept. */
export type ByteInput = {
  /** Waits until `count` bytes are there; false at the end of the file. Most records need no wait: `left` is enough. */
  has(count: number): Promise<boolean>;
  /** The next bytes, which are at hand. They hold until it is asked again. */
  peek(count: number): DataView;
  skip(count: number): void;
  /** Bytes that were passed, from the first of the file on. */
  position(): number;
  /** Bytes that are left at hand. */
  left(): number;
  /** Closes the file, read to its end or not. */
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
