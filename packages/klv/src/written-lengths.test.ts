import { describe, expect, it } from 'vitest';
import { decodePacket } from './decode-packet.ts';
import { encodeItem } from './encode-item.ts';
import { encodeSt0102, encodeSt0601, encodeSt0903 } from './encode-packet.ts';
import type { EncodeValues } from './encode-set.ts';
import { st0102Tags } from './st0102-tags.ts';
import { st0601Tags } from './st0601-tags.ts';
import { rvtAreaTags, rvtPointTags, rvtUserTags, st0806Tags } from './st0806-tags.ts';
import { st0903Tags, vTargetTags, vTrackerTags } from './st0903-tags.ts';
import type { TagInfo } from './tag-info.ts';

/** Bytes that a standard states: of one length, or from one to the largest ("V3"). */
type Lengths = Record<number, number | `V${number}`>;

/** Fills in [first, last] with one length. */
const all = (first: number, last: number, bytes: number): Lengths =>
  Object.fromEntries(Array.from({ length: last - first + 1 }, (_, i) => [first + i, bytes]));

/** ST 0601.17 section 8, "Max Length" and "Required Length" of each numeric item. */
const ST0601: Lengths = {
  ...{
    2: 8,
    ...all(5, 7, 2),
    8: 1,
    9: 1,
    13: 4,
    14: 4,
    ...all(15, 17, 2),
    ...all(18, 21, 4),
    22: 2,
    23: 4,
    24: 4,
    25: 2,
  },
  ...{ ...all(26, 33, 2), 34: 1, 35: 2, 36: 1, 37: 2, 38: 2, 39: 1, 40: 4, 41: 4, 42: 2, 43: 1, 44: 1, 45: 2, 46: 2 },
  ...{ 47: 1, ...all(49, 54, 2), 55: 1, 56: 1, 57: 4, 58: 2, 60: 2, 61: 1, 62: 2, 63: 1, 64: 2, 65: 1, 67: 4, 68: 4 },
  ...{ 69: 2, 71: 2, 72: 8, 75: 2, 76: 2, 77: 1, ...all(78, 80, 2), ...all(82, 93, 4), 96: 'V8', 103: 'V8', 104: 'V8' },
  ...{ 105: 'V8', 109: 'V4', 110: 'V4', 111: 'V4', 112: 'V8', 113: 'V4', 114: 'V4', 117: 'V4', 118: 'V4', 119: 'V4' },
  ...{ 120: 'V3', ...all(123, 126, 1), 131: 'V8', 132: 'V4', 133: 'V4', 134: 'V4', 136: 'V4', 137: 'V8' },
};
/** ST 0102.12 table 2. */
const ST0102: Lengths = { 1: 1, 2: 1, 12: 1, 19: 1, 20: 2, 22: 2 };
/** ST 0806.5 tables 1 to 4: remote video terminal, user data, point and area of interest. */
const ST0806: Lengths = {
  ...{ 1: 4, 2: 8, 3: 2, 4: 2, 6: 2, 7: 4, 8: 1, 9: 4, 14: 1, 16: 3, 17: 3, 18: 1, 20: 3, 21: 3 },
};
const USER: Lengths = { 1: 1 };
const POINT: Lengths = { 1: 2, 2: 4, 3: 4, 4: 2, 5: 1 };
const AREA: Lengths = { 1: 2, ...all(2, 5, 4), 6: 1 };
/** ST 0903.5 tables 1, 2 and 13. */
const ST0903: Lengths = {
  ...{ 2: 'V8', 4: 'V2', 5: 'V3', 6: 'V3', 7: 'V3', 8: 'V3', 9: 'V3', 11: 'V8', 12: 'V8' },
};
const TARGET: Lengths = {
  ...{ 1: 'V6', 2: 'V6', 3: 'V6', 4: 1, 5: 1, 6: 'V2', 7: 1, 8: 3, 9: 'V3', 10: 'V8', 11: 'V8', 12: 'V8', 13: 'V8' },
  ...{ 14: 'V8', 15: 'V8', 16: 'V8', 19: 'V4', 20: 'V4', 22: 'V3' },
};
const TRACKER: Lengths = { 2: 1, 3: 'V8', 4: 'V8', 7: 1, 8: 'V2', 12: 'V3' };

