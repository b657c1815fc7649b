import { FormatError } from '@osprey/bytes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from './byte-writer.ts';
import { decodePacket } from './decode-packet.ts';
import { encodeSt0102, encodeSt0601 } from './encode-packet.ts';
import { ST0601_KEY } from './key.ts';
import { createSt0601Reader, type St0601Record } from './st0601-reader.ts';
import { HIGHEST_TAG, st0601Tags } from './st0601-tags.ts';
import type { Value } from './value.ts';

const T0 = 1_700_000_000_000_000;

/** The record's view of one tag, in the words of decodePacket. */
function valueIn(record: St0601Record, tag: number): Value | undefined {
  if (record.present[tag] === 0) return undefined;
  if (record.present[tag] === 2) return null;
  return record.texts[tag] ?? record.numbers[tag]!;
}

/** A packet of these items alone, without a checksum. */
function rawPacket(items: string): Uint8Array {
  const body = Buffer.from(items, 'hex');
  return new ByteWriter().bytes(ST0601_KEY).lengthAndBytes(body).finish();
}

const isNested = (tag: number): boolean => ['set', 'pack', 'bytes'].includes(st0601Tags.get(tag)?.format ?? '');

describe('the ST 0601 reader', () => {
  it('reads numbers, texts, nested items and time', () => {
    const packet = encodeSt0601({ 2: T0, 3: 'M1', 13: 45, 48: { 1: 3 }, 74: { 5: 2 } });
    const reader = createSt0601Reader();

    const record = reader.read(packet, 0, packet.length);

    expect(record).toMatchObject({ timeUs: T0, checksum: 'good', faults: [] });
    expect(record.numbers[13]).toBeCloseTo(45, 6);
    expect(record.texts[3]).toBe('M1');
    expect(record.nested.map((item) => [item.tag, reader.decodeNested(packet, item)])).toEqual([
      [48, { '1': 3 }],
      [74, { '5': 2 }],
    ]);
  });

  it.each([
    ['nanoseconds of 2023', '020817979cfe3d85ca00', 1_700_000_000_123_456, 'Time in nanoseconds, read as such'],
    ['a time beyond 2100', '020838eecfcf56a60000', null, 'Time after the year 9999'],
    ['all ones', '0208ffffffffffffffff', null, 'Time after the year 9999'],
  ])('reads %s as what it is, as decodePacket does', (_what, hex, timeUs, fault) => {
    const packet = rawPacket(hex);
    const record = createSt0601Reader().read(packet, 0, packet.length);
    expect(record.timeUs).toBe(timeUs);
    expect(record.faults.map((one) => [one.tag, one.fault])).toContainEqual([2, fault]);
    const decoded = decodePacket(packet, 0, packet.length);
    expect(decoded.values['2']).toBe(timeUs);
    expect(decoded.faults.map((one) => [one.tag, one.fault])).toContainEqual([2, fault]);
  });

  it('forgets the packet before', () => {
    const reader = createSt0601Reader();
    const full = encodeSt0601({ 2: T0, 3: 'M1', 13: 45, 48: { 1: 3 } });
    const empty = encodeSt0601({ 65: 17 });

    reader.read(full, 0, full.length);
    const record = reader.read(empty, 0, empty.length);

    expect(record).toMatchObject({ timeUs: null, nested: [] });
    expect([record.texts[3], record.numbers[13], record.present[13]]).toEqual([null, Number.NaN, 0]);
  });

  it('gives the same object for a set whose bytes stay the same, another when they change', () => {
    const reader = createSt0601Reader();
    const securityOf = (rank: number) => {
      const packet = encodeSt0601({ 2: T0, 48: { 1: rank, 3: '//USA' } });
      return reader.decodeNested(packet, reader.read(packet, 0, packet.length).nested[0]!);
    };

    const first = securityOf(3);

    expect(securityOf(3)).toBe(first);
    expect(securityOf(4)).toEqual({ '1': 4, '3': '//USA' });
  });

  it('keeps the last of nested items that count once, in the order of the packet', () => {
    const repeated = '300101' + '730101' + '300102' + '5e0101' + '5e00' + '730102' + '300103';

    const record = createSt0601Reader().read(rawPacket(repeated), 0, 17 + repeated.length / 2);

    expect(record.nested.map(({ tag, end }) => [tag, end])).toEqual([
      [115, 23],
      [115, 34],
      [48, 37],
    ]);
    expect(record.present[94]).toBe(2);
  });

  it('reads a packet of nothing but nested items, most of them repeated, in a moment', () => {
    const items = '730101'.repeat(300_000) + '300101'.repeat(300_000);
    const packet = rawPacket(items);
    const began = performance.now();

    const { nested } = createSt0601Reader().read(packet, 0, packet.length);

    expect(nested).toHaveLength(300_001);
    expect(performance.now() - began).toBeLessThan(3000);
  });

  it('refuses packets of other standards', () => {
    const security = encodeSt0102({ 1: 1 });

    expect(() => createSt0601Reader().read(security, 0, security.length)).toThrow(FormatError);
  });

  it('says the same as decodePacket, also of damaged packets', () => {
    const simple = { 2: T0, 3: 'M1', 5: 90, 13: 45, 14: -120, 39: -5, 104: 500, 137: -9, 142: null };
    const packets = [encodeSt0601(simple), encodeSt0601({ ...simple, 48: { 1: 2 } })];
    const reader = createSt0601Reader();
    const change = fc.tuple(fc.integer({ min: 17, max: packets[0]!.length - 1 }), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.constantFrom(...packets), fc.array(change, { maxLength: 4 }), (packet, changes) => {
        const bytes = packet.slice();
        for (const [at, byte] of changes) bytes[at] = byte;
        const { values, checksum, faults } = decodePacket(bytes, 0, bytes.length);
        const record = reader.read(bytes, 0, bytes.length);

        expect(record.checksum).toBe(checksum);
        for (let tag = 1; tag <= HIGHEST_TAG; tag++)
          if (!isNested(tag)) expect(valueIn(record, tag)).toEqual(values[tag]);
        // Faults within a nested item, and so whether an earlier one of its tag counts, are known only once it is
        // decoded.
        const hasNested = record.present.some((state, tag) => state !== 0 && isNested(tag));
        const ofPlainItems = record.faults.filter(({ tag }) => tag === null || !isNested(tag));
        if (hasNested) expect(faults).toEqual(expect.arrayContaining(ofPlainItems));
        else expect(record.faults).toEqual(faults);
      }),
      { numRuns: 2000 },
    );
  });

  it('reads lengths in their long form and tags in more bytes than needed', () => {
    const short = encodeSt0601({ 8: 100, 130: null });
    const body = Buffer.from('8008' + '820001' + '64' + '8102' + '8100', 'hex');
    const packet = new Uint8Array(Buffer.concat([short.subarray(0, 16), Buffer.of(body.length), body]));

    const record = createSt0601Reader().read(packet, 0, packet.length);

    expect(record.numbers[8]).toBe(100);
    expect(record.present[130]).toBe(2);
    expect(record.faults).toEqual([]);
  });
});
