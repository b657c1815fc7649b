import { FormatError } from '@osprey/bytes';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from './byte-writer.ts';
import { checksumOf } from './checksum.ts';
import { decodePacket } from './decode-packet.ts';
import { encodeSt0601 } from './encode-packet.ts';
import { ST0601_KEY } from './key.ts';
import { st0102Tags } from './st0102-tags.ts';

type Item = readonly [tag: number, bytes: Uint8Array];

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const NO_ITEMS: readonly Item[] = [];

/** A packet of these items, in this order, with a right checksum. */
function packetOf(items: readonly Item[], key = ST0601_KEY): Uint8Array {
  const body = new ByteWriter();
  for (const [tag, value] of items) body.berOid(tag).lengthAndBytes(value);
  const writer = new ByteWriter()
    .bytes(key)
    .berLength(body.length + 4)
    .bytes(body.finish())
    .bytes(hex('0102'));
  const summed = writer.finish();
  return writer.integer(checksumOf(summed, 0, summed.length), 2).finish();
}

/** A universal set: items with keys of 16 bytes. */
function universalOf(key: string, items: readonly (readonly [key: string, bytes: Uint8Array])[]): Uint8Array {
  const body = new ByteWriter();
  for (const [itemKey, value] of items) body.bytes(hex(itemKey)).lengthAndBytes(value);
  return new ByteWriter().bytes(hex(key)).lengthAndBytes(body.finish()).finish();
}

const universalItem = (key: string, text: string): Uint8Array =>
  new ByteWriter().bytes(hex(key)).lengthAndBytes(ascii(text)).finish();

const decode = (bytes: Uint8Array) => decodePacket(bytes, 0, bytes.length);

