import { describe, expect, it } from 'vitest';
import { type ReadableAt, readAhead } from './read-ahead.ts';

const MIB = 1024 * 1024;

describe('reading ahead', () => {
  it.each([0, 1, MIB, 3 * MIB, 12 * MIB, 14 * MIB + 7])('gives all %i bytes in their order', async (sizeBytes) => {
    const file = fileOf(sizeBytes);
    let at = 0;
    for await (const { bytes, position } of readAhead(file)) {
      expect([bytes[0], bytes.at(-1)]).toEqual([byteAt(at), byteAt(position - 1)]);
      at += bytes.length;
      expect(position).toBe(at);
    }
    expect(at).toBe(sizeBytes);
  });

  it('ends where a file that was cut ends', async () => {
    const file = fileOf(2 * MIB + 7);
    let length = 0;
    for await (const { bytes } of readAhead({ ...file, sizeBytes: 29 * MIB })) length += bytes.length;
    expect(length).toBe(2 * MIB + 7);
  });

  it('reads nothing any more once it was broken off', async () => {
    let reading = 0;
    const file = fileOf(9 * MIB);
    const watched: ReadableAt = {
      ...file,
      async read(buffer, position) {
        reading += 1;
        const filled = await file.read(buffer, position);
        reading -= 1;
        return filled;
      },
    };
    for await (const _ of readAhead(watched)) break;
    expect(reading).toBe(0);
  });

  it('passes on what went wrong, at its place', async () => {
    const file = fileOf(24 * MIB);
    const broken: ReadableAt = {
      ...file,
      read: (buffer, position) =>
        position >= 12 * MIB ? Promise.reject(new Error(`medium at ${position}`)) : file.read(buffer, position),
    };
    let length = 0;
    const all = async () => {
      for await (const { bytes } of readAhead(broken)) length += bytes.length;
    };
    await expect(all()).rejects.toThrow(`medium at ${12 * MIB}`);
    expect(length).toBe(12 * MIB);
  });
});

const byteAt = (position: number): number => (position * 7) % 251;

function fileOf(sizeBytes: number): ReadableAt {
  return {
    sizeBytes,
    async read(buffer, position) {
      const filled = Math.max(0, Math.min(buffer.length, sizeBytes - position));
      for (let at = 0; at < filled; at += 1) buffer[at] = byteAt(position + at);
      return filled;
    },
  };
}
