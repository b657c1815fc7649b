import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { demux, flightStream, join, packetsOf } from '../test/streams.ts';
import { crc32 } from './crc32.ts';
import { createDemuxer } from './demuxer.ts';
import { createSegmentCutter } from './segment-cutter.ts';
import { createSegmentMap } from './segment-map.ts';
import type { Program } from './types.ts';

/** A generator of 32-bit numbers that is fast and the same in each run with the same seed (xorshift). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const SOURCES = [
  flightStream({ frames: 60, klv: 'klvAsync', klvSize: 300 }),
  flightStream({ frames: 60, klv: 'klvSync', klvSize: 500 }),
];

/** A stream with something of everything: other packet sizes, junk, repetitions, losses. */
const damagedStream = fc
  .record({
    source: fc.constantFrom(...SOURCES),
    size: fc.constantFrom(188, 192, 204),
    edits: fc.array(fc.tuple(fc.nat(10_000), fc.constantFrom('drop', 'repeat', 'junk', 'flip', 'part'), fc.nat(255)), {
      maxLength: 12,
    }),
  })
  .map(({ source, size, edits }) => {
    const packets = packetsOf(source).map((packet) => widened(packet, size));
    for (const [where, edit, value] of edits) {
      const at = where % packets.length;
      const packet = packets[at]!;
      if (edit === 'drop') packets.splice(at, 1);
      if (edit === 'repeat') packets.splice(at, 0, packet.slice());
      // Inserts many bytes that look like the start of a packet.
      if (edit === 'junk') packets.splice(at, 0, new Uint8Array(2 + value).fill(value % 2 === 0 ? 0x47 : value, 1));
      if (edit === 'flip') packets[at] = packet.map((byte, i) => (i === value % packet.length ? byte ^ 0x41 : byte));
      if (edit === 'part') packets[at] = packet.slice(0, value % packet.length);
    }
    return join(packets);
  });

function widened(packet: Uint8Array, size: number): Uint8Array {
  const wide = new Uint8Array(size);
  wide.set(packet, size === 192 ? 4 : 0);
  return wide;
}

describe('a damaged stream', () => {
  it('reads the same however it is cut', () => {
    fc.assert(
      fc.property(damagedStream, fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1 }), (stream, pieces) => {
        const complete = demux(stream);
        const demuxed = demuxInPieces(stream, pieces);
        expect(demuxed).toEqual(complete);
      }),
      { numRuns: 150 },
    );
  });

  it('reads the same byte by byte, through junk that looks like packets', () => {
    const junk = new Uint8Array(100).fill(0x47, 1);
    const source = SOURCES[1]!;
    const stream = join([source.subarray(0, 30_080), junk, source.subarray(30_080, 60_000)]);

    expect(demux(stream, 1)).toEqual(demux(stream));
    expect(demux(stream).report.faults.skippedBytes).toBe(100);
  });
});

function demuxInPieces(stream: Uint8Array, pieces: number[]) {
  let from = 0;
  let k = 0;
  const cuts: Uint8Array[] = [];
  while (from < stream.length) {
    const size = pieces[k++ % pieces.length]!;
    cuts.push(stream.subarray(from, from + size));
    from += size;
  }
  return demuxParts(cuts);
}

/** As `demux`, with each part in memory of its own that is overwritten after the push. */
function demuxParts(parts: Uint8Array[]): ReturnType<typeof demux> {
  const collected = { programs: [], units: [], payloads: [], formats: [], faults: [] } as Omit<
    ReturnType<typeof demux>,
    'report'
  >;
  const demuxer = createDemuxer({
    program: (program) => collected.programs.push(program),
    accessUnit: (unit) => collected.units.push({ ...unit }),
    klv(payload) {
      const bytes = payload.bytes.slice(payload.start, payload.end);
      const hex = Buffer.from(bytes).toString('hex');
      collected.payloads.push({ ...payload, bytes, start: 0, end: bytes.length, hex });
    },
    video: (pid, format) => collected.formats.push({ pid, format }),
    fault: (fault) => collected.faults.push(fault),
  });
  for (const part of parts) {
    const copy = part.slice();
    demuxer.push(copy);
    copy.fill(0x47);
  }
  return { ...collected, report: demuxer.end() };
}

