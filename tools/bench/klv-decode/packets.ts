import { encodeSt0601, st0601Tags, type TagInfo } from '@osprey/klv';

/** Tags of a typical packet of a tactical aircraft: 48 items including time, security set, corners and checksum. */
const NUMBER_TAGS = [
  5, 6, 7, 8, 9, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 35, 36, 37, 40, 41,
  42, 47, 51, 56, 57, 65, 75, 90, 91,
];
const TEXTS = { 3: 'MISSION01', 4: 'AF-101', 10: 'MQ9-B', 11: 'EO Nose', 12: 'Geodetic WGS84' };
const SECURITY = { 1: 1, 2: 14, 3: '//USA', 12: 14, 13: 'USA', 22: 12 };

/** Number of items in each packet: the numbers, the texts, time, security set and checksum. */
export const ITEMS = NUMBER_TAGS.length + Object.keys(TEXTS).length + 3;

const FIRST_US = 1_700_000_000_000_000;
const STEP_US = 33_367;

/** Returns `count` consecutive packets with differing numbers, and the offset at which each ends. */
export function makePackets(count: number): { bytes: Uint8Array; ends: number[] } {
  const encoded = Array.from({ length: count }, (_, index) => encodeSt0601(valuesOf(index)));
  const ends: number[] = [];
  let end = 0;
  for (const packet of encoded) {
    end += packet.length;
    ends.push(end);
  }
  const bytes = new Uint8Array(end);
  for (const [index, packet] of encoded.entries()) bytes.set(packet, ends[index]! - packet.length);
  return { bytes, ends };
}

function valuesOf(index: number) {
  const numbers = NUMBER_TAGS.map((tag) => [tag, numberOf(st0601Tags.get(tag)!, index)] as const);
  return { ...TEXTS, ...Object.fromEntries(numbers), 2: FIRST_US + index * STEP_US, 48: SECURITY };
}

/** Returns a number that varies over the tag's range, in steps of its resolution. */
function numberOf({ tag, min, max, resolution }: TagInfo, index: number): number {
  const share = 0.5 + 0.45 * Math.sin(index * 0.01 + tag);
  const value = min! + share * (max! - min!);
  return resolution === 1 ? Math.round(value) : value;
}
