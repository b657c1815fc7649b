import { readFileSync } from 'node:fs';
import { FormatError } from '@osprey/bytes';
import { describe, expect } from 'vitest';
import { itWithData, testData } from '../../../tools/test-support/test-data.ts';
import { createSt0601Reader, createTimestampCheck, type DecodedPacket, decodePacket, packets } from '../src/index.ts';
import { pesPayloads } from './ts-payloads.ts';

const T0 = 1_700_000_000_000_000;

const load = (name: string): Uint8Array => new Uint8Array(readFileSync(testData(`bad/klv/${name}.klv`)));

function decodeAll(bytes: Uint8Array): DecodedPacket[] {
  return [...packets(bytes, 0, bytes.length)].map(({ start, end }) => decodePacket(bytes, start, end));
}

function decodeOne(name: string): DecodedPacket {
  const [packet, ...more] = decodeAll(load(name));
  expect(more).toEqual([]);
  return packet!;
}

const faultsOf = (name: string) => decodeOne(name).faults.map(({ tag, fault }) => [tag, fault]);
const close = (value: number) => expect.closeTo(value, 6);

describe('the bad KLV files', () => {
  itWithData('good_one: position and checksum are right', () => {
    expect(decodeOne('good_one')).toMatchObject({
      checksum: 'good',
      values: { '2': T0, '13': close(54.5), '14': close(3.25) },
      faults: [],
    });
  });

  itWithData('checksum_off_by_one: flagged, not dropped', () => {
    expect(decodeOne('checksum_off_by_one')).toMatchObject({ checksum: 'bad', values: { '13': close(54.5) } });
  });

  itWithData('error_markers: all four are null', () => {
    expect(decodeOne('error_markers')).toMatchObject({
      values: { '13': null, '14': null, '6': null, '7': null },
      faults: [],
    });
  });

  itWithData('milliseconds_in_tag2: distinguished from 1970', () => {
    const check = createTimestampCheck({ nowUs: () => T0 });
    check.add(Number(decodeOne('milliseconds_in_tag2').values['2']), null);

    expect(check.report()).toMatchObject({ milliseconds: 1, unit: 'milliseconds' });
  });

  itWithData('timestamp_all_ones: no time, and said so', () => {
    expect(decodeOne('timestamp_all_ones').values['2']).toBeNull();
    expect(faultsOf('timestamp_all_ones')).toEqual([[2, 'Time after the year 9999']]);
    expect(createSt0601Reader().read(load('timestamp_all_ones'), 0, 53).timeUs).toBeNull();
  });

  itWithData('zero_length_items: null, not 0 and not NaN', () => {
    expect(decodeOne('zero_length_items')).toMatchObject({ values: { '3': null, '13': null, '10': null }, faults: [] });
  });

  itWithData('wrong_length_items: listed, the rest is used', () => {
    expect(decodeOne('wrong_length_items').values).toEqual({ '1': expect.any(Number), '2': T0, '65': 13 });
    expect(faultsOf('wrong_length_items')).toEqual([
      [13, '2 bytes instead of 4'],
      [14, '8 bytes instead of 4'],
      [15, '1 byte instead of 2'],
    ]);
  });

  itWithData('duplicate_tags: the last one counts, in both readers', () => {
    const bytes = load('duplicate_tags');
    const { numbers } = createSt0601Reader().read(bytes, 0, bytes.length);

    expect(decodeOne('duplicate_tags').values).toMatchObject({ '13': close(-33), '14': close(151) });
    expect([numbers[13], numbers[14]]).toEqual([close(-33), close(151)]);
    expect(faultsOf('duplicate_tags').map(([tag]) => tag)).toEqual([13, 14]);
  });

  itWithData('unknown_tags: what follows is not lost', () => {
    expect(decodeOne('unknown_tags')).toMatchObject({
      checksum: 'good',
      values: { '144': expect.any(Uint8Array) },
      faults: [],
    });
  });

  itWithData.each(['length_4gb', 'length_ber_reserved', 'length_indefinite', 'cut_in_value'])('%s: refused', (name) => {
    const bytes = load(name);
    const faults: unknown[] = [];

    expect(() => decodePacket(bytes, 0, bytes.length)).toThrow(FormatError);
    expect(() => createSt0601Reader().read(bytes, 0, bytes.length)).toThrow(FormatError);
    expect([...packets(bytes, 0, bytes.length, (fault) => faults.push(fault))]).toEqual([]);
    expect(faults.length).toBeGreaterThan(0);
  });

  itWithData('inner_length_past_end: items before it are used', () => {
    expect(decodeOne('inner_length_past_end').values).toEqual({ '2': T0 });
    expect(faultsOf('inner_length_past_end')).toEqual([[3, 'Value reaches past its set']]);
  });

  itWithData('oid_endless: stops, flagged', () => {
    expect(faultsOf('oid_endless')).toEqual([[null, 'Tag longer than 5 bytes']]);
  });

  itWithData('nested_200_deep: depth is limited', () => {
    expect(faultsOf('nested_200_deep')).toEqual([[74, 'Sets lie more than 16 deep']]);
  });

  itWithData('vmti_3000_targets: a thousand are read', () => {
    expect(decodeOne('vmti_3000_targets').values['74']).toMatchObject({
      '101': expect.objectContaining({ length: 1000 }),
    });
    expect(faultsOf('vmti_3000_targets')).toEqual([[null, 'Series of more than 1000; the rest is not read']]);
  });

  itWithData('strings_hostile: texts as they are, broken UTF-8 replaced', () => {
    expect(decodeOne('strings_hostile')).toMatchObject({
      values: {
        '3': '<script>alert(1)</script>',
        '10': '\ufffd\ufffd\ufffd bad utf8',
        '11': 'line\r\nSet-Cookie: a=b\0end',
        '59': '\u202eevil',
      },
      faults: [],
    });
  });

  itWithData('country_utf16: read as USA', () => {
    expect(decodeOne('country_utf16').values['48']).toMatchObject({ '13': 'USA' });
  });

  itWithData('secret_marked: classification 4', () => {
    expect(decodeOne('secret_marked').values['48']).toMatchObject({ '1': 4 });
  });

  itWithData('positions_odd: poles and both sides of the antimeridian', () => {
    const places = decodeAll(load('positions_odd')).map(({ values }) => [values['13'], values['14']]);

    expect(places).toEqual([
      [0, 0],
      [90, 180],
      [-90, -180],
      [0, close(179.9999)],
      [0, close(-179.9999)],
      [close(89.9999), 0],
    ]);
  });

  itWithData('time_backwards: counted', () => {
    const check = createTimestampCheck({ nowUs: () => T0 + 3.6e9 });
    for (const { values } of decodeAll(load('time_backwards'))) check.add(Number(values['2']), null);

    expect(check.report()).toMatchObject({ records: 6, backwards: 2, trustworthy: false });
  });

  itWithData('klv_checksum_bad.ts: every packet is flagged', () => {
    const sets = pesPayloads(testData('bad/ts/klv_checksum_bad.ts'), 257).flatMap(decodeAll);

    expect(sets).toHaveLength(30);
    expect(new Set(sets.map(({ checksum }) => checksum))).toEqual(new Set(['bad']));
  });

  itWithData('klv_length_lies.ts: no packet, a fault each', () => {
    const faults: unknown[] = [];
    const found = pesPayloads(testData('bad/ts/klv_length_lies.ts'), 257).flatMap((payload) => [
      ...packets(payload, 0, payload.length, (fault) => faults.push(fault)),
    ]);

    expect(found).toEqual([]);
    expect(faults.length).toBeGreaterThanOrEqual(30);
  });
});
