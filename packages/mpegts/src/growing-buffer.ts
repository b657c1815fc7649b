import { PACKET_SIZE } from './packet.ts';
import { createViewOf } from './words.ts';

/** Bytes that all buffers of one reader may hold together. */
export type Budget = { left: number };

/** A buffer that grows by doubling, up to its own limit and the shared budget. */
export type GrowingBuffer = {
  /** Appends bytes. Returns false when they do not fit: then nothing was added. */
  append(bytes: Uint8Array, start: number, end: number): boolean;
  clear(): void;
  /** Call it again after each append: growing makes another array. */
  bytes(): Uint8Array;
  length(): number;
};

const FIRST_SIZE = 4096;
/** Largest buffer that is kept when it is cleared, in bytes; a larger one is released. */
const RETAINED_SIZE = 262_144;

/** Makes an empty buffer; it takes memory with the first bytes. */
export function createGrowingBuffer(limit: number, budget: Budget): GrowingBuffer {
  let buffer = new Uint8Array(0);
  let length = 0;
  const sourceView = createViewOf();
  const ownView = createViewOf();

  function append(bytes: Uint8Array, start: number, end: number): boolean {
    const needed = length + end - start;
    if (needed > buffer.length && !grow(needed)) return false;
    // The bytes of one packet are copied in words: an array for each was a third of all garbage.
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
    // Copies four words a round: loop overhead took half of the time.
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
