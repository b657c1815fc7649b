import { describe, expect, it } from 'vitest';
import { randomOf } from '../../../../../tools/simulator/src/random.ts';
import { packetJoiner } from './packet-joiner.ts';

const PIDS = [256, 256, 256, 257, 256, 258];

/** Packets of three PIDs with counters, each with a mark, and sync bytes in the payload, as real ones have. */
function stream(count: number): Buffer[] {
  const random = randomOf(3);
  const counters = new Map<number, number>();
  return Array.from({ length: count }, (_, mark) => {
    const pid = PIDS[mark % PIDS.length]!;
    const counter = ((counters.get(pid) ?? -1) + 1) & 0x0f;
    counters.set(pid, counter);
    const bytes = Buffer.from(Array.from({ length: 188 }, () => random() * 256));
    bytes.set([0x47, pid >> 8, pid & 0xff, 0x10 | counter]);
    bytes.writeUInt32BE(mark, 4);
    return bytes;
  });
}

function datagrams(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, n * size + size));
}

function joined(all: readonly Buffer[]) {
  const packets: Buffer[] = [];
  let cut = 0;
  let junk = 0;
  const joiner = packetJoiner({
    release(bytes) {
      for (let at = 0; at < bytes.length; at += 188) packets.push(Buffer.from(bytes.subarray(at, at + 188)));
    },
    cut(count) {
      cut += count;
    },
  });
  for (const bytes of all) junk += joiner.push(bytes);
  joiner.settle();
  return { packets, cut, junk };
}

/** Packets of `sent` that are whole in the datagrams that pass, or in two consecutive ones. */
function complete(sent: readonly Buffer[], size: number, isLost: (datagram: number) => boolean): Buffer[] {
  return sent.filter((_, n) => {
    const [first, last] = [Math.floor((n * 188) / size), Math.floor((n * 188 + 187) / size)];
    for (let datagram = first; datagram <= last; datagram += 1) if (isLost(datagram)) return false;
    return true;
  });
}

const SIZES = [1472, 1000, 1024, 1400, 1410, 1457, 376, 470, 189, 187, 100, 30, 9000];
/** Two packets and more, so that each datagram shows where it belongs. */
const LARGE = SIZES.filter((size) => size > 376);

describe('datagrams that do not end with a packet', () => {
  it.each(SIZES)('of %d bytes give every packet once and in order', (size) => {
    const sent = stream(600);

    const { packets, cut, junk } = joined(datagrams(Buffer.concat(sent), size));

    expect(Buffer.concat(packets).equals(Buffer.concat(sent))).toBe(true);
    expect([cut, junk]).toEqual([0, 0]);
  });

  it.each(LARGE)('of %d bytes, each 50th lost, give every packet that was not hit', (size) => {
    const sent = stream(4000);
    const isLost = (n: number) => n % 50 === 49;
    const passed = datagrams(Buffer.concat(sent), size).filter((_, n) => !isLost(n));

    const { packets, cut } = joined(passed);

    expect(Buffer.concat(packets).equals(Buffer.concat(complete(sent, size, isLost)))).toBe(true);
    expect(cut).toBeGreaterThan(0);
  });

  it.each(LARGE)('of %d bytes, lost and reordered in many ways, never give a packet that was not sent', (size) => {
    const sent = stream(1500);
    const known = new Set(sent.map((bytes) => bytes.toString('latin1')));
    const random = randomOf(size);
    const passed = datagrams(Buffer.concat(sent), size).filter(() => random() > 0.1);
    for (let n = 0; n + 1 < passed.length; n += 1) {
      if (random() < 0.05) [passed[n], passed[n + 1]] = [passed[n + 1]!, passed[n]!];
    }

    const { packets } = joined(passed);

    expect(packets.filter((bytes) => !known.has(bytes.toString('latin1')))).toEqual([]);
    if (size >= 1000) expect(packets.length).toBeGreaterThan(900);
  });

  it('are not joined over a loss that leaves their sync bytes in step', () => {
    const sent = stream(60);
    // Two of seven and a half packets each: only the counters show that they are missing.
    const passed = datagrams(Buffer.concat(sent), 1410).filter((_, n) => n !== 3 && n !== 4);

    const { packets, cut } = joined(passed);

    const isLost = (n: number) => n === 3 || n === 4;
    expect(Buffer.concat(packets).equals(Buffer.concat(complete(sent, 1410, isLost)))).toBe(true);
    expect(cut).toBe(1);
  });

  it('are joined where the sender counts wrongly', () => {
    const sent = stream(600);
    for (const bytes of sent) bytes[3] = 0x10;

    const { packets } = joined(datagrams(Buffer.concat(sent), 1472));

    expect(packets).toHaveLength(600);
  });

  it('are believed from the middle of a packet on', () => {
    const sent = stream(60);

    const { packets, cut } = joined(datagrams(Buffer.concat(sent).subarray(100), 1472));

    expect(Buffer.concat(packets).equals(Buffer.concat(sent.slice(1)))).toBe(true);
    expect(cut).toBe(0);
  });

  it('that are no transport stream are counted, and hold no memory', () => {
    const random = randomOf(1);
    const noise = Array.from({ length: 300 }, () => Buffer.from(Array.from({ length: 900 }, () => random() * 256)));

    const { packets, junk } = joined([...noise, Buffer.alloc(900)]);

    expect(packets).toEqual([]);
    expect(junk).toBe(301);
  });

  it('leave out a packet that the sender damaged, and no other', () => {
    const sent = stream(60);
    sent[20]![0] = 0;

    const { packets } = joined(datagrams(Buffer.concat(sent), 1472));

    expect(packets.filter((bytes) => bytes[0] === 0x47)).toHaveLength(59);
  });
});