describe('decodePacket', () => {
  it('keeps the values of a packet whose checksum is wrong', () => {
    const packet = packetOf([[3, ascii('KEPT')]]);
    packet[packet.length - 1] = packet[packet.length - 1]! ^ 1;

    expect(decode(packet)).toMatchObject({ checksum: 'bad', values: { '3': 'KEPT' } });
  });

  it('says where no checksum is given', () => {
    const packet = new ByteWriter().bytes(ST0601_KEY).lengthAndBytes(hex('0303414243')).finish();

    expect(decode(packet)).toMatchObject({ checksum: 'missing', values: { '3': 'ABC' }, faults: [] });
  });

  it('lets the last of two equal items count and names the first as a fault', () => {
    const { values, faults } = decode(
      packetOf([
        [13, hex('00000000')],
        [13, hex('7fffffff')],
      ]),
    );

    expect(values['13']).toBe(90);
    expect(faults).toEqual([{ tag: 13, offset: 25, fault: 'Given more than once; the last one counts' }]);
  });

  it('lists items of a wrong length and uses the rest', () => {
    const { values, faults } = decode(
      packetOf([
        [13, hex('1234')],
        [22, hex('00001281')],
        [8, hex('93')],
      ]),
    );

    expect(values).not.toHaveProperty('13');
    expect(values).toMatchObject({ '8': 147 });
    expect(faults.map(({ tag, fault }) => [tag, fault])).toEqual([
      [13, '2 bytes instead of 4'],
      [22, '4 bytes instead of 2'],
    ]);
  });

  it('gives null for zero length of any tag', () => {
    const { values, faults } = decode(
      packetOf([
        [3, hex('')],
        [13, hex('')],
        [48, hex('')],
        [104, hex('')],
      ]),
    );

    expect(values).toMatchObject({ '3': null, '13': null, '48': null, '104': null });
    expect(faults).toEqual([]);
  });

  it('hands unknown tags on as bytes of their own', () => {
    const packet = packetOf([
      [144, ascii('abc')],
      [2_097_151, ascii('z')],
      [8, hex('93')],
    ]);
    const { values, faults } = decode(packet);
    packet.fill(0);

    expect(values).toMatchObject({ '144': ascii('abc'), '2097151': ascii('z'), '8': 147 });
    expect(faults).toEqual([]);
  });

  it('uses items before one that reaches past the set', () => {
    const { values, faults } = decode(
      new ByteWriter().bytes(ST0601_KEY).lengthAndBytes(hex('0303414243047f00')).finish(),
    );

    expect(values).toEqual({ '3': 'ABC' });
    expect(faults).toMatchObject([{ tag: 4, offset: 24 }]);
  });

  it('collects tags that may come more than once', () => {
    const command = (id: number) => new ByteWriter().berOid(id).lengthAndBytes(ascii('GO')).finish();

    const { values, faults } = decode(
      packetOf([
        [115, command(1)],
        [115, command(2)],
      ]),
    );

    expect(values['115']).toEqual([
      { id: 1, command: 'GO', timeUs: null },
      { id: 2, command: 'GO', timeUs: null },
    ]);
    expect(faults).toEqual([]);
  });

  it('reads amendments as sets of the same standard, no deeper than 16', () => {
    let nested = hex('080193');
    for (let depth = 0; depth < 40; depth++) nested = new ByteWriter().berOid(101).lengthAndBytes(nested).finish();

    const { faults } = decode(new ByteWriter().bytes(ST0601_KEY).lengthAndBytes(nested).finish());

    expect(faults).toMatchObject([{ tag: 101, fault: 'Sets lie more than 16 deep' }]);
  });

  it('reads the first 1000 values of a series and says so', () => {
    const targets = Array.from({ length: 3000 }, (_, id) => ({ id, 5: 50 }));
    const { values, faults } = decode(encodeSt0601({ 74: { 4: 5, 101: targets } }));

    expect(values).toMatchObject({ '74': { '101': expect.objectContaining({ length: 1000 }) } });
    expect(faults).toMatchObject([{ fault: 'Series of more than 1000; the rest is not read' }]);
  });

  it('gives the items of other local sets as bytes', () => {
    const packet = packetOf([[7, ascii('x')]], hex('060e2b34020b01010e01030133000000'));

    expect(decode(packet)).toMatchObject({ standard: 'unknown', checksum: 'missing', values: { '7': ascii('x') } });
  });

  it('names the items of a set for remote video terminals, with all its points of interest', () => {
    const packet = packetOf(
      [
        [3, hex('01f4')],
        [12, Uint8Array.of(...hex('010200020204800000000501030901'), ...ascii('A'))],
        [12, Uint8Array.of(...hex('010200030204400000000901'), ...ascii('B'))],
        [16, hex('000400')],
      ],
      hex('060e2b34020b01010e01030102000000'),
    );

    const { standard, checksum, values } = decode(packet);

    expect({ standard, checksum }).toEqual({ standard: 'st0806', checksum: 'missing' });
    expect(values).toMatchObject({
      '3': 500,
      '12': [
        { '1': 2, '2': null, '5': 3, '9': 'A' },
        { '1': 3, '2': expect.closeTo(45, 6), '9': 'B' },
      ],
      '16': 1024,
    });
  });

  it.each([
    ['no key', hex('00'.repeat(20))],
    ['a key alone', ST0601_KEY],
    ['a packet cut short', packetOf([[3, ascii('CUT')]]).subarray(0, 22)],
    ['a length of 127 bytes', new ByteWriter().bytes(ST0601_KEY).integer(0xff, 1).bytes(new Uint8Array(140)).finish()],
    ['the indefinite length', new ByteWriter().bytes(ST0601_KEY).integer(0x80, 1).bytes(new Uint8Array(12)).finish()],
  ])('refuses %s', (_what, bytes) => {
    expect(() => decode(bytes)).toThrow(FormatError);
  });

  it('reads an empty set', () => {
    expect(decode(packetOf(NO_ITEMS))).toMatchObject({ checksum: 'good', faults: [] });
  });
});

const UNIVERSAL_SECURITY = '060e2b34020101010208020000000000';

