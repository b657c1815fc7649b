import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitReader } from './bit-reader.ts';
import { FormatError } from './format-error.ts';

/** Bits as text to bytes, filled up with zeros. */
function bytesOf(bits: string): Uint8Array {
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  return Uint8Array.from(padded.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

describe('BitReader', () => {
  it('reads numbers across byte borders, most significant bit first', () => {
    const reader = new BitReader(Uint8Array.from([0b1010_0101, 0b1100_0011]));

    expect([reader.bits(3), reader.bits(7), reader.flag(), reader.bits(5)]).toEqual([5, 23, false, 3]);
  });

  it('reads 32 bits without sign', () => {
    expect(new BitReader(Uint8Array.from([0xff, 0xff, 0xff, 0xfe])).bits(32)).toBe(0xfffffffe);
  });

  it('reads the Exp-Golomb codes of ITU-T H.264 table 9-2', () => {
    const reader = new BitReader(bytesOf('1 010 011 00100 00101 0001000'.replaceAll(' ', '')));

    expect(Array.from({ length: 6 }, () => reader.ue())).toEqual([0, 1, 2, 3, 4, 7]);
  });

  it('reads signed Exp-Golomb codes in the order 0, 1, -1, 2, -2', () => {
    const reader = new BitReader(bytesOf('1 010 011 00100 00101'.replaceAll(' ', '')));

    expect(Array.from({ length: 5 }, () => reader.se())).toEqual([0, 1, -1, 2, -2]);
  });

  it('stays within the bytes given to it', () => {
    const reader = new BitReader(Uint8Array.from([0xff, 0x0f, 0xff]), 1, 2);

    expect(reader.bits(8)).toBe(0x0f);
    expect(() => reader.bits(1)).toThrow(FormatError);
    expect(() => reader.skip(1)).toThrow(FormatError);
  });

  it('refuses an Exp-Golomb code longer than 32 bits', () => {
    expect(() => new BitReader(new Uint8Array(16)).ue()).toThrow(FormatError);
  });

  it('gives any number back that was written in as many bits', () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xffffffff }), fc.integer({ min: 0, max: 15 }), (value, shift) => {
        const bits = '0'.repeat(shift) + value.toString(2).padStart(32, '0');
        const reader = new BitReader(bytesOf(bits));
        reader.skip(shift);
        expect(reader.bits(32)).toBe(value);
      }),
    );
  });
});
