import { readFileSync } from 'node:fs';
import { FormatError } from '@osprey/bytes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../tools/test-support/test-data.ts';
import { decodeImapb, encodeImapb, type ImapbSpecial, imapbSpecial } from './imapb.ts';

type Vector = {
  L: number;
  a: number;
  b: number;
  x: number | ImapbSpecial;
  forwardResultHex: string;
  reverseResult: number | ImapbSpecial;
};

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

describe('IMAPB', () => {
  itWithData('maps every test vector of ST 1201 there and back', () => {
    const vectors: Vector[] = JSON.parse(readFileSync(testData('klv/jmisb/st1201tests.json'), 'utf8'));

    expect(vectors).toHaveLength(2128);
    for (const { L: length, a: min, b: max, x, forwardResultHex, reverseResult } of vectors) {
      const bytes = encodeImapb(x, min, max, length);
      expect(hex(bytes), `${x} in ${min}..${max}, ${length} bytes`).toBe(forwardResultHex);
      const special = imapbSpecial(bytes, 0, length);
      if (typeof reverseResult === 'string') {
        expect(special).toBe(reverseResult);
        continue;
      }
      expect(special).toBeNull();
      const step = 2 ** (Math.ceil(Math.log2(max - min)) - 8 * length + 1);
      const back = decodeImapb(bytes, 0, length, min, max);
      expect(Math.abs(back - reverseResult)).toBeLessThanOrEqual(Math.max(step, Math.abs(reverseResult) * 1e-15));
    }
  });

  it('reads the examples of ST 0601', () => {
    const example = (text: string, min: number, max: number) =>
      decodeImapb(Buffer.from(text, 'hex'), 0, text.length / 2, min, max);

    expect(example('00d92a', 0, 1_500_000)).toBe(13898.5);
    expect(example('2f921e', -900, 40000)).toBe(23456.234375);
    expect(example('3e90', -1000, 1000)).toBe(1);
  });

  it('gives the largest number of a range as wide as a power of two for the high bit alone', () => {
    expect(decodeImapb(Uint8Array.of(0x80, 0), 0, 2, 0, 256)).toBe(256);
    expect(imapbSpecial(Uint8Array.of(0x80, 1), 0, 2)).toBe('reserved');
  });

  it('writes numbers outside the range as below minimum and above maximum', () => {
    expect(hex(encodeImapb(-1, 0, 100, 2))).toBe('0xe000');
    expect(hex(encodeImapb(101, 0, 100, 2))).toBe('0xe100');
    expect(decodeImapb(Uint8Array.of(0xe1, 0), 0, 2, 0, 100)).toBeNaN();
  });

  it('gives zero back as zero', () => {
    expect(decodeImapb(encodeImapb(0, -0.1, 1.001, 3), 0, 3, -0.1, 1.001)).toBe(0);
  });

  it('refuses lengths that no integer has and bytes that are not there', () => {
    expect(() => decodeImapb(new Uint8Array(20), 0, 9, 0, 1)).toThrow(FormatError);
    expect(() => decodeImapb(new Uint8Array(2), 1, 2, 0, 1)).toThrow(FormatError);
    expect(() => encodeImapb(1, 5, 5, 2)).toThrow(RangeError);
    expect(() => encodeImapb(1, 0, 5, 0)).toThrow(RangeError);
  });

  it('comes back within a step for any range, length and number', () => {
    const range = fc
      .tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: 1e-3, max: 1e6, noNaN: true }))
      .map(([min, width]) => ({ min, max: min + width }));
    fc.assert(
      fc.property(
        range,
        fc.integer({ min: 1, max: 6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ min, max }, length, share) => {
          const value = min + share * (max - min);
          const step = 2 ** (Math.ceil(Math.log2(max - min)) - 8 * length + 1);
          const back = decodeImapb(encodeImapb(value, min, max, length), 0, length, min, max);
          expect(Math.abs(back - value)).toBeLessThanOrEqual(step * 1.001 + 1e-9);
        },
      ),
    );
  });
});
