import { expect, it } from 'vitest';
import { dumpOf, hexOf, partsOf, type ShownSet } from './set-parts.ts';

const set: ShownSet = {
  fileId: '00000000-0000-4000-8000-000000000001',
  fileName: 'flight.ts',
  pid: 257,
  offset: 0,
  standard: 'st0601',
  checksum: 'good',
  stated: 1,
  computed: 1,
  hex: '060e2b34020b01010e0103010100000006030241420d0102',
  items: [
    { tag: 3, start: 17, valueStart: 19, end: 21 },
    { tag: 13, start: 21, valueStart: 23, end: 24 },
  ],
};

it('parts a set so that no byte is left out', () => {
  expect(partsOf(set).map(({ kind, tag, start, end }) => [kind, tag, start, end])).toEqual([
    ['key', null, 0, 17],
    ['item', 3, 17, 21],
    ['item', 13, 21, 24],
  ]);
  const cut = partsOf({ ...set, items: set.items.slice(0, 1) });
  expect(cut.map(({ kind, start, end }) => [kind, start, end])).toEqual([
    ['key', 0, 17],
    ['item', 17, 21],
    ['rest', 21, 24],
  ]);
  expect(partsOf({ ...set, items: [] })).toMatchObject([{ kind: 'key', start: 0, end: 24 }]);
});

it('writes bytes in pairs, and a dump as other tools print it', () => {
  expect(hexOf(set, 19, 21)).toBe('41 42');
  expect(dumpOf(set).split('\n')).toEqual([
    '0000  06 0e 2b 34 02 0b 01 01 0e 01 03 01 01 00 00 00   ..+4............',
    '0010  06 03 02 41 42 0d 01 02                           ...AB...',
  ]);
});