describe('ST 0102', () => {
  it('reads country codes in UTF-16BE', () => {
    const security = hex('010104' + '02020703' + '03032f2f55' + '0d06005500530041' + '1602000a');
    const { values, faults } = decode(packetOf([[48, security]]));

    expect(values['48']).toMatchObject({ '1': 4, '13': 'USA', '22': 10 });
    expect(faults.map(({ tag }) => tag)).toEqual([2]);
  });

  it.each([
    ['SECRET//', 4],
    ['TOP SECRET//', 5],
    ['unclassified', 1],
    ['COSMIC//', 'COSMIC//'],
  ])('reads the word %s of the universal set as %s', (word, expected) => {
    const packet = universalOf(UNIVERSAL_SECURITY, [
      ['060e2b34010101030208020100000000', ascii(word)],
      ['060e2b34010101030701200102080000', ascii('//US')],
      ['060e2b34010101030701200102010000', hex('00550053')],
    ]);

    expect(decode(packet)).toMatchObject({
      standard: 'st0102',
      values: { '1': expected, '3': '//US', '13': 'US' },
      faults: [],
    });
  });

  it('reads country codes and version dates of the universal set by their own keys', () => {
    const packet = universalOf(UNIVERSAL_SECURITY, [
      ['060e2b34010101030701200102010100', hex('005500530041')],
      ['060e2b34010101010e01040303000000', ascii('2013-11-14')],
      ['060e2b34010101010e01040304000000', ascii('2014-02-28')],
    ]);

    expect(decode(packet).values).toEqual({ '13': 'USA', '23': '2013-11-14', '24': '2014-02-28' });
  });

  it('names the coding method of object countries by its own values', () => {
    const labelOf = (tag: number, value: number) => st0102Tags.get(tag)!.labels![value];

    expect([3, 5, 13, 64].map((value) => labelOf(12, value))).toEqual([
      'ISO-3166 numeric',
      'FIPS 10-4 four letter',
      'GENC two letter',
      'GENC AdminSub',
    ]);
    expect([3, 5].map((value) => labelOf(2, value))).toEqual(['FIPS 10-4 two letter', 'ISO-3166 numeric']);
  });
});

describe('EG 0104', () => {
  const KEY = '060e2b34020101010e01010201010000';
  const LATITUDE = '060e2b34010101030701020102040200';

  it('gives items under their key and under the tag of ST 0601', () => {
    const latitude = new Uint8Array(8);
    new DataView(latitude.buffer).setFloat64(0, 38.25);
    const packet = universalOf(KEY, [
      [LATITUDE, latitude],
      ['060e2b34010101010702010207010000', ascii('20080917T153012')],
      ['060e2b340101010101010101010101ff', hex('01')],
      ['060e2b34020301010e01030302000000', hex('010103')],
    ]);

    const { standard, values, faults } = decode(packet);

    expect({ standard, faults }).toEqual({ standard: 'eg0104', faults: [] });
    expect(values).toMatchObject({
      '13': 38.25,
      [LATITUDE]: 38.25,
      '72': Date.UTC(2008, 8, 17, 15, 30, 12) * 1000,
      '060e2b340101010101010101010101ff': hex('01'),
      '48': { '1': 3 },
    });
  });

  it('lists numbers and dates of no known form, and an item past the end', () => {
    const packet = universalOf(KEY, [
      [LATITUDE, hex('0102')],
      ['060e2b34010101010702010207010000', ascii('yesterday')],
      ['060e2b34010101010702010101050000', hex('000459f4a6aa4aa8')],
    ]);
    const cut = packet.slice(0, -4);
    cut[16] = cut[16]! - 4;

    expect(decode(cut).faults.map(({ tag }) => tag)).toEqual([13, 72, null]);
    expect(decode(packet).values['2']).toBe(1_224_807_209_913_000);
  });

  it('gives no number for what is none', () => {
    const nan = hex('7ff8000000000000');

    expect(decode(universalOf(KEY, [[LATITUDE, nan]])).values['13']).toBeNull();
  });

  it.each([
    ['a universal set inside', [[UNIVERSAL_SECURITY, universalItem('060e2b34010101030208020100000000', 'SECRET//')]]],
    ['an item of its own', [['060e2b34010101030208020100000000', ascii('SECRET//')]]],
  ] as const)('reads its security marking from %s', (_, items) => {
    expect(decode(universalOf(KEY, items)).values['48']).toEqual({ '1': 4 });
  });

  it('gives no place that is none on earth', () => {
    const { values, faults } = decode(universalOf(KEY, [[LATITUDE, hex('43fa0000')]]));

    expect(values).toEqual({});
    expect(faults).toMatchObject([{ tag: 13, fault: 'Place that is none on earth' }]);
  });
});
