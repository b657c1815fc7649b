import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeSt0102, encodeSt0601, encodeSt0903 } from './encode-packet.ts';
import { readUniversalKey } from './key.ts';
import { packets } from './packets.ts';
import type { KlvFault } from './value.ts';

const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const first = encodeSt0601({ 2: 1_700_000_000_000_000, 3: 'ONE' });
const second = encodeSt0601({ 2: 1_700_000_001_000_000, 3: 'TWO' });

function split(bytes: Uint8Array, start = 0, end = bytes.length) {
  const faults: KlvFault[] = [];
  const found = [...packets(bytes, start, end, (fault) => faults.push(fault))];
  return { found, faults };
}

describe('packets', () => {
  it('gives packets that follow each other', () => {
    const { found, faults } = split(joined(first, second));

    expect(found).toEqual([
      { start: 0, end: first.length },
      { start: first.length, end: first.length + second.length },
    ]);
    expect(faults).toEqual([]);
  });

  it('skips bytes between packets and reports them', () => {
    const { found, faults } = split(joined(Uint8Array.of(1, 6, 2), first, new Uint8Array(5), second, Uint8Array.of(6)));

    expect(found).toHaveLength(2);
    expect(faults.map(({ offset, fault }) => [offset, fault])).toEqual([
      [0, 'Bytes that belong to no packet'],
      [3 + first.length, 'Bytes that belong to no packet'],
      [8 + first.length + second.length, 'Bytes that belong to no packet'],
    ]);
  });

  it('gives packets of a foreign key before, between and after the others apart', () => {
    const foreign = joined(
      Buffer.from('0101010f0f5241590100000000000000', 'hex'),
      Uint8Array.of(0x81, 0xc8),
      new Uint8Array(200),
    );
    const bytes = joined(foreign, first, foreign, second, foreign);
    const faults: KlvFault[] = [];
    const others: unknown[] = [];

    const found = [
      ...packets(
        bytes,
        0,
        bytes.length,
        (fault) => faults.push(fault),
        (bounds) => others.push(bounds),
      ),
    ];

    expect(found.map(({ start, end }) => end - start)).toEqual([first.length, second.length]);
    expect(others).toEqual(
      [0, 1, 2].map((n) => {
        const start = n * foreign.length + (n > 0 ? first.length : 0) + (n > 1 ? second.length : 0);
        return { start, end: start + foreign.length };
      }),
    );
    expect(faults).toEqual([]);
    expect(split(bytes).faults).toMatchObject(new Array(3).fill({ fault: 'Packet under a foreign key' }));
  });

  it('reports a cut packet and finds the one after its key', () => {
    const lying = first.slice();
    lying[16] = 0x7f;

    const { found, faults } = split(joined(lying, second));

    expect(found).toEqual([{ start: first.length, end: first.length + second.length }]);
    expect(faults[0]).toEqual({ tag: null, offset: 17, fault: 'Packet cut short' });
  });

  it('looks at nothing outside its bounds', () => {
    const bytes = joined(first, second);

    expect(split(bytes, 1, bytes.length).found).toHaveLength(1);
    expect(split(bytes, 0, bytes.length - 1).found).toHaveLength(1);
  });

  it('lists at most 100 faults of a payload of broken keys', () => {
    const broken = joined(first.subarray(0, 16), Uint8Array.of(0x80));

    expect(split(joined(...new Array<Uint8Array>(5000).fill(broken))).faults).toHaveLength(100);
  });

  it('ends on any bytes, gives rising bounds, and throws nothing', () => {
    const noise = fc.array(fc.oneof(fc.constant(first.subarray(0, 17)), fc.uint8Array({ maxLength: 40 })), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(noise, (parts) => {
        const bytes = joined(...parts);
        let last = 0;
        for (const { start, end } of split(bytes).found) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeLessThanOrEqual(bytes.length);
          last = end;
        }
      }),
    );
  });
});

describe('universal keys', () => {
  it('names the standard for any version byte', () => {
    const later = first.slice();
    later[7] = 2;

    expect(readUniversalKey(first, 0)).toBe('st0601');
    expect(readUniversalKey(later, 0)).toBe('st0601');
    expect(readUniversalKey(encodeSt0903({ 2: 1 }), 0)).toBe('st0903');
    expect(readUniversalKey(encodeSt0102({ 1: 1 }), 0)).toBe('st0102');
  });

  it('distinguishes another set from bytes that are no key', () => {
    const other = first.slice();
    other[12] = 99;

    expect(readUniversalKey(other, 0)).toBe('unknown');
    expect(readUniversalKey(first, 1)).toBeNull();
    expect(readUniversalKey(first.subarray(0, 15), 0)).toBeNull();
  });
});
