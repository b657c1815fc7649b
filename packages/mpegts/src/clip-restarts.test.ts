import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { demux, FRAME_TICKS, join, klvPacket, packetsOf, picture, pidOf } from '../test/streams.ts';
import { type ClipOptions, openClip } from './clip.ts';
import { openMp4Clip } from './mp4-clip.ts';
import { createMuxer, type MuxerUnit } from './muxer.ts';
import { runPlaces } from './run-place.ts';
import { createSegmentMap } from './segment-map.ts';

const [VIDEO, KLV] = [256, 257];
const KEY_EVERY = 5;
const WRAP = 2 ** 33;
const KEY = Buffer.from('060e2b34020b01010e01030101000000', 'hex');

type Recording = {
  /** Where the clock begins in each run, and how many pictures it has. */
  runs: { start: number; frames: number }[];
  /** Pictures that are sent before the set of an earlier one; below 0 the set comes so many pictures before its own. */
  late: number;
};

/** A set with its number. */
function setOf(number: number): Uint8Array {
  const bytes = klvPacket(40);
  new DataView(bytes.buffer).setUint32(bytes.length - 4, number);
  return bytes;
}

/** Numbers of the sets in any file that holds them whole. */
function numbersIn(bytes: Uint8Array): number[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: number[] = [];
  for (let at = file.indexOf(KEY); at >= 0; at = file.indexOf(KEY, at + 1)) found.push(file.readUInt32BE(at + 17 + 36));
  return found;
}

const payloads = (packets: Uint8Array): Uint8Array => join(demux(packets).payloads.map(({ bytes }) => bytes));

/** One picture and one set, 30 a second, whose clock restarts with each run. */
function streamOf({ runs, late }: Recording): Uint8Array {
  let written: Uint8Array[] = [];
  const muxer = createMuxer({
    streams: [
      { pid: VIDEO, kind: 'h264' },
      { pid: KLV, kind: 'klvAsync' },
    ],
    write: (bytes) => written.push(...packetsOf(bytes.slice())),
  });
  const unit = (one: MuxerUnit) => {
    written = [];
    muxer.unit(one);
    return written;
  };
  const frames = runs.flatMap(({ start, frames: count }) =>
    Array.from({ length: count }, (_, i) => ({
      ptsTicks: (start + i * FRAME_TICKS) % WRAP,
      keyframe: i % KEY_EVERY === 0,
    })),
  );
  const pictures: Uint8Array[][] = [];
  const sets: Uint8Array[][] = [];
  for (const [number, { ptsTicks, keyframe }] of frames.entries()) {
    pictures.push(unit({ pid: VIDEO, ptsTicks, keyframe, bytes: picture(keyframe ? 'idr' : 'other') }));
    sets.push(unit({ pid: KLV, ptsTicks, bytes: setOf(number) }));
  }
  const packets: Uint8Array[] = [];
  for (let at = Math.min(0, late); at < frames.length + Math.max(0, late); at++) {
    // Tables of a key frame stand before it.
    packets.push(...(sets[at - late] ?? []).filter((packet) => pidOf(packet) === KLV), ...(pictures[at] ?? []));
  }
  return join(packets);
}

function mapOf(stream: Uint8Array) {
  const { units, report } = demux(stream);
  const builder = createSegmentMap({ videoPid: VIDEO, programNumber: 1 });
  for (const unit of units) builder.add(unit);
  return builder.finish(stream.length, report);
}

type Cut = ClipOptions & { askedTicks: number };

/** A cut of each run of the recording; `asked`: pictures of the run, the last one left out. */
function cutsOf(stream: Uint8Array, asked: readonly [from: number, to: number] | null = null): Cut[] {
  const { runs, segments, keyframes } = mapOf(stream);
  const places = runPlaces(segments);
  return runs.map(({ run, firstPts, lastPts, lastDurationTicks }) => {
    const from = asked === null ? firstPts : firstPts + asked[0] * FRAME_TICKS;
    const to = asked === null ? lastPts + lastDurationTicks : firstPts + asked[1] * FRAME_TICKS;
    const own = keyframes.filter((one) => one.run === run);
    const next = own.findIndex(({ ptsTicks }) => ptsTicks > from);
    // A clock that goes back by less than a second stays in its run: its first picture is then not the earliest one.
    const key = own[(next < 0 ? own.length : next) - 1] ?? own[0]!;
    return {
      source: {
        sizeBytes: stream.length,
        async read(buffer: Uint8Array, position: number) {
          const part = stream.subarray(position, position + buffer.length);
          buffer.set(part);
          return part.length;
        },
      },
      packeting: { packetSize: 188, syncOffset: 0 },
      offset: key.offset,
      place: places.get(run)!,
      complete: { start: from <= firstPts, end: to >= lastPts + lastDurationTicks },
      askedTicks: Math.max(0, from - key.ptsTicks),
      lengthTicks: to - key.ptsTicks,
    };
  });
}

async function tsOf(options: ClipOptions): Promise<Uint8Array> {
  const clip = await openClip(options);
  const parts: Uint8Array[] = [];
  for await (const part of clip.packets()) parts.push(part);
  return join(parts);
}

