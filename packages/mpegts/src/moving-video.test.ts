import { describe, expect, it } from 'vitest';
import { demux, FRAME_TICKS, flight, join, mux, packetsOf, picture, pidOf, type Reading } from '../test/streams.ts';
import { createDemuxer } from './demuxer.ts';
import type { MuxerOptions, MuxerUnit } from './muxer.ts';
import { createSegmentMap, type SegmentMapBuilder } from './segment-map.ts';
import { leadingVideo } from './stream-kind.ts';
import type { ProgramStream } from './types.ts';
import { createUnitReader } from './unit-reader.ts';

const FIRST = [
  { pid: 256, kind: 'h264' as const },
  { pid: 257, kind: 'klvAsync' as const },
];
const SECOND = [
  { pid: 512, kind: 'h264' as const },
  { pid: 513, kind: 'klvAsync' as const },
];

/** A recording of so many pictures whose PIDs are 256 higher. */
const moved = (units: MuxerUnit[]): MuxerUnit[] => units.map((unit) => ({ ...unit, pid: unit.pid + 256 }));
const second = (startTicks: number, options: Partial<MuxerOptions> = {}) =>
  mux({ streams: SECOND, ...options }, moved(flight({ frames: 90, startTicks })));
const first = () => mux({ streams: FIRST }, flight({ frames: 90 }));
const END_OF_FIRST = 90_000 + 90 * FRAME_TICKS;

const runsOf = ({ units }: Reading) => {
  const runs = new Map<number, number>();
  for (const { run } of units) runs.set(run, (runs.get(run) ?? 0) + 1);
  return [...runs];
};

/** The map of the video that is followed through the tables. */
function mapOf(stream: Uint8Array) {
  let map: SegmentMapBuilder | null = null;
  let followed: ProgramStream | null = null;
  const demuxer = createDemuxer({
    program({ number, streams }, place) {
      const next = leadingVideo(streams, followed);
      if (next === null) return;
      const video = { videoPid: next.pid, programNumber: number };
      if (map === null) map = createSegmentMap(video);
      else if (next.pid !== followed?.pid || next.kind !== followed.kind) map.follow(video, place);
      followed = { ...next };
    },
    accessUnit: (unit) => map?.add(unit),
  });
  demuxer.push(stream);
  const report = demuxer.end();
  return map!.finish(stream.length, report);
}

