import { describe, expect, it } from 'vitest';
import { ByteWriter } from './byte-writer.ts';
import { decodePacket } from './decode-packet.ts';
import { encodeSt0601 } from './encode-packet.ts';
import { ST0601_KEY, ST0903_KEY } from './key.ts';
import { createSt0601Reader } from './st0601-reader.ts';
import { pixelOf } from './st0903.ts';

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

/** One target as an encoder of ST 0903.3 wrote it: offsets of two bytes, a location of plain integers. */
const OLD_TARGET = '01' + '010303efe9' + '0a0205ab' + '0b02fe75' + '0c020dd0' + '110ab15d91af425dd4440dd0';
/** Such a target without an offset that would betray its version. */
const BARE_TARGET = '01' + '0c020dd0';

function vmti(version: string, target: string): Uint8Array {
  const bytes = hex(target);
  const series = new ByteWriter().lengthAndBytes(bytes).finish();
  return new ByteWriter().bytes(hex(version)).berOid(101).lengthAndBytes(series).finish();
}

const standalone = (set: Uint8Array) => {
  const packet = new ByteWriter().bytes(ST0903_KEY).lengthAndBytes(set).finish();
  return decodePacket(packet, 0, packet.length);
};
const inside = (set: Uint8Array) =>
  new ByteWriter().bytes(ST0601_KEY).lengthAndBytes(new ByteWriter().berOid(74).lengthAndBytes(set).finish()).finish();

const close = (value: number) => expect.closeTo(value, 6);

const SEATTLE = { latitude: expect.closeTo(47.6, 4), longitude: expect.closeTo(-122.4, 4) };

describe('VMTI', () => {
  it('reads targets with colour, box, place, track and its history', () => {
    const target = {
      id: 1234,
      1: 409_600,
      8: 0xdaa520,
      10: 10,
      13: 10,
      17: { latitude: 34.5, longitude: -86.25, height: 100, sigmaEast: 1, sigmaNorth: 2, sigmaUp: 3 },
      104: { 7: 50, 9: [{ latitude: 72, longitude: 73, height: 900 }], 10: { east: 1, north: 2, up: 3 } },
      105: { 1: 'png', 2: 'URI' },
    };

    const packet = encodeSt0601({ 74: { 2: 1_700_000_000_000_000, 4: 5, 8: 1920, 101: [target] } });

    expect(decodePacket(packet, 0, packet.length)).toMatchObject({
      values: { '74': { '8': 1920, '101': [target] } },
      faults: [],
    });
  });

  it('reads numbers of ST 0903.3 and before as plain integers', () => {
    const { values, faults } = standalone(vmti('040103', OLD_TARGET));

    expect(faults).toEqual([]);
    expect(values['101']).toEqual([
      {
        id: 1,
        '1': 258_025,
        '10': close(0.003321),
        '11': close(-0.000904),
        '12': close(173.722438),
        '17': { latitude: close(34.71012), longitude: close(-86.672081), height: close(173.722438) },
      },
    ]);
  });

  it('knows the old form by its targets where the version is left out', () => {
    const withVersion = standalone(vmti('040103', OLD_TARGET)).values;
    const without = standalone(vmti('', OLD_TARGET)).values;

    expect(without['101']).toEqual(withVersion['101']);
  });

  it.each([
    ['offsets of three bytes', '0a030005ab' + '0b03fffe75', { '10': close(0.003321), '11': close(-0.000904) }],
    // In IMAPB the latitude would be a value of the user's own.
    ['a place in the north west', '110ac3b2a19028f5c28f0dd0', { '17': expect.objectContaining(SEATTLE) }],
  ])('knows the old form by %s', (_, items, expected) => {
    expect(standalone(vmti('', `01${items}`)).values['101']).toEqual([{ id: 1, ...expected }]);
  });

  it('knows the new form where the version is left out', () => {
    const target = { id: 1, 10: 0.5, 11: -0.25, 17: { latitude: -34.5, longitude: 138.5, height: 100 } };

    const packet = encodeSt0601({ 74: { 101: [target] } });

    expect(decodePacket(packet, 0, packet.length).values['74']).toMatchObject({
      '101': [{ '10': close(0.5), '11': close(-0.25), '17': { latitude: close(-34.5), longitude: close(138.5) } }],
    });
  });

  it('remembers the version from one set to the next within a reader', () => {
    const reader = createSt0601Reader();
    const heightIn = (packet: Uint8Array) => {
      const { nested } = reader.read(packet, 0, packet.length);
      return reader.decodeNested(packet, nested[0]!);
    };

    expect(heightIn(inside(vmti('', BARE_TARGET)))).toEqual({ '101': [{ id: 1, '12': 2636 }] });
    heightIn(inside(vmti('040103', OLD_TARGET)));
    expect(heightIn(inside(vmti('070116', BARE_TARGET)))).toEqual({
      '7': 22,
      '101': [{ id: 1, '12': close(173.722438) }],
    });
  });

  it('turns a pixel number into column and row', () => {
    expect(pixelOf(1, 1920)).toEqual({ x: 0, y: 0 });
    expect(pixelOf(409_600, 1920)).toEqual({ x: 639, y: 213 });
    expect(pixelOf(1920, 1920)).toEqual({ x: 1919, y: 0 });
  });

  it('lists what does not fit in one target and keeps the others', () => {
    const series = new ByteWriter()
      .lengthAndBytes(hex('01' + '08021234'))
      .lengthAndBytes(hex('02' + '050164'))
      .finish();
    const set = new ByteWriter().berOid(101).lengthAndBytes(series).finish();

    const { values, faults } = standalone(set);

    expect(values['101']).toEqual([{ id: 1 }, { id: 2, '5': 100 }]);
    expect(faults).toMatchObject([{ tag: 8, fault: '2 bytes instead of 3' }]);
  });
});