async function mp4Of(cuts: readonly Cut[]): Promise<Uint8Array> {
  const parts = cuts.map((options) => ({
    ...{ askedTicks: options.askedTicks, lengthTicks: options.lengthTicks },
    open: async () => ({ clip: await openClip(options), close: async () => undefined }),
  }));
  const clip = await openMp4Clip(parts, { title: 'Kea', comment: 'Kea', createdSeconds: null });
  const pieces: Uint8Array[] = [];
  for await (const piece of clip.bytes()) pieces.push(piece);
  expect(join(pieces).length).toBe(clip.sizeBytes);
  return join(pieces);
}

const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);
const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i);

/** Where a clock begins: again at the same time, near the end of its 33 bits, or anywhere. */
const start = fc.oneof(
  fc.constant(900_000),
  fc.integer({ min: 0, max: 30 }).map((frames) => WRAP - frames * FRAME_TICKS),
  fc.integer({ min: 0, max: WRAP - 1 }),
);
const recording: fc.Arbitrary<Recording> = fc.record({
  runs: fc.array(fc.record({ start, frames: fc.integer({ min: 20, max: 45 }) }), { minLength: 1, maxLength: 5 }),
  late: fc.integer({ min: -6, max: 6 }),
});

describe('a clip over restarts, jumps and wraps of the clock', () => {
  it('holds each set of the recording once, as TS and as MP4, and is as large as what it is made of', async () => {
    await fc.assert(
      fc.asyncProperty(recording, async (one) => {
        const stream = streamOf(one);
        const sets = upTo(one.runs.reduce((sum, { frames }) => sum + frames, 0));
        const cuts = cutsOf(stream);

        const clips: Uint8Array[] = [];
        for (const cut of cuts) clips.push(await tsOf(cut));

        expect(sorted(clips.flatMap((clip) => numbersIn(payloads(clip))))).toEqual(sets);
        expect(sorted(numbersIn(await mp4Of(cuts)))).toEqual(sets);
        const planned = cuts.reduce((sum, { place, offset }) => sum + place.limit - offset, 0);
        const bytes = clips.reduce((sum, clip) => sum + clip.length, 0);
        // Tables come once more with each cut, and sets may lie before the first picture of all.
        expect(Math.abs(bytes - planned)).toBeLessThanOrEqual((cuts.length * 3 + 8) * 188);
      }),
      { numRuns: 20 },
    );
  });

  it('of a part of a run holds the sets of this part and of this run, however often the clock comes by', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          loops: fc.integer({ min: 2, max: 6 }),
          // A clock that goes back by less than a second may be that of pictures in another order.
          frames: fc.integer({ min: 40, max: 60 }),
          late: fc.integer({ min: -6, max: 6 }),
          from: fc.integer({ min: 0, max: 12 }),
          length: fc.integer({ min: 1, max: 7 }),
        }),
        async ({ loops, frames, late, from, length }) => {
          const runs = upTo(loops).map(() => ({ start: WRAP - 20 * FRAME_TICKS, frames }));
          const cuts = cutsOf(streamOf({ runs, late }), [from, from + length]);

          expect(cuts).toHaveLength(loops);
          const key = from - (from % KEY_EVERY);
          for (const [loop, cut] of cuts.entries()) {
            const expected = upTo(from + length - key, loop * frames + key);
            expect(sorted(numbersIn(payloads(await tsOf(cut))))).toEqual(expected);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('goes on past a picture with a damaged time', async () => {
    const stream = streamOf({ runs: [{ start: 900_000, frames: 60 }], late: 0 });
    const [cut] = cutsOf(stream, [0, 50]);
    const pictures = packetsOf(stream).flatMap((packet, i) =>
      pidOf(packet) === VIDEO && packet[1]! & 0x40 ? [i] : [],
    );
    const packet = stream.subarray(pictures[20]! * 188);
    const payload = packet[3]! & 0x20 ? 5 + packet[4]! : 4;
    // The highest bits of its PTS: hours later.
    packet[payload + 9]! ^= 0x0e;

    expect(numbersIn(payloads(await tsOf(cut!)))).toEqual(upTo(50));
  });

  it('goes on for more hours than half of the 33 bits hold', async () => {
    const [step, count] = [9 * 90_000, 5500];
    const written: Uint8Array[] = [];
    const streams = [
      { pid: VIDEO, kind: 'h264' as const },
      { pid: KLV, kind: 'klvAsync' as const },
    ];
    const every = { tableEveryTicks: step, pcrEveryTicks: step };
    const muxer = createMuxer({ streams, ...every, write: (bytes) => written.push(bytes.slice()) });
    for (let i = 0; i < count; i++) {
      const ptsTicks = (900_000 + i * step) % WRAP;
      muxer.unit({
        pid: VIDEO,
        ptsTicks,
        keyframe: i % 500 === 0,
        bytes: picture(i % 500 === 0 ? 'idr' : 'other', 10),
      });
      muxer.unit({ pid: KLV, ptsTicks, bytes: setOf(i) });
    }
    const stream = join(written);
    const [cut] = cutsOf(stream);

    expect(
      numbersIn(
        payloads(await tsOf({ ...cut!, complete: { start: true, end: false }, lengthTicks: (count - 10) * step })),
      ),
    ).toEqual(upTo(count - 10));
  });
});
