import { describe, expect, it } from 'vitest';
import { decodeSt0601Item } from './decode-packet.ts';
import { encodeSt0601 } from './encode-packet.ts';
import { createSt0601Reader } from './st0601-reader.ts';
import { HIGHEST_TAG, st0601Tags } from './st0601-tags.ts';

/** The example values of ST 0601.17 section 8: tag, bytes, value to ten digits. */
const examples: readonly (readonly [tag: number, hex: string, value: number])[] = [
  [2, '000459f4a6aa4aa8', 1224807209913000],
  [5, '71c2', 159.9743648],
  [6, 'fd3d', -0.431531724],
  [7, '08b8', 3.405865658],
  [8, '93', 147],
  [9, '9f', 159],
  [13, '5595b66d', 60.17682297],
  [14, '5b5360c4', 128.426759],
  [15, 'c221', 14190.71946],
  [16, 'cd9c', 144.5712978],
  [17, 'd917', 152.6436255],
  [18, '724a0a20', 160.7192114],
  [19, '87f84b86', -168.7923248],
  [20, '7dc55ece', 176.8654376],
  [21, '03830926', 68590.9833],
  [22, '1281', 722.8198672],
  [23, 'f101a229', -10.54238863],
  [24, '14bc082b', 29.15789012],
  [25, '34f3', 3216.037232],
  [26, '1750', 0.01366008484],
  [27, '063f', 0.003659932249],
  [28, 'f9c1', -0.003659932249],
  [29, '1750', 0.01366008484],
  [30, 'ed1f', -0.01106219672],
  [31, 'f732', -0.005159154027],
  [32, '01d0', 0.00106204413],
  [33, 'eb3f', -0.01216086306],
  [34, '02', 2],
  [35, 'a7c4', 235.9240101],
  [36, 'b2', 69.80392157],
  [37, 'beba', 3725.185016],
  [38, 'ca35', 14818.67704],
  [39, '54', 84],
  [40, '8f695262', -79.16385005],
  [41, '765457f2', 166.400813],
  [42, 'f823', 18389.04707],
  [43, '03', 6],
  [44, '0f', 30],
  [45, '1a95', 425.2151522],
  [46, '2611', 608.9230945],
  [49, '3d07', 1191.958495],
  [50, 'c883', -8.670308542],
  [51, 'd3fe', -61.887875],
  [52, 'df79', -5.082552568],
  [53, '6af4', 2088.960098],
  [54, '7670', 8306.805524],
  [55, '81', 50.58823529],
  [56, '8c', 140],
  [57, 'b38eacf1', 3506979.032],
  [58, 'a45d', 6420.538643],
  [60, 'afd8', 45016],
  [61, 'ba', 186],
  [62, '06cf', 1743],
  [63, '02', 2],
  [64, 'ddc5', 311.8681621],
  [65, '11', 17],
  [67, '85a15a39', -86.04120735],
  [68, '001c501c', 0.1555275545],
  [69, '0bb3', 9.445334554],
  [71, '172f', 32.60242618],
  [72, '0002d5d024660180', 798039894000000],
  [75, 'c221', 14190.71946],
  [76, '0bb3', 9.445334554],
  [77, '01', 1],
  [78, '0bb3', 9.445334554],
  [79, '09fb', 25.49775689],
  [80, '04bc', 12.09521775],
  [82, 'f1069b63', -10.52872839],
  [83, '14bcb2c0', 29.16155042],
  [84, 'f1004d00', -10.54604888],
  [85, '14be84c8', 29.17155036],
  [86, 'f0fd9b17', -10.55345082],
  [87, '14bb17af', 29.15272989],
  [88, 'f102052a', -10.54132644],
  [89, '14b9d176', 29.14572991],
  [90, 'ff62e2f2', -0.4315251021],
  [91, '04d804df', 3.405813982],
  [92, 'f3ab48ef', -8.670176984],
  [93, 'de179323', -47.68300004],
  [96, '00d92a', 13898.5],
  [103, '2f921e', 23456.23438],
  [104, '2f921e', 23456.23438],
  [105, '2f921e', 23456.23438],
  [109, '0001a0', 1.625],
  [110, '4daf', 19887],
  [111, '0bb8', 3000],
  [112, '1f40', 125],
  [113, '05f500', 2150],
  [114, '05f740', 2154.5],
  [117, '3e90', 1],
  [118, '3e8011', 0.004150390625],
  [119, '3b60', -50],
  [120, '4800', 72],
  [123, '07', 7],
  [125, '09', 9],
  [126, '05', 5],
  [131, '056f271b5e41b7', 1529588637122999],
  [132, '0257c0', 2400],
  [133, '2710', 10000],
  [134, '3700', 55],
  [136, '1e', 30],
  [137, '012b8dc635', 5025678901],
];

