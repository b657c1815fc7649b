import { FormatError } from '@osprey/bytes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSt0601Reader, decodePacket, encodeSt0102, encodeSt0601, encodeSt0903, packets } from '../src/index.ts';

/** `npm run soak` asks for a million. */
const MUTATIONS = Number(process.env.OSPREY_MUTATED_PACKETS ?? 100_000);
const SEED = Number(process.env.OSPREY_SEED ?? 20_601);

const T0 = 1_700_000_000_000_000;
const PLACE = { latitude: 1, longitude: 2, height: 3 };
const TARGET = {
  id: 7,
  1: 409_600,
  8: 0xff0000,
  13: 1,
  17: PLACE,
  104: { 9: [PLACE], 10: { east: 1, north: 2, up: 3 } },
};
const SECURITY = { 1: 2, 3: '//USA', 13: 'USA', 22: 12 };

const samples: readonly Uint8Array[] = [
  encodeSt0601({ 2: T0, 3: 'M1', 5: 10, 13: 45, 14: 9, 48: SECURITY, 65: 17 }),
  encodeSt0601({ 2: T0, 74: { 4: 5, 8: 1920, 101: [TARGET, TARGET], 102: [{ 1: 9 }] }, 100: [{ 8: 1 }] }),
  encodeSt0601({
    104: 9,
    115: [{ id: 1, command: 'GO' }],
    130: { takeOff: PLACE, recovery: null },
    138: [{ id: 0, type: 0, name: 'A' }],
  }),
  encodeSt0903({ 2: T0, 101: [{ id: 1, 101: { 1: [5], 2: [{ pixel: 3, length: 4 }] } }] }),
  encodeSt0102(SECURITY),
];

/** Numbers from 0 to 1 that come again with the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Changes some bytes, and at times cuts, or doubles a part. */
function mutate(bytes: Uint8Array, random: () => number): Uint8Array {
  const below = (limit: number) => Math.floor(random() * limit);
  const changed = bytes.slice();
  for (let changes = below(4) + 1; changes > 0; changes--) changed[below(changed.length)] = below(256);
  const kind = below(8);
  if (kind === 0) return changed.subarray(0, below(changed.length));
  if (kind > 1) return changed;
  const at = below(changed.length);
  return new Uint8Array(Buffer.concat([changed.subarray(0, at), changed.subarray(at - below(at + 1))]));
}

/** Reads the bytes in every way there is; anything but FormatError goes through. */
function readAll(bytes: Uint8Array, reader: ReturnType<typeof createSt0601Reader>): void {
  for (const { start, end } of packets(bytes, 0, bytes.length)) readOne(bytes, start, end, reader);
  readOne(bytes, 0, bytes.length, reader);
}

function readOne(bytes: Uint8Array, start: number, end: number, reader: ReturnType<typeof createSt0601Reader>): void {
  try {
    const { faults } = decodePacket(bytes, start, end);
    if (faults.length > 100) throw new Error('More faults than are allowed');
    const record = reader.read(bytes, start, end);
    for (const item of record.nested) reader.decodeNested(bytes, item);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
}

describe('damage', () => {
  it(`throws nothing but FormatError over ${MUTATIONS} mutated packets, seed ${SEED}`, () => {
    const random = randomFrom(SEED);
    const reader = createSt0601Reader();
    for (let count = 0; count < MUTATIONS; count++) readAll(mutate(samples[count % samples.length]!, random), reader);
  }, 300_000);

  it('throws nothing but FormatError for random bytes after a right key', () => {
    const reader = createSt0601Reader();
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.uint8Array({ maxLength: 300 }), (sample, noise) => {
        const length = Math.min(noise.length, 127);
        readAll(new Uint8Array(Buffer.concat([sample.subarray(0, 16), Buffer.of(length), noise])), reader);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes time in proportion to a hostile packet, however its items are made', () => {
    const bodies = [
      // Thirty thousand items that may be repeated, empty ones, and sets in sets.
      Buffer.alloc(60_000, Buffer.of(115, 0)),
      Buffer.alloc(60_000, Buffer.of(115, 1, 0)),
      Buffer.alloc(60_000, Buffer.of(13, 1, 0)),
      Buffer.alloc(60_000, 0),
      Buffer.alloc(60_000, 0xff),
      Buffer.alloc(60_000, Buffer.of(101, 0x82, 0x70, 0x00)),
    ];
    for (const body of bodies) {
      const packet = new Uint8Array(
        Buffer.concat([samples[0]!.subarray(0, 16), Buffer.of(0x82, body.length >> 8, body.length & 0xff), body]),
      );

      expect(decodePacket(packet, 0, packet.length).faults.length).toBeLessThanOrEqual(100);
      readAll(packet, createSt0601Reader());
    }
  });
});