const MUTATED_PACKETS = 1_000_000;
const ROUNDS = 100;
/** Memory that readers may use: 64 MiB of KLV, and slack for the collector. */
const MEMORY_LIMIT = 160 * 1024 * 1024;

describe('a million mutated packets', () => {
  it('make no reader throw, and memory stays bounded', { timeout: 120_000 }, () => {
    const seed = Date.now() & 0x7fffffff;
    try {
      const { given, peak } = readMutations(randomNumbers(seed));
      expect(given).toBeGreaterThan(1_000_000);
      expect(peak).toBeLessThan(MEMORY_LIMIT);
    } catch (cause) {
      throw new Error(`Seed ${seed}`, { cause });
    }
  });
});

/** Reads until a million packets were changed; gives the bytes of KLV that came out, and the memory taken at most. */
function readMutations(random: (below: number) => number): { given: number; peak: number } {
  const before = process.memoryUsage();
  let peak = 0;
  let mutated = 0;
  let given = 0;
  while (mutated < MUTATED_PACKETS) {
    const source = SOURCES[random(SOURCES.length)]!;
    const stream = new Uint8Array(source.length);
    const programs: Program[] = [];
    const map = createSegmentMap({ videoPid: 256, programNumber: 1 });
    const demuxer = createDemuxer({
      program: (program) => programs.push(program),
      accessUnit: (unit) => map.add(unit),
      klv: (payload) => {
        given += payload.end - payload.start;
      },
    });
    // Many rounds through one reader, so that a leak would grow.
    for (let round = 0; round < ROUNDS; round++) {
      stream.set(source);
      mutated += mutate(stream, random);
      demuxer.push(stream);
    }
    const report = demuxer.end();
    expect(map.finish(report.bytes, report).segments.every(({ sizeBytes }) => sizeBytes >= 0)).toBe(true);
    for (const program of programs.slice(0, 3)) cut(stream, program);
    const now = process.memoryUsage();
    peak = Math.max(peak, now.heapUsed + now.arrayBuffers - before.heapUsed - before.arrayBuffers);
  }
  return { given, peak };
}

function cut(stream: Uint8Array, program: Program) {
  const cutter = createSegmentCutter({ packeting: { packetSize: 188, syncOffset: 0 }, program });
  expect(cutter.push(stream).length % 188).toBe(0);
  cutter.end();
}

/** Changes one packet in three, mostly in its first bytes, and writes program maps of chance with a right CRC; says how many. */
function mutate(stream: Uint8Array, random: (below: number) => number): number {
  let changed = 0;
  for (let at = 0; at < stream.length; at += 188) {
    const chance = random(30);
    if (chance >= 10) continue;
    changed += 1;
    if (chance === 0) stream[at + random(188)] = random(256);
    else if (chance === 1) stream.fill(random(256), at + 4 + random(150), at + 188);
    else if (chance === 2) writeChanceMap(stream, at, random);
    else stream[at + 1 + random(40)] = random(256);
  }
  return changed;
}

function writeChanceMap(stream: Uint8Array, at: number, random: (below: number) => number) {
  const length = 9 + random(160);
  stream.set([0x47, 0x50, 0x00, 0x10 | random(16), 0, 2, 0xb0, length, 0, 1, 0xc1 | (random(32) << 1), 0, 0], at);
  for (let i = 13; i < 8 + length; i++) stream[at + i] = [random(256), 0x1b, 0x06, 0x15, 0x01, 0x00][random(6)]!;
  const end = at + 8 + length;
  new DataView(stream.buffer, stream.byteOffset).setUint32(end - 4, crc32(stream, at + 5, end - 4));
}
