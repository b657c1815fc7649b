import { expect, it } from 'vitest';
import { encodeSt0601 } from './encode-packet.ts';
import { packetLayout } from './layout.ts';

const set = () => encodeSt0601({ '2': 1_340_980_354_100_000, '3': 'MISSION01', '13': 60.1768, '65': 17 });

it('parts a set into its items without a gap, and reads its stated checksum', () => {
  const bytes = Uint8Array.of(0xff, 0xff, ...set());

  const { standard, valueStart, end, items, checksum } = packetLayout(bytes, 2, bytes.length);

  expect(standard).toBe('st0601');
  expect(items.map(({ tag }) => tag)).toEqual([2, 3, 13, 65, 1]);
  expect(items[0]!.start).toBe(valueStart);
  expect(items.slice(1).map(({ start }) => start)).toEqual(items.slice(0, -1).map((item) => item.end));
  expect(items.at(-1)!.end).toBe(end);
  const name = items[1]!;
  expect(new TextDecoder().decode(bytes.subarray(name.valueStart, name.end))).toBe('MISSION01');
  expect(checksum).toEqual({ stated: checksum!.computed, computed: checksum!.computed });
});

it('distinguishes the stated checksum from that of the bytes, and gives the readable part of a damaged set', () => {
  const bytes = set();
  bytes[packetLayout(bytes, 0, bytes.length).items[1]!.valueStart]! ^= 0x01;
  const lied = set();
  lied[packetLayout(lied, 0, lied.length).items[2]!.start + 1] = 0x7f;

  const changed = packetLayout(bytes, 0, bytes.length).checksum!;
  const cut = packetLayout(lied, 0, lied.length);

  expect(changed.stated).not.toBe(changed.computed);
  expect(cut.items.map(({ tag }) => tag)).toEqual([2, 3]);
  expect(cut.checksum).toBeNull();
});

it('refuses what is no packet', () => {
  expect(() => packetLayout(new Uint8Array(40), 0, 40)).toThrow('No universal key');
  expect(() => packetLayout(set(), 0, 30)).toThrow('Packet cut short');
});
