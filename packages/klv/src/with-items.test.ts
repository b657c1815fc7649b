import { expect, it } from 'vitest';
import { decodePacket, encodeSt0601, itemBytes, withItems } from './index.ts';

it('adds items to a set, and computes its checksum again', () => {
  const set = encodeSt0601({ 2: 1_700_000_000_000_000, 3: 'M1' });
  const more = itemBytes(10, new TextEncoder().encode('KEA'));
  const long = itemBytes(11, new TextEncoder().encode('x'.repeat(120)));

  const joined = withItems(set, 0, set.length, [more, long]);

  const { values, checksum, faults } = decodePacket(joined, 0, joined.length);
  expect(values).toMatchObject({ 2: 1_700_000_000_000_000, 3: 'M1', 10: 'KEA', 11: 'x'.repeat(120) });
  expect([checksum, faults]).toEqual(['good', []]);
});