/** ST 0601.17, section 8: the tags of each unit. */
const units: [string, number[]][] = [
  ['µs', [2, 72, 131, 137]],
  [
    '°',
    [
      ...[5, 6, 7, 13, 14, 16, 17, 18, 19, 20, 23, 24, 26, 27, 28, 29, 30, 31, 32, 33, 35, 40, 41, 50, 52, 64, 67, 68],
      ...[71, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 112],
    ],
  ],
  ['m/s', [8, 9, 36, 51, 56, 79, 80]],
  ['m', [15, 21, 22, 25, 38, 42, 45, 46, 54, 57, 69, 75, 76, 78, 96, 103, 104, 105, 113, 114]],
  ['mbar', [37, 49, 53]],
  ['°C', [39]],
  ['px', [43, 44]],
  ['%', [55, 120, 134]],
  ['kg', [58]],
  ['km', [109]],
  ['s', [110, 136]],
  ['rpm', [111]],
  ['°/s', [117, 118, 119]],
  ['MHz', [132]],
  ['GB', [133]],
];

const decode = (tag: number, hex: string) => {
  const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
  return decodeSt0601Item(bytes, { tag, start: 0, end: bytes.length });
};

describe('the tag table of ST 0601.17', () => {
  it('has every tag from 1 to 143, in order', () => {
    expect([...st0601Tags.keys()]).toEqual(Array.from({ length: HIGHEST_TAG }, (_, index) => index + 1));
  });

  it.each(examples)('reads the example of tag %i from %s as %d', (tag, hex, value) => {
    expect(decode(tag, hex)).toBeCloseTo(value, 9 - Math.ceil(Math.log10(Math.abs(value) + 1)));
  });

  it.each([...st0601Tags.values()].filter(({ errorValue }) => errorValue !== null).map(({ tag }) => tag))(
    'takes the lowest integer of tag %i as no value',
    (tag) => {
      const bytes = st0601Tags.get(tag)!.usualBytes;

      expect(decode(tag, `80${'00'.repeat(bytes - 1)}`)).toBeNull();
      expect(decode(tag, `80${'00'.repeat(bytes - 2)}01`)).toBe(st0601Tags.get(tag)!.min);
    },
  );

  it('has an error value where the standard has one, and nowhere else', () => {
    const errors = [...st0601Tags.values()].filter(({ errorValue }) => errorValue !== null);

    expect(errors.map(({ tag }) => tag)).toEqual([
      ...[6, 7, 13, 14, 19, 23, 24, 26, 27, 28, 29, 30, 31, 32, 33, 40, 41, 50, 51, 52, 67, 68, 79, 80],
      ...[82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93],
    ]);
  });

  it('has the units of the standard', () => {
    const tagsIn = (unit: string) =>
      [...st0601Tags.values()].filter((info) => info.unit === unit).map(({ tag }) => tag);

    for (const [unit, tags] of units) expect(tagsIn(unit), unit).toEqual(tags);
    const withUnit = [...st0601Tags.values()].filter(({ unit }) => unit !== null);
    expect(withUnit).toHaveLength(units.reduce((sum, [, tags]) => sum + tags.length, 0));
  });

  it('reaches both ends of every range of numbers', () => {
    const reader = createSt0601Reader();
    const ranged = [...st0601Tags.values()].filter(({ tag, min, max }) => min !== null && max !== null && tag > 2);
    for (const { tag, min, max, resolution } of ranged) {
      for (const end of [min!, max!]) {
        const bytes = encodeSt0601({ [tag]: end });
        const read = reader.read(bytes, 0, bytes.length).numbers[tag]!;
        expect(Math.abs(read - end), `tag ${tag} at ${end}`).toBeLessThanOrEqual(
          Math.max(resolution!, Math.abs(end) * 1e-15),
        );
      }
    }
  });
});
