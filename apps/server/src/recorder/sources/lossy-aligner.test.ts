import { describe, expect, it } from 'vitest';
import { randomOf } from '../../../../../tools/simulator/src/random.ts';
import { lossyAligner } from './lossy-aligner.ts';

function stream(count: number): Buffer[] {
  const random = randomOf(5);
  return Array.from({ length: count }, (_, mark) => {
    const bytes = Buffer.from(Array.from({ length: 188 }, () => random() * 256));
    bytes.set([0x47, 1, 0, 0x10 | (mark & 0x0f)]);
    bytes.writeUInt32BE(mark, 4);
    return bytes;
  });
}

function aligned(pieces: readonly Buffer[], settles = true) {
  const packets: Buffer[] = [];
  const aligner = lossyAligner((bytes) => {
    for (let at = 0; at < bytes.length; at += 188) packets.push(Buffer.from(bytes.subarray(at, at + 188)));
  });
  for (const bytes of pieces) aligner.push(bytes);
  if (settles) aligner.settle();
  return { packets, skipped: aligner.skipped() };
}

const pieces = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, n * size + size));

describe('bytes with gaps', () => {
  it.each([1316, 1456, 1000, 7, 70_000])('none missing, in pieces of %d, give every packet', (size) => {
    const sent = stream(400);

    const { packets, skipped } = aligned(pieces(Buffer.concat(sent), size));

    expect(Buffer.concat(packets).equals(Buffer.concat(sent))).toBe(true);
    expect(skipped).toBe(0);
  });

  it('wait for nothing where a piece ends with a packet', () => {
    expect(aligned([Buffer.concat(stream(7))], false).packets).toHaveLength(7);
  });

  it.each([1, 3, 9])('never give a packet that was not sent, also with %d messages in one piece', (together) => {
    const sent = stream(3000);
    const known = new Set(sent.map((bytes) => bytes.toString('latin1')));
    const messages = pieces(Buffer.concat(sent), 1456).filter((_, n) => n % 50 !== 49);

    const { packets, skipped } = aligned(pieces(Buffer.concat(messages), 1456 * together));

    expect(packets.filter((bytes) => !known.has(bytes.toString('latin1')))).toEqual([]);
    // Seven or eight of each lost message, two that it cuts, and at most two before it.
    expect(packets.length).toBeGreaterThanOrEqual(3000 - 7 * 12);
    expect(skipped).toBeGreaterThan(0);
  });

  it('leave out a packet without a sync byte, and no other', () => {
    const sent = stream(60);
    sent[20]![0] = 0;

    const { packets } = aligned(pieces(Buffer.concat(sent), 1456));

    expect(Buffer.concat(packets).equals(Buffer.concat(sent.filter((_, n) => n !== 20)))).toBe(true);
  });
});
