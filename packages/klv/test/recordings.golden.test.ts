import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { itWithData, testData } from '../../../tools/test-support/test-data.ts';
import {
  createTimestampCheck,
  type DecodedPacket,
  decodePacket,
  type KlvFault,
  packets,
  type Value,
} from '../src/index.ts';
import { pesPayloads } from './ts-payloads.ts';

/** Values that data/tools/klvscan.py reads from the same files, rounded to seven digits. */
type Golden = { sets: Record<string, Record<string, number | string | null>> };

const golden = (name: string): Golden =>
  JSON.parse(readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8'));
const bare = (path: string): Uint8Array[] => [new Uint8Array(readFileSync(testData(path)))];
const NOW_US = Date.UTC(2025, 0, 1) * 1000;

/** Every packet of the payloads; the test fails where one does not belong to a packet. */
function decodeAll(payloads: readonly Uint8Array[]): DecodedPacket[] {
  const faults: KlvFault[] = [];
  const sets = payloads.flatMap((payload) =>
    [...packets(payload, 0, payload.length, (fault) => faults.push(fault))].map(({ start, end }) =>
      decodePacket(payload, start, end),
    ),
  );
  expect(faults).toEqual([]);
  return sets;
}

function expectGolden(sets: readonly DecodedPacket[], name: string): void {
  for (const [index, expected] of Object.entries(golden(name).sets)) {
    const { values } = sets[Number(index)]!;
    for (const [tag, value] of Object.entries(expected)) {
      const stated = typeof value === 'number' ? expect.closeTo(value, 6) : value;
      expect(values[tag], `set ${index}, tag ${tag}`).toEqual(stated);
    }
  }
}

const checksums = (sets: readonly DecodedPacket[]) => [...new Set(sets.map(({ checksum }) => checksum))];

function targetsOf({ values }: DecodedPacket): Value[] {
  const vmti = values['74'];
  if (typeof vmti !== 'object' || vmti === null || Array.isArray(vmti) || vmti instanceof Uint8Array) return [];
  const targets = vmti['101'];
  return Array.isArray(targets) ? targets : [];
}

describe('recordings of others', () => {
  itWithData('osh: 277 sets, VMTI of version 3 in 37, targets in 17', () => {
    const sets = decodeAll(pesPayloads(testData('ts/osh/sample-stream.ts'), 257));

    expect(sets).toHaveLength(277);
    expect(checksums(sets)).toEqual(['good']);
    expect(sets.flatMap(({ faults }) => faults)).toEqual([]);
    expectGolden(sets, 'osh');
    expect(sets.filter(({ values }) => '74' in values)).toHaveLength(37);
    const withTargets = sets.filter((set) => targetsOf(set).length > 0);
    expect(withTargets).toHaveLength(17);
    expect(targetsOf(withTargets[0]!)[0]).toMatchObject({
      id: 1,
      '1': 258_025,
      '5': 100,
      '19': 404,
      '20': 105,
      // Near the frame centre at 34.706, -86.672.
      '17': { latitude: expect.closeTo(34.71, 2), longitude: expect.closeTo(-86.672, 2) },
    });
  });

  itWithData('droneklv: tag 22 of 4 bytes is a fault, a gap of 98.5 s is found', () => {
    const sets = decodeAll(bare('klv/droneklv/Day Flight.klv'));
    const check = createTimestampCheck({ nowUs: () => NOW_US });
    for (const { values } of sets) check.add(Number(values['2']), null);

    expect(sets).toHaveLength(6);
    expect(checksums(sets)).toEqual(['good']);
    expectGolden(sets, 'droneklv');
    expect(sets.map(({ faults }) => faults.map(({ tag, fault }) => [tag, fault]))).toEqual(
      new Array(6).fill([[22, '4 bytes instead of 2']]),
    );
    expect(sets.every(({ values }) => !('22' in values))).toBe(true);
    expect(check.report()).toMatchObject({ gaps: 2, longestGapUs: 98_484_417, backwards: 0 });
  });

  itWithData('klvdata: a wrong checksum is flagged, security and sensor identity are read', () => {
    const [set] = decodeAll(bare('klv/klvdata/DynamicConstantMISMMSPacketData.bin'));

    expect(set).toMatchObject({
      checksum: 'bad',
      faults: [],
      values: {
        '48': { '1': 1, '3': '//USA', '13': 'USA', '22': 10 },
        '94': { version: 1, sensorKind: 3, sensorId: 'f592f023-7336-4af8-aa91-62c00f2eb2da' },
      },
    });
    expectGolden([set!], 'DynamicConstantMISMMSPacketData');
  });

  itWithData('klvdata: a set without names has a good checksum', () => {
    const sets = decodeAll(bare('klv/klvdata/DynamicOnlyMISMMSPacketData.bin'));

    expect(checksums(sets)).toEqual(['good']);
    expectGolden(sets, 'DynamicOnlyMISMMSPacketData');
  });

  itWithData('jmisb: five VMTI sets of their own', () => {
    const sets = decodeAll(bare('klv/jmisb/0903.bin'));

    expect(sets.map(({ standard, checksum }) => [standard, checksum])).toEqual(new Array(5).fill(['st0903', 'good']));
    expect(sets.flatMap(({ faults }) => faults)).toEqual([]);
    expect(sets[0]!.values).toMatchObject({
      '3': 'Example Targeting System',
      '8': 1000,
      '9': 600,
      '101': [
        { id: 0, '1': 387_602, '2': 529_018, '3': 409_558, '5': 15 },
        { id: 1, '1': 352_205, '2': 455_636, '3': 394_955, '5': 84 },
      ],
      '102': null,
      '103': null,
    });
  });

  itWithData('aphill: 300 EG 0104 sets under the tags of ST 0601', () => {
    const sets = decodeAll(pesPayloads(testData('ts/kwiver/aphill_klv_10s.ts'), 257));
    const check = createTimestampCheck({ nowUs: () => NOW_US });
    for (const { values } of sets) check.add(Number(values['2']), null);

    expect(sets.map(({ standard }) => standard)).toEqual(new Array(300).fill('eg0104'));
    expect(sets.flatMap(({ faults }) => faults)).toEqual([]);
    // Fort A.P. Hill; the four corners are around the frame centre.
    expect(sets[0]!.values).toMatchObject({
      '2': 1_221_665_012_027_000,
      '5': expect.closeTo(97.9596, 3),
      '13': expect.closeTo(38.15993, 5),
      '14': expect.closeTo(-77.356214, 5),
      '23': expect.closeTo(38.1851, 3),
      '82': expect.closeTo(38.1854, 3),
      '89': expect.closeTo(-77.3584, 3),
    });
    expect(check.report()).toMatchObject({ records: 300, backwards: 0, gaps: 0 });
  });
});
