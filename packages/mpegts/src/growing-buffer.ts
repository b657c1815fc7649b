import { PACKET_SIZE } from './packet.ts';
import { createViewOf } from './words.ts';

/** Number of bytes that may still be allocated by all buffers of one reader together. */
export type Budget = { left: number };

/** A buffer that grows by doubling, up to its own limit and the shared budget. */
export type GrowingBuffer = {
  /** Appends bytes. Returns false if they do not fit, in which case nothing is added. */
  append(bytes: Uint8Array, start: number, end: number): boolean;
  clear(): void;
  /** Returns the array, which may be replaced when the buffer grows: call this again after each append. */
  bytes(): Uint8Array;
  length(): number;
};

const FIRST_SIZE = 4096;
/** Maximum size of a buffer that is kept when it is cleared, in bytes; a larger one is released. */
const RETAINED_SIZE = 262_144;

/** Creates an empty buffer; memory is allocated with the first bytes. */
export function createGrowingBuffer(limit: number, budget: Budget): GrowingBuffer {
  let buffer = new Uint8Array(0);
  let length = 0;
  const sourceView = createViewOf();
  const ownView = createViewOf();

  function append(bytes: Uint8Array, start: number, end: number): boolean {
    const needed = length + end - start;
    if (needed > buffer.length && !grow(needed)) return false;
    // Copy the bytes of one packet word by word: creating a subarray for each packet caused a third of all garbage.
    if (end - start <= PACKET_SIZE) copyWords(bytes, start, end);
    else buffer.set(bytes.subarray(start, end), length);
    length = needed;
    return true;
  }

  function copyWords(bytes: Uint8Array, start: number, end: number) {
    const from = sourceView(bytes);
    const to = ownView(buffer);
    const shift = length - start;
    let at = start;
    // Copy four words per iteration: loop overhead took half of the time.
    for (; at + 16 <= end; at += 16) {
      to.setInt32(at + shift, from.getInt32(at, true), true);
      to.setInt32(at + shift + 4, from.getInt32(at + 4, true), true);
      to.setInt32(at + shift + 8, from.getInt32(at + 8, true), true);
      to.setInt32(at + shift + 12, from.getInt32(at + 12, true), true);
    }
    for (; at + 4 <= end; at += 4) to.setInt32(at + shift, from.getInt32(at, true), true);
    for (; at < end; at++) buffer[at + shift] = bytes[at]!;
  }

  function grow(needed: number): boolean {
    if (needed > limit) return false;
    const size = Math.min(limit, Math.max(FIRST_SIZE, 2 ** Math.ceil(Math.log2(needed))));
    if (size - buffer.length > budget.left) return false;
    budget.left -= size - buffer.length;
    const larger = new Uint8Array(size);
    larger.set(buffer.subarray(0, length));
    buffer = larger;
    return true;
  }

  function clear() {
    length = 0;
    if (buffer.length <= RETAINED_SIZE) return;
    budget.left += buffer.length;
    buffer = new Uint8Array(0);
  }

  return { append, clear, bytes: () => buffer, length: () => length };
}
