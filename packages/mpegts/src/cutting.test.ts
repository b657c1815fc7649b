import { describe, expect, it } from 'vitest';
import { demux, flight, flightStream, join, mux, packetsOf, pidOf } from '../test/streams.ts';
import { createSegmentCutter } from './segment-cutter.ts';
import { createSegmentMap } from './segment-map.ts';

function indexOf(stream: Uint8Array) {
  const { units, report } = demux(stream);
  const builder = createSegmentMap({ videoPid: 256, programNumber: 1 });
  for (const unit of units) builder.add(unit);
  const packeting = { packetSize: report.packetSize!, syncOffset: report.packetSize === 192 ? 4 : 0 };
  return { map: builder.finish(stream.length, report), packeting, program: report.programs[0]! };
}

/** The segments of a stream, each cut from its own range in pieces. */
function cutSegments(stream: Uint8Array, options: { completePictures?: boolean } = {}): Uint8Array[] {
  const { map, packeting, program } = indexOf(stream);
  return map.segments.map(({ offset, sizeBytes }) => {
    const cutter = createSegmentCutter({ packeting, program, ...options });
    const out: Uint8Array[] = [];
    for (let from = offset; from < offset + sizeBytes; from += 777) {
      out.push(cutter.push(stream.subarray(from, Math.min(from + 777, offset + sizeBytes))).slice());
    }
    const behind = stream.subarray(offset + sizeBytes, offset + sizeBytes + packeting.packetSize);
    return join([...out, cutter.end(behind).slice()]);
  });
}

/** Damages packets in ways that a cut must mend. */
const DAMAGES: Record<string, (packets: Uint8Array[]) => Uint8Array> = {
  'packets of 192 bytes': (packets) => join(packets.flatMap((packet) => [Uint8Array.of(9, 9, 9, 9), packet])),
  'packets of 204 bytes': (packets) => join(packets.flatMap((packet) => [packet, new Uint8Array(16)])),
  'repeated packets': (packets) => join(packets.flatMap((packet, i) => (i % 5 === 0 ? [packet, packet] : [packet]))),
  junk: (packets) => join(packets.flatMap((packet, i) => (i % 60 === 59 ? [packet, new Uint8Array(50)] : [packet]))),
  'null packets': (packets) => join(packets.flatMap((packet) => [packet, nullPacket()])),
  'seldom tables': (packets) =>
    join(packets.filter((packet, i) => i < 2 || (pidOf(packet) !== 0 && pidOf(packet) !== 0x1000))),
};

function nullPacket(): Uint8Array {
  const packet = new Uint8Array(188).fill(0xff);
  packet.set([0x47, 0x1f, 0xff, 0x10]);
  return packet;
}

describe('createSegmentCutter', () => {
  const clean = flightStream({ frames: 150, klvSize: 300 });

  it.each(Object.keys(DAMAGES))('mends %s: each segment can be decoded alone and nothing is lost', (damage) => {
    const expected = demux(clean);
    const segments = cutSegments(DAMAGES[damage]!(packetsOf(clean))).map((segment) => demux(segment));

    expect(segments).toHaveLength(2);
    for (const { report, units } of segments) {
      expect(report).toMatchObject({ packetSize: 188, patSeen: true });
      expect(report.faults).toMatchObject({ duplicates: 0, skippedBytes: 0, continuityErrors: 0 });
      expect(units[0]!.keyframe).toBe(true);
      expect(new Set(report.pids.map(({ pid }) => pid))).toEqual(new Set([0, 0x1000, 256, 257]));
    }
    const times = segments.flatMap(({ units }) => units.map(({ ptsTicks }) => ptsTicks));
    expect(times).toEqual(expected.units.map(({ ptsTicks }) => ptsTicks));
    const sets = segments.flatMap(({ payloads }) => payloads.map(({ hex }) => hex));
    expect(sets).toEqual(expected.payloads.map(({ hex }) => hex));
  });

  it('leaves out pictures with missing packets, and no others, if whole ones are asked for', () => {
    const packets = packetsOf(clean);
    const videoAt = packets.flatMap((packet, i) => (pidOf(packet) === 256 ? [i] : []));
    const isStart = (i: number) => (packets[i]![1]! & 0x40) !== 0;
    const starts = videoAt.filter(isStart);
    const pictureOf = (i: number) => starts.findLastIndex((start) => start <= i);
    // The end of one picture, the begin of another, one amid a third, and the last packet before a segment.
    const lastOf = (picture: number) => videoAt.findLast((i) => pictureOf(i) === picture)!;
    const keyAt = starts.findLastIndex((start) => packets[start]![3]! & 0x20 && packets[start]![5]! & 0x40);
    const missing = new Set([lastOf(5), starts[12]!, starts[20]! + 1, lastOf(keyAt - 1)]);
    const lossy = join(packets.filter((_packet, i) => !missing.has(i)));
    const gone = new Set([5, 11, 12, 20, keyAt - 1]);
    const complete = demux(clean).units.map(({ ptsTicks }) => ptsTicks);

    const cut = cutSegments(lossy, { completePictures: true }).map((segment) => demux(segment));

    expect(keyAt).toBeGreaterThan(20);
    for (const { report } of cut) expect(report.faults).toMatchObject({ continuityErrors: 0, brokenPes: 0 });
    const retained = cut.flatMap(({ units }) => units.map(({ ptsTicks }) => ptsTicks));
    expect(retained).toEqual(complete.filter((_ptsTicks, picture) => !gone.has(picture)));
    const asked = cutSegments(clean, { completePictures: true }).map((segment) => demux(segment));
    expect(asked.flatMap(({ units }) => units.map(({ ptsTicks }) => ptsTicks))).toEqual(complete);
  });

  it('counts how often packets of the video are missing', () => {
    const packets = packetsOf(clean);
    const last = packets.findLastIndex((packet) => pidOf(packet) === 256);

    const { map } = indexOf(join(packets.filter((_packet, i) => i !== last - 1)));

    expect([indexOf(clean).map.gaps, map.gaps]).toEqual([0, 1]);
  });

  it('keeps one program of several and writes only its tables', () => {
    const other = mux({ streams: [{ pid: 300, kind: 'h264' }], programNumber: 2, pmtPid: 0x1100 }, [
      ...flight({ frames: 90 })
        .filter(({ pid }) => pid === 256)
        .map((unit) => ({ ...unit, pid: 300 })),
    ]);
    const foreign = packetsOf(other).filter((packet) => pidOf(packet) !== 0);
    const mixed = packetsOf(clean).flatMap((packet, i) => (foreign[i] ? [packet, foreign[i]] : [packet]));

    const [segment] = cutSegments(join(mixed));

    expect(demux(segment!).report.programs.map(({ number }) => number)).toEqual([1]);
    expect(demux(segment!).report.pids.map(({ pid }) => pid)).not.toContain(300);
  });
});
