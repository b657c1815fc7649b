import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePacket } from './decode-packet.ts';
import { encodeSt0102, encodeSt0601, encodeSt0903 } from './encode-packet.ts';
import type { EncodeValues } from './encode-set.ts';
import { st0601Tags } from './st0601-tags.ts';
import type { TagInfo } from './tag-info.ts';

const T0 = 1_700_000_000_000_000;
const UUID = 'f592f023-7336-4af8-aa91-62c00f2eb2da';

const roundTrip = (values: EncodeValues) => {
  const packet = encodeSt0601(values);
  return decodePacket(packet, 0, packet.length);
};

/** Any value that the tag can hold. */
function anyValueOf(info: TagInfo): fc.Arbitrary<number | string | null> {
  const { format, min, max, resolution } = info;
  if (format === 'utf8') return fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !text.endsWith('\0'));
  const number =
    resolution === 1
      ? fc.integer({ min: Math.max(min!, -(2 ** 40)), max: Math.min(max!, 2 ** 40) })
      : fc.double({ min: min!, max: max!, noNaN: true });
  return fc.option(number, { nil: null });
}

const simple = [...st0601Tags.values()].filter(
  ({ tag, format }) => tag !== 1 && !['set', 'pack', 'bytes'].includes(format),
);
const anyValues = fc.record(Object.fromEntries(simple.map((info) => [info.tag, anyValueOf(info)])), {
  requiredKeys: [],
});

describe('encodeSt0601', () => {
  it('writes what decodePacket reads, within a step of each tag', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const { values: read, checksum, faults } = roundTrip(values);

        expect({ checksum, faults }).toEqual({ checksum: 'good', faults: [] });
        for (const info of simple) {
          const written = values[info.tag];
          const back = read[info.tag];
          if (typeof written !== 'number') expect(back).toBe(written);
          else expect(Math.abs(Number(back) - written)).toBeLessThanOrEqual(info.resolution! * 1.001);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('puts the time first and the checksum last', () => {
    const packet = encodeSt0601({ 65: 17, 3: 'M', 2: T0 });

    expect(packet[17]).toBe(2);
    expect([...packet.subarray(-4, -2)]).toEqual([1, 2]);
  });

  it('writes every pack and set as it reads them', () => {
    const place = { latitude: 38.5, longitude: -77.25, height: 100 };
    const values = {
      48: { 1: 4, 2: 7, 3: '//USA', 12: 7, 13: 'USA', 22: 12 },
      73: {
        7: 20,
        10: 'MPEG2',
        11: [{ 1: 65, 2: Uint8Array.of(1, 2) }],
        12: [
          { 1: 2, 2: 0, 5: 3, 9: 'jetty' },
          { 1: 3, 3: 0, 5: 1, 9: 'boat' },
        ],
        13: [{ 1: 4, 4: 0, 6: 4, 8: 'A' }],
        15: 'ABC',
      },
      81: { x0: 0, y0: 36, x1: 100, y1: 40 },
      94: {
        version: 1,
        sensorKind: 3,
        platformKind: 2,
        sensorId: UUID,
        platformId: UUID,
        windowId: null,
        minorId: null,
      },
      100: [{ 8: 100 }],
      115: [{ id: 5, command: 'Fly to Waypoint 1', timeUs: T0 }],
      116: [3, 700],
      121: [1, 3],
      122: { codingMethod: 14, overflight: 'CAN', operator: null, manufacture: 'FRA' },
      127: { numerator: 60_000, denominator: 1001 },
      128: [{ id: 21, min: 1000, max: 2000, name: 'NNIR' }],
      130: { takeOff: place, recovery: null },
      138: [{ id: 0, type: 0, name: 'VIS' }],
      139: [0, 1, 3, 12],
      140: [{ station: 1, hardpoint: 1, carriage: 2, store: 2, status: 4, engagement: 15, type: 'Harpoon' }],
      141: [
        { id: 3, order: -2, info: 1, location: place },
        { id: 4, order: 32_767, info: 0, location: null },
      ],
      142: { azimuth: { start: 210, range: 300 }, elevation: { start: -75, range: 50 }, roll: null },
      143: { localId: 7, universalId: UUID },
    };

    const { values: read, faults } = roundTrip(values);

    expect(faults).toEqual([]);
    expect(read).toMatchObject(values);
  });

  it('writes the horizon with its coordinates', () => {
    const horizon = { x0: 0, y0: 36, x1: 100, y1: 40, latitude0: 90, longitude0: -180, latitude1: null, longitude1: 0 };

    expect(roundTrip({ 81: horizon }).values['81']).toEqual(horizon);
  });

  it('writes null as the error marker, or as zero length', () => {
    const { values, faults } = roundTrip({ 13: null, 3: null, 15: null, 104: Number.NaN, 48: null });

    expect(values).toMatchObject({ '3': null, '13': null, '15': null, '48': null, '104': null });
    expect(faults).toEqual([]);
  });

  it('puts bytes in as they are and leaves undefined out', () => {
    expect(roundTrip({ 102: [Uint8Array.of(1)], 200: Uint8Array.of(2), 3: undefined }).values).toEqual({
      '1': expect.any(Number),
      '102': [Uint8Array.of(1)],
      '200': Uint8Array.of(2),
    });
  });

  it.each([
    ['a number outside the range', { 13: 90.1 }, 'Tag 13 (Sensor Latitude): 90.1 is outside -90..90'],
    ['a number where a text belongs', { 3: 7 }, 'Tag 3 (Mission ID): the value must be a text'],
    ['a text where a number belongs', { 13: 'north' }, 'Tag 13 (Sensor Latitude): the value must be a number'],
    ['a text too long', { 3: 'x'.repeat(128) }, 'Tag 3 (Mission ID): 128 bytes, at most 127 are allowed'],
    ['a number under an unknown tag', { 500: 1 }, 'Tag 500 is not of this set: only bytes can be written under it'],
    ['a key that is no tag', { north: 1 }, 'Items are keyed by their tag, a whole number above 0'],
    ['a text for a set', { 48: 'SECRET' }, 'A set or pack is written from an object'],
    ['an object for a series', { 141: { id: 1 } }, 'A series is written from a list'],
    ['a broken UUID', { 143: { localId: 1, universalId: 'x' } }, 'A UUID is written from its text of 32 hex digits'],
  ])('refuses %s', (_what, values: EncodeValues, message) => {
    expect(() => encodeSt0601(values)).toThrow(new RangeError(message));
  });
});

describe('sets as packets of their own', () => {
  it('writes ST 0102', () => {
    const packet = encodeSt0102({ 1: 5, 3: '//US', 13: 'US;CA', 22: 12 });

    expect(decodePacket(packet, 0, packet.length)).toMatchObject({
      standard: 'st0102',
      checksum: 'missing',
      values: { '1': 5, '3': '//US', '13': 'US;CA', '22': 12 },
      faults: [],
    });
  });

  it('writes ST 0903 with masks, algorithms and ontologies', () => {
    const values = {
      2: T0,
      4: 5,
      11: 12.5,
      101: [
        {
          id: 9,
          21: { row: 2, column: 3 },
          101: { 1: [14_762, 14_783], 2: [{ pixel: 74, length: 2 }] },
          106: [{ 1: 'png' }],
        },
      ],
      102: [{ 1: 9, 2: 'tracker' }],
      103: [{ 1: 17, 4: 'class' }],
    };
    const packet = encodeSt0903(values);

    expect(decodePacket(packet, 0, packet.length)).toMatchObject({
      standard: 'st0903',
      checksum: 'good',
      values,
      faults: [],
    });
  });
});
