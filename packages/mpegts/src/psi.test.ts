import { describe, expect, it } from 'vitest';
import { crc32 } from './crc32.ts';
import { readPat, readPmt, sectionState } from './psi.ts';
import { createSectionReader } from './sections.ts';
import { readDescriptors, streamKind } from './stream-kind.ts';
import { patSection, pmtSection } from './table-writer.ts';
import type { Program } from './types.ts';

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

const PROGRAM: Program = {
  number: 7,
  pmtPid: 0x1000,
  pcrPid: 0x101,
  version: 3,
  streams: [
    { pid: 0x101, streamType: 0x1b, kind: 'h264', registration: null },
    { pid: 0x102, streamType: 0x06, kind: 'klvAsync', registration: 'KLVA' },
    { pid: 0x103, streamType: 0x15, kind: 'klvSync', registration: null, metadataService: 0 },
  ],
};

describe('sections', () => {
  it('have the CRC of the catalogue: 0376E6E7 over the digits 1 to 9', () => {
    expect(crc32(new TextEncoder().encode('123456789'), 0, 9)).toBe(0x0376e6e7);
  });

  it('come back as they were written', () => {
    const pat = patSection(7, 0x1000);
    const pmt = pmtSection(PROGRAM);

    expect(sectionState(pat, 0, pat.length)).toBe('good');
    expect(readPat(pat, 0, pat.length).programs).toEqual([{ number: 7, pmtPid: 0x1000 }]);
    expect(sectionState(pmt, 0, pmt.length)).toBe('good');
    expect(readPmt(pmt, 0, pmt.length, 0x1000)).toEqual(PROGRAM);
  });

  it('name the metadata service that a program points to', () => {
    // General application format, KLVA, service 3, no locator: in this program, in program 9, and in none that is named.
    const pointers = ['5f', '5f0009', '7f'].map((rest) => hex(`0100 ff4b4c5641 03 ${rest}`));
    const found = pointers.map((body) =>
      readDescriptors(Uint8Array.from([0x25, body.length, ...body]), 0, body.length + 2),
    );

    expect(found.map(({ pointers }) => pointers)).toEqual([
      [{ service: 3, program: null }],
      [{ service: 3, program: 9 }],
      [{ service: 3, program: null }],
    ]);
  });

  it('are broken by one changed bit, and not yet used without current_next_indicator', () => {
    const pmt = pmtSection(PROGRAM);
    pmt[9]! ^= 1;
    expect(sectionState(pmt, 0, pmt.length)).toBe('broken');

    const next = pmtSection(PROGRAM);
    next[5]! &= 0xfe;
    new DataView(next.buffer).setUint32(next.length - 4, crc32(next, 0, next.length - 4));
    expect(sectionState(next, 0, next.length)).toBe('notYet');
  });

  it('refuse descriptors that are longer than their map', () => {
    const pmt = pmtSection(PROGRAM);
    pmt[11] = 0xff;

    expect(() => readPmt(pmt, 0, pmt.length, 0x1000)).toThrow(expect.objectContaining({ name: 'FormatError' }));
  });
});

describe('createSectionReader', () => {
  function sectionsOf(payloads: [Uint8Array, boolean, boolean?][]): string[] {
    const found: string[] = [];
    const reader = createSectionReader((bytes, start, end) => {
      found.push(Buffer.from(bytes.slice(start, end)).toString('hex'));
    });
    for (const [bytes, isStart, lost = false] of payloads) reader.read(bytes, 0, bytes.length, isStart, lost);
    return found;
  }

  it('reads several sections of one payload up to the stuffing', () => {
    expect(sectionsOf([[hex('00 420002aabb 420001cc ffff'), true]])).toEqual(['420002aabb', '420001cc']);
  });

  it('joins a section over packets, and the next begins where the pointer says', () => {
    const found = sectionsOf([
      [hex('00 4200'), true],
      [hex('04 aabb'), false],
      [hex('02 ccdd 420001ee'), true],
    ]);

    expect(found).toEqual(['420004aabbccdd', '420001ee']);
  });

  it('leaves out a section with a lost part', () => {
    const found = sectionsOf([
      [hex('00 420004aa'), true],
      [hex('bbccdd'), false, true],
      [hex('00 420001ee'), true],
    ]);

    expect(found).toEqual(['420001ee']);
  });

  it('leaves out what a pointer beyond the packet names', () => {
    expect(sectionsOf([[hex('20 420001ee'), true]])).toEqual([]);
  });
});

describe('streamKind', () => {
  const kind = (type: number, descriptors = '') => {
    const bytes = hex(descriptors);
    return streamKind(type, readDescriptors(bytes, 0, bytes.length));
  };

  it.each([
    [0x02, '', 'mpeg2'],
    [0x03, '', 'mpegAudio'],
    [0x04, '', 'mpegAudio'],
    [0x0f, '', 'aac'],
    [0x1b, '', 'h264'],
    [0x24, '', 'h265'],
    [0x15, '', 'klvSync'],
    [0x15, '0504 49443320', 'other'],
    [0x15, '2609 0100 ff 4b4c5641 00 0f', 'klvSync'],
    [0x15, '260d ffff 49443320 ff 49443320 00 0f', 'other'],
    [0x06, '0504 4b4c5641', 'klvAsync'],
    [0x06, '2609 0100 ff 4b4c5641 00 0f', 'klvAsync'],
    [0x06, '250f ffff 00000000 ff 4b4c5641 00 0f 0001', 'klvAsync'],
    [0x06, '0504 41432d33', 'ac3'],
    [0x06, '6a01 00', 'ac3'],
    [0x06, '7a01 00', 'eac3'],
    [0x06, '0504 45414333', 'eac3'],
    [0x06, '0504 4f707573', 'otherAudio'],
    [0x06, '0504 4b4c5641 6a01 00', 'klvAsync'],
    [0x06, '0504 42535344', 'otherAudio'],
    [0x11, '', 'aacLatm'],
    [0x81, '', 'ac3'],
    [0x81, '0504 41432d33', 'ac3'],
    [0x81, '0504 58595a20', 'other'],
    [0x87, '0504 45414333', 'eac3'],
    [0x06, '', 'other'],
    [0x06, '05ff 4b', 'other'],
    [0x86, '', 'other'],
  ] as const)('type %i with descriptors "%s" is %s', (type, descriptors, expected) => {
    expect(kind(type, descriptors)).toBe(expected);
  });
});
