import { describe, expect, it } from 'vitest';
import { detectPacketing } from './packeting.ts';

/** `count` packets of `size` bytes whose sync byte lies at `syncOffset`, behind `junk` bytes. */
function stream(size: number, count: number, { syncOffset = 0, junk = 0 } = {}): Uint8Array {
  const bytes = new Uint8Array(junk + size * count).fill(0xaa);
  for (let k = 0; k < count; k++) bytes[junk + k * size + syncOffset] = 0x47;
  return bytes;
}

describe('detectPacketing', () => {
  it.each([
    [188, 0],
    [192, 4],
    [204, 0],
  ] as const)('tells packets of %i bytes by their sync bytes', (packetSize, syncOffset) => {
    const found = detectPacketing(stream(packetSize, 20, { syncOffset }));

    expect(found).toEqual({ packetSize, firstPacket: 0, syncOffset });
  });

  it('finds the first packet behind other bytes', () => {
    expect(detectPacketing(stream(188, 20, { junk: 1000 }))).toMatchObject({ packetSize: 188, firstPacket: 1000 });
  });

  it('begins with the first packet whose arrival time is whole', () => {
    const cut = stream(192, 20, { syncOffset: 4 }).subarray(2);

    expect(detectPacketing(cut)).toEqual({ packetSize: 192, firstPacket: 190, syncOffset: 4 });
  });

  it.each([1, 2, 4])('takes %i whole packets and nothing else for a stream', (count) => {
    expect(detectPacketing(stream(188, count))).toMatchObject({ packetSize: 188, firstPacket: 0 });
    expect(detectPacketing(stream(188, count).subarray(0, -1))).toBeNull();
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['one sync byte', Uint8Array.of(0x47)],
    ['text', new TextEncoder().encode('This is a text, Gentlemen.\n'.repeat(80))],
    ['four sync bytes in their places', stream(188, 4, { junk: 7 })],
    ['sync bytes behind the first 64 KiB', stream(188, 20, { junk: 65_536 })],
  ])('finds no packets in %s', (_what, bytes) => {
    expect(detectPacketing(bytes)).toBeNull();
  });
});
