import { FormatError } from '@osprey/bytes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteWriter, byteCount, signedByteCount } from './byte-writer.ts';
import { Cursor, readUtf8, readUtf16 } from './cursor.ts';

const over = (...bytes: number[]): Cursor => new Cursor(Uint8Array.from(bytes), 0, bytes.length);

describe('the cursor', () => {
  it('reads short and long BER lengths', () => {
    expect(over(0x7f).berLength()).toBe(127);
    expect(over(0x81, 0xc9).berLength()).toBe(201);
    expect(over(0x82, 0x01, 0x00).berLength()).toBe(256);
    expect(over(0x84, 0xff, 0xff, 0xff, 0xff).berLength()).toBe(4_294_967_295);
  });

  it('reads BER-OID tags of one byte and more', () => {
    expect(over(0x0d).berOid()).toBe(13);
    expect(over(0x81, 0x00).berOid()).toBe(128);
    expect(over(0x81, 0x0f).berOid()).toBe(143);
    expect(over(0xff, 0xff, 0x7f).berOid()).toBe(2_097_151);
  });

  it.each([
    ['the indefinite form', over(0x80, 0)],
    ['a length of 127 bytes', over(0xff, ...new Array<number>(127).fill(0))],
    ['a length of 9 bytes', over(0x89, 0, 0, 0, 0, 0, 0, 0, 0, 1)],
    ['a length cut short', over(0x82, 1)],
    ['nothing', over()],
  ])('refuses %s as a length', (_what, cursor) => {
    expect(() => cursor.berLength()).toThrow(FormatError);
  });

  it('refuses a tag that never ends', () => {
    expect(() => over(...new Array<number>(40).fill(0x80)).berOid()).toThrow(FormatError);
  });

  it('reads 64-bit integers exactly up to 2^53 and -1 in 8 bytes', () => {
    expect(over(0, 4, 0x59, 0xf4, 0xa6, 0xaa, 0x4a, 0xa8).uint(8)).toBe(1_224_807_209_913_000);
    expect(over(...new Array<number>(8).fill(0xff)).int(8)).toBe(-1);
    expect(over(0x80).int(1)).toBe(-128);
  });

  it('never goes past its end', () => {
    const cursor = new Cursor(Uint8Array.of(1, 2, 3, 4), 1, 3);

    expect(cursor.uint(2)).toBe(0x0203);
    expect(() => cursor.uint(1)).toThrow(expect.objectContaining({ name: 'FormatError', offset: 3 }));
  });

  it('cuts the NULs that encoders pad with and replaces broken UTF-8', () => {
    expect(readUtf8(Uint8Array.of(0x41, 0, 0x42, 0, 0), 0, 5)).toBe('A\0B');
    expect(readUtf8(Uint8Array.of(0xff, 0x41), 0, 2)).toBe('\ufffdA');
    expect(readUtf8(new Uint8Array(4), 0, 4)).toBe('');
  });

  it('reads country codes in UTF-16BE, and in UTF-8 where an encoder wrote that', () => {
    expect(readUtf16(Uint8Array.of(0, 0x55, 0, 0x53), 0, 4)).toBe('US');
    expect(readUtf16(Uint8Array.of(0x55, 0x53), 0, 2)).toBe('US');
  });
});

describe('the writer', () => {
  it('writes what the cursor reads', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 2 ** 35 - 1 }), fc.maxSafeInteger(), (length, tag, number) => {
        const size = signedByteCount(number);
        const bytes = new ByteWriter().berLength(length).berOid(tag).integer(number, size).finish();
        const cursor = new Cursor(bytes, 0, bytes.length);

        expect([cursor.berLength(), cursor.berOid(), cursor.int(size), cursor.left]).toEqual([length, tag, number, 0]);
      }),
    );
  });

  it('takes as few bytes as the number needs', () => {
    expect([0, 255, 256, 65_535, 65_536].map(byteCount)).toEqual([1, 1, 2, 2, 3]);
    expect([0, 127, 128, -128, -129].map(signedByteCount)).toEqual([1, 1, 2, 1, 2]);
  });
});
