import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyPesHeader, readPesHeader, readTimestamp, writeTimestamp } from './pes.ts';

function read(hex: string) {
  const bytes = Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  const header = emptyPesHeader();
  return { state: readPesHeader(bytes, 0, bytes.length, header), header };
}

describe('readPesHeader', () => {
  it('reads PTS and DTS of an unbounded video packet', () => {
    const { state, header } = read('000001e0 0000 84c0 0a 3100 0707 d1 1100 05bf 21');

    expect(state).toBe('whole');
    expect(header).toMatchObject({ streamId: 0xe0, size: 0, headSize: 19, pts: 99_304, dts: 90_000 });
  });

  it('knows the size of a bounded packet without time', () => {
    expect(read('000001bd 0010 8400 00').header).toMatchObject({ size: 22, headSize: 9, pts: -1, dts: -1 });
  });

  it('takes the DTS for absent when the fields have no room for it', () => {
    expect(read('000001e0 0000 84c0 05 2100 0100 01').header).toMatchObject({ pts: 0, dts: -1 });
  });

  it('reads stream ids without flags as payload from the seventh byte', () => {
    expect(read('000001be 0002 ffff')).toMatchObject({ state: 'whole', header: { headSize: 6, size: 8 } });
  });

  it.each([
    ['less than a start code', '000001', 'short'],
    ['a head that goes on', '000001e0 0000 8480 05 21', 'short'],
    ['no start code', '000002e0 0000 8400 00', 'broken'],
    ['flags of MPEG-1', '000001e0 0000 2100 00', 'broken'],
    ['a head longer than its packet', '000001bd 0004 8480 05 21 0001 0001', 'broken'],
  ])('says of %s: %s', (_what, hex, state) => {
    expect(read(hex).state).toBe(state);
  });

  it('gives any time of 33 bits back that was written', () => {
    const bytes = new Uint8Array(5);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 33 - 1 }), (ticks) => {
        writeTimestamp(bytes, 0, 2, ticks);
        expect(readTimestamp(bytes, 0)).toBe(ticks);
      }),
    );
  });

  it('wraps times beyond 33 bits and before 0', () => {
    const bytes = new Uint8Array(5);
    writeTimestamp(bytes, 0, 2, 2 ** 33 + 5);
    expect(readTimestamp(bytes, 0)).toBe(5);
    writeTimestamp(bytes, 0, 2, -1);
    expect(readTimestamp(bytes, 0)).toBe(2 ** 33 - 1);
  });
});