describe('a video that moves to another PID', () => {
  it.each([
    ['begins anew at the same time', 90_000],
    ['goes on', END_OF_FIRST],
    ['is 5 s further', END_OF_FIRST + 450_000],
    ['jumps by an hour', END_OF_FIRST + 3600 * 90_000],
  ])('begins a run where its clock %s', (_what, startTicks) => {
    const reading = demux(join([first(), second(startTicks)]));

    expect(runsOf(reading)).toEqual([
      [0, 90],
      [1, 90],
    ]);
    expect(reading.units[90]).toMatchObject({ pid: 512, ptsTicks: startTicks });
    expect(reading.payloads.map(({ run }) => run)).toEqual([...Array(90).fill(0), ...Array(90).fill(1)]);
    expect(reading.payloads.every(({ ptsTicks }) => ptsTicks !== null)).toBe(true);
    expect(reading.report.faults.clockJumps).toBe(0);
  });

  it.each([
    ['its tables to another PID', { pmtPid: 0x1100 }],
    ['to another program number', { programNumber: 7 }],
    ['to another program and table', { programNumber: 7, pmtPid: 0x1100 }],
  ])('keeps its count of runs when the recording moves %s', (_what, options) => {
    const reading = demux(join([first(), second(90_000, options)]));

    expect(runsOf(reading)).toEqual([
      [0, 90],
      [1, 90],
    ]);
  });

  it('begins a run where the clock restarts under the same PIDs, with its table elsewhere', () => {
    const again = mux({ streams: FIRST, pmtPid: 0x1100 }, flight({ frames: 90 }));

    expect(runsOf(demux(join([first(), again])))).toEqual([
      [0, 90],
      [1, 90],
    ]);
  });

  it('begins a run where the coding changes under the same PID', () => {
    const hevc = mux({ streams: [{ pid: 256, kind: 'h265' }] }, [
      ...flight({ frames: 30, startTicks: END_OF_FIRST }).filter(({ pid }) => pid === 256),
    ]);
    const reading = demux(join([first(), hevc]));

    expect(runsOf(reading)).toEqual([
      [0, 90],
      [1, 30],
    ]);
    expect(new Set(reading.units.slice(90).map(({ kind }) => kind))).toEqual(new Set(['h265']));
  });

  it('gives the same, however the stream is cut into pieces', () => {
    const stream = join([first(), second(90_000)]);
    const complete = demux(stream);
    for (const size of [1, 187, 1000, 4096]) {
      const { units, payloads } = demux(stream, size);
      expect(units).toEqual(complete.units);
      expect(payloads.map(({ hex, run, ptsTicks }) => [hex, run, ptsTicks])).toEqual(
        complete.payloads.map(({ hex, run, ptsTicks }) => [hex, run, ptsTicks]),
      );
    }
  });

  it('is mapped whole, in segments that begin with the tables of the new stream', () => {
    const before = first();
    const map = mapOf(join([before, second(90_000)]));

    expect(map).toMatchObject({ frames: 180, rangesPlayable: true, reasons: [], frameRate: 30 });
    expect(map.segments.map(({ run }) => run)).toEqual([0, 0, 1]);
    expect(map.segments.map(({ durationTicks }) => durationTicks)).toEqual([180_000, 90_000, 270_000]);
    expect(map.segments[2]!.offset).toBe(before.length);
  });

  it('leaves pictures that come between the new tables to the segment before', () => {
    const before = packetsOf(first());
    const after = packetsOf(second(90_000, { tableEveryTicks: 1e9 }));
    const isTable = (packet: Uint8Array) => pidOf(packet) === 0 || pidOf(packet) === 0x1000;
    const late = before.splice(-8);
    const [pat, pmt, ...rest] = after;
    const stream = join([...before, pat!, ...late.filter((packet) => !isTable(packet)), pmt!, ...rest]);

    const { segments } = mapOf(stream);

    const isPmt = (at: number) => pidOf(stream.subarray(at, at + 188)) === 0x1000;
    expect(isPmt(segments.find(({ run }) => run === 1)!.offset)).toBe(true);
  });

  it('is read on as whole pictures, from its first key frame', () => {
    const kinds: string[] = [];
    const reader = createUnitReader({ unit: ({ run, keyframe }) => void kinds.push(`${run}${keyframe ? 'k' : ''}`) });
    reader.push(join([first(), second(90_000)]));
    reader.end();

    expect(kinds.filter((kind) => kind.startsWith('0'))).toHaveLength(90);
    expect(kinds.filter((kind) => kind.startsWith('1'))).toHaveLength(90);
  });
});

describe('a second video in a program', () => {
  it('neither breaks nor moves the clock of the first', () => {
    const units = flight({ frames: 60 }).flatMap((unit): MuxerUnit[] => {
      if (unit.pid !== 256) return [unit];
      const other = { pid: 300, ptsTicks: unit.ptsTicks! + 7_000_000, keyframe: true, bytes: picture('idr') };
      return [unit, other];
    });
    const reading = demux(mux({ streams: [...FIRST, { pid: 300, kind: 'h264' }] }, units));

    const own = reading.units.filter(({ pid }) => pid === 256);
    expect(own.map(({ run }) => run)).toEqual(Array(60).fill(0));
    expect(own.map(({ ptsTicks }) => ptsTicks)).toEqual(units.flatMap((u) => (u.pid === 256 ? [u.ptsTicks] : [])));
    expect(reading.payloads.every(({ run }) => run === 0)).toBe(true);
    expect(reading.report.faults.clockJumps).toBe(0);
  });
});

describe('sound of a coding that no map names', () => {
  it('is known by the stream id of its packets', () => {
    const streams = [...FIRST, { pid: 300, kind: 'otherAudio' as const, streamType: 0x90 }];
    const units = flight({ frames: 5 }).flatMap((unit) => [unit, { ...unit, pid: 300 }]);
    const { programs, report } = demux(mux({ streams }, units));

    expect(programs.at(-1)!.streams.find(({ pid }) => pid === 300)).toMatchObject({ kind: 'otherAudio' });
    expect(report.programs[0]!.streams).toHaveLength(3);
  });
});
