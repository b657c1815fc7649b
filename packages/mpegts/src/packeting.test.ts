import { describe, expect, it } from 'vitest';
import { createDemuxer } from './demuxer.ts';
import { createMuxer } from './muxer.ts';
import { detectPacketing } from './packeting.ts';

/** `count` packets of `size` bytes with the sync byte at `syncOffset`, after `junk` bytes. */
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

  it('finds the first packet after other bytes', () => {
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
    ['twenty sync bytes after 64 KiB', stream(188, 20, { junk: 65_536 })],
    ['sync bytes after 1 MiB', stream(188, 60, { junk: 1_048_576 })],
  ])('finds no packets in %s', (_what, bytes) => {
    expect(detectPacketing(bytes)).toBeNull();
  });

  it.each([188, 192, 204] as const)('finds 50 packets of %i bytes after as much as 1 MiB of other bytes', (size) => {
    const syncOffset = size === 192 ? 4 : 0;
    const found = detectPacketing(stream(size, 50, { syncOffset, junk: 1_000_000 }));

    expect(found).toEqual({ packetSize: size, firstPacket: 1_000_000, syncOffset });
  });

  it('believes five packets after 64 KiB where one of them is a program association table', () => {
    const packets: number[] = [];
    const muxer = createMuxer({
      write: (bytes) => packets.push(...bytes),
      streams: [{ pid: 256, kind: 'klvAsync' }],
    });
    for (let n = 0; n < 3; n++) muxer.unit({ pid: 256, ptsTicks: n, bytes: new Uint8Array(300) });
    const late = Uint8Array.from([...new Uint8Array(100_000).fill(0xaa), ...packets]);

    expect(detectPacketing(late)).toEqual({ packetSize: 188, firstPacket: 100_000, syncOffset: 0 });
    const other = late.map((byte, at) => (at === 100_000 + 20 ? byte ^ 1 : byte));
    expect(detectPacketing(other)).toBeNull();
  });

  it.each([1_000, 70_000, 900_000])(
    'finds the same packets in a stream that comes in pieces, after %i bytes',
    (junk) => {
      const bytes = stream(188, 400, { junk });
      const demuxer = createDemuxer({});
      for (let at = 0; at < bytes.length; at += 7_001) demuxer.push(bytes.subarray(at, at + 7_001));
      const { packets, faults } = demuxer.end();

      expect(demuxer.packeting()).toEqual(detectPacketing(bytes));
      expect([packets, faults.skippedBytes]).toEqual([400, junk]);
    },
  );
});
