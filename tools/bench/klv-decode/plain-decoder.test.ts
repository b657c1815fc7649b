import { readFileSync } from 'node:fs';
import { createSt0601Reader, decodePacket, type PacketReader, packets } from '@osprey/klv';
import { createDemuxer } from '@osprey/mpegts';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../test-support/test-data.ts';
import { ITEMS, makePackets } from './packets.ts';
import { decodePlain, type PlainItem, type PlainPacket } from './plain-decoder.ts';

const SECURITY_TAG = 48;

/** ST 0601 packets of a transport stream or of a bare file. */
function packetsOf(path: string): Uint8Array[] {
  const bytes = new Uint8Array(readFileSync(testData(path)));
  if (!path.endsWith('.ts')) return split(bytes, 0, bytes.length);
  const found: Uint8Array[] = [];
  const demuxer = createDemuxer({ klv: (payload) => found.push(...split(payload.bytes, payload.start, payload.end)) });
  demuxer.push(bytes);
  demuxer.end();
  return found;
}

function split(bytes: Uint8Array, from: number, to: number): Uint8Array[] {
  return [...packets(bytes, from, to)].map(({ start, end }) => bytes.slice(start, end));
}

function expectSame(packet: Uint8Array, reader: PacketReader): void {
  const plain = decodePlain(packet, 0, packet.length);
  const record = reader.read(packet, 0, packet.length);
  const wrong = new Set(record.faults.map(({ tag }) => tag));

  expect(record.checksum).toBe(plain.checksum);
  for (const { tag, value } of lastOf(plain).values()) {
    if (wrong.has(tag) || value instanceof Uint8Array) continue;
    if (Array.isArray(value))
      expectSameSecurity(
        value,
        packet,
        record.nested.find((item) => item.tag === tag),
        reader,
      );
    else expect(record.texts[tag] ?? orNull(record.numbers[tag]!), `tag ${tag}`).toEqual(asNumber(value));
  }
}

function expectSameSecurity(
  items: PlainItem[],
  packet: Uint8Array,
  nested: { tag: number; start: number; end: number } | undefined,
  reader: PacketReader,
): void {
  expect(nested?.tag).toBe(SECURITY_TAG);
  const expected = Object.fromEntries(items.map(({ tag, value }) => [tag, value]));
  expect(reader.decodeNested(packet, nested!)).toEqual(expected);
}

const lastOf = ({ items }: PlainPacket): Map<number, PlainItem> => new Map(items.map((item) => [item.tag, item]));
const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);
const asNumber = (value: PlainItem['value']) => {
  if (typeof value === 'bigint') return Number(value);
  // The formulas round in another order than ours.
  return typeof value === 'number' ? expect.closeTo(value, 9) : value;
};

describe('the plain decoder of the bench', () => {
  itWithData.each([
    'ts/kwiver/h264_klv.ts',
    'ts/osh/sample-stream.ts',
    'klv/klvdata/DynamicConstantMISMMSPacketData.bin',
    'klv/klvdata/DynamicOnlyMISMMSPacketData.bin',
    'klv/droneklv/Day Flight.klv',
  ])('gives the values that ours gives for %s', (path) => {
    const found = packetsOf(path);
    const reader = createSt0601Reader();

    expect(found.length).toBeGreaterThan(0);
    for (const packet of found) expectSame(packet, reader);
  });

  it('gives the values that ours gives for the packets of the bench, which have 48 items', () => {
    const { bytes, ends } = makePackets(200);
    const reader = createSt0601Reader();
    let start = 0;
    for (const end of ends) {
      const packet = bytes.subarray(start, end);
      expectSame(packet, reader);
      expect(Object.keys(decodePacket(packet, 0, packet.length).values)).toHaveLength(48);
      start = end;
    }
    expect(ITEMS).toBe(48);
  });
});