const tables: [name: string, tags: ReadonlyMap<number, TagInfo>, lengths: Lengths, computed: number[]][] = [
  ['ST 0601', st0601Tags, ST0601, [1]],
  ['ST 0102', st0102Tags, ST0102, []],
  ['ST 0806', st0806Tags, ST0806, []],
  ['ST 0806 user data', rvtUserTags, USER, []],
  ['ST 0806 point of interest', rvtPointTags, POINT, []],
  ['ST 0806 area of interest', rvtAreaTags, AREA, []],
  ['ST 0903', st0903Tags, ST0903, [1]],
  ['ST 0903 VTarget', vTargetTags, TARGET, []],
  ['ST 0903 VTracker', vTrackerTags, TRACKER, []],
];

const isNumeric = ({ format }: TagInfo) => !['utf8', 'set', 'pack', 'bytes'].includes(format);

describe('the lengths that are written', () => {
  it.each(tables)('are those of the standard: %s', (_name, tags, lengths, computed) => {
    const numeric = [...tags.values()].filter((info) => isNumeric(info) && !computed.includes(info.tag));

    expect(numeric.map(({ tag }) => tag)).toEqual(Object.keys(lengths).map(Number));
    for (const info of numeric) {
      const stated = lengths[info.tag]!;
      const ends = [info.min!, info.min! < 0 ? 0 : info.min! + (info.resolution ?? 1), Math.min(info.max!, 2 ** 52)];
      for (const value of ends) {
        const { length } = encodeItem(info, value);
        if (typeof stated === 'number') expect(length, `tag ${info.tag} of ${value}`).toBe(stated);
        else expect(length, `tag ${info.tag} of ${value}`).toBeLessThanOrEqual(Number(stated.slice(1)));
        expect(length).toBeGreaterThan(0);
      }
    }
  });

  it('are at most 127 bytes of text in ST 0601, but for a target id of 32', () => {
    const texts = [...st0601Tags.values()].filter(({ format }) => format === 'utf8');

    for (const info of texts) {
      const most = info.tag === 129 ? 32 : 127;
      expect(encodeItem(info, 'x'.repeat(most))).toHaveLength(most);
      expect(() => encodeItem(info, 'x'.repeat(most + 1))).toThrow(RangeError);
    }
  });

  it('of the version of ST 0102 are two bytes, and one byte is read as well', () => {
    const packet = encodeSt0102({ 1: 5, 22: 12 });
    const short = Uint8Array.from([...packet.subarray(0, 16), 6, 1, 1, 5, 22, 1, 12]);

    expect([...packet.subarray(16)]).toEqual([7, 1, 1, 5, 22, 2, 0, 12]);
    for (const bytes of [packet, short]) {
      expect(decodePacket(bytes, 0, bytes.length).values).toMatchObject({ 1: 5, 22: 12 });
    }
  });

  it('are the same inside of a set: what decodePacket reads has no fault of length', () => {
    const point = { 1: 1, 2: 1, 3: 1, 4: 10, 5: 1 };
    const values: EncodeValues = {
      2: 1_700_000_000_000_000,
      48: { 1: 1, 22: 12 },
      73: { 2: 1_700_000_000_000_000, 3: 1, 6: 1, 7: 1, 9: 1, 12: [point] },
      74: { 2: 1_700_000_000_000_000, 4: 5, 101: [{ id: 1, 1: 1, 4: 1 }] },
    };
    const packet = encodeSt0601(values);
    const vmti = encodeSt0903({ 2: 1_700_000_000_000_000, 4: 5, 5: 1 });

    expect(decodePacket(packet, 0, packet.length)).toMatchObject({ checksum: 'good', faults: [] });
    expect(decodePacket(vmti, 0, vmti.length).faults).toEqual([]);
  });
});
