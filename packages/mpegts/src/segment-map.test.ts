import { describe, expect, it } from 'vitest';
import { demux, flight, flightStream, join, mux, packetsOf, picture, pidOf } from '../test/streams.ts';
import { createSegmentMap, type Segment, type SegmentMap } from './segment-map.ts';

const STREAMS = [
  { pid: 256, kind: 'h264' as const },
  { pid: 257, kind: 'klvAsync' as const },
];

function mapOf(stream: Uint8Array, programNumber = 1): SegmentMap {
  const { units, report } = demux(stream);
  const map = createSegmentMap({ videoPid: 256, programNumber });
  for (const unit of units) map.add(unit);
  return map.finish(stream.length, report);
}

describe('createSegmentMap', () => {
  it('joins key frames to segments of 2 s that cover every byte', () => {
    const stream = flightStream({ frames: 200, keyEvery: 10 });
    const { segments, keyframes, frames } = mapOf(stream);

    expect(segments.map(({ durationTicks }) => durationTicks / 3000)).toEqual([60, 60, 80]);
    expect(segments[0]!.offset).toBe(0);
    for (let i = 1; i < segments.length; i++) {
      expect(segments[i]!.offset).toBe(segments[i - 1]!.offset + segments[i - 1]!.sizeBytes);
      expect(keyframes.map(({ offset }) => offset)).toContain(segments[i]!.offset);
    }
    expect(segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBe(stream.length);
    expect(keyframes).toHaveLength(20);
    expect(frames).toBe(200);
  });

  it('takes two seconds that a rounded clock made shorter for two seconds', () => {
    // A millisecond less between one key frame and the next.
    const rounded = flight({ frames: 240, keyEvery: 60 }).map((unit) => {
      const early = 90 * Math.floor(((unit.ptsTicks ?? 0) - 90_000) / (60 * 3000));
      return { ...unit, ptsTicks: (unit.ptsTicks ?? 0) - early };
    });

    const { segments } = mapOf(mux({ streams: STREAMS }, rounded));

    expect(segments.map(({ durationTicks }) => Math.round(durationTicks / 3000))).toEqual([60, 60, 60, 60]);
  });

  it('cuts where the clock jumps, with durations of each run alone', () => {
    const stream = mux({ streams: STREAMS }, [
      ...flight({ frames: 45, startTicks: 9_000_000 }),
      ...flight({ frames: 90, startTicks: 90_000 }),
    ]);

    const { segments, runs } = mapOf(stream);

    expect(segments.map(({ run, durationTicks }) => [run, durationTicks / 3000])).toEqual([
      [0, 45],
      [1, 90],
    ]);
    expect(runs).toEqual([
      { run: 0, firstPts: 9_000_000, lastPts: 9_132_000, lastDurationTicks: 3000, firstDts: 9_000_000 },
      { run: 1, firstPts: 90_000, lastPts: 357_000, lastDurationTicks: 3000, firstDts: 90_000 },
    ]);
  });

  it('is playable as stored when every segment has its tables', () => {
    expect(mapOf(flightStream({ frames: 200 }))).toMatchObject({ rangesPlayable: true, reasons: [] });
  });

  it('must be cut where the tables come only once', () => {
    let tables = 0;
    const seldom = packetsOf(flightStream({ frames: 200 })).filter((packet) => {
      return (pidOf(packet) !== 0 && pidOf(packet) !== 0x1000) || tables++ < 2;
    });

    expect(mapOf(join(seldom)).reasons).toEqual(['Program tables come too seldom for every segment.']);
  });

  it.each([5, 20, 59, 70, 90, 150, 1000])(
    'says that ranges play only where each holds a PAT and a PMT: every %i pictures',
    (every) => {
      let pictures = 0;
      const due = new Map([0, 0x1000].map((pid) => [pid, 0]));
      const stream = join(
        packetsOf(flightStream({ frames: 600 })).filter((packet) => {
          const pid = pidOf(packet);
          if (pid === 256 && (packet[1]! & 0x40) !== 0) pictures += 1;
          const isDue = pictures >= (due.get(pid) ?? 0);
          if (isDue && due.has(pid)) due.set(pid, pictures + every);
          return isDue;
        }),
      );

      const { segments, rangesPlayable } = mapOf(stream);

      const holds = segments.map(({ offset, sizeBytes }) => {
        const pids = new Set(packetsOf(stream.subarray(offset, offset + sizeBytes)).map(pidOf));
        return pids.has(0) && pids.has(0x1000);
      });
      expect(segments.length).toBeGreaterThan(5);
      expect(rangesPlayable).toBe(holds.every(Boolean));
      expect(rangesPlayable).toBe(every < 60);
    },
  );

  it('must be cut with other packet sizes, repeated packets and junk', () => {
    const packets = packetsOf(flightStream({ frames: 100 }));
    const parity = join(packets.flatMap((packet) => [packet, new Uint8Array(16)]));
    const repeated = join(packets.flatMap((packet, i) => (i === 50 ? [packet, packet] : [packet])));
    const junk = join([...packets.slice(0, 50), new Uint8Array(33), ...packets.slice(50)]);

    expect(mapOf(parity).reasons).toEqual(['Packets have 204 bytes instead of 188.']);
    expect(mapOf(repeated).reasons).toEqual(['1 packets are repeated.']);
    expect(mapOf(junk).reasons).toEqual(['33 bytes lie between packets.']);
  });

  it('says where players could begin at too few pictures: with a gradual refresh, or none for minutes', () => {
    const refresh = Uint8Array.of(0, 0, 0, 1, 0x06, 6, 1, 0xc4, 0x80);
    const mapWith = (frames: number, sei: Uint8Array, slice: 'idr' | 'other') => {
      const bytes = join([picture(slice).subarray(0, 6), sei, picture(slice).subarray(6)]);
      const units = flight({ frames, keyEvery: 60 }).map((unit, n) =>
        n > 0 && unit.keyframe ? { ...unit, bytes } : unit,
      );
      return mapOf(mux({ streams: STREAMS }, units));
    };

    expect(mapWith(240, refresh, 'other')).toMatchObject({ startsSeldom: true, segments: { length: 4 } });
    expect(mapWith(240, refresh, 'idr').startsSeldom).toBe(false);
    expect(mapWith(3600, new Uint8Array(), 'other').startsSeldom).toBe(false);
    expect(mapWith(3601, new Uint8Array(), 'other').startsSeldom).toBe(true);
  });

  it('gives each segment of a growing stream once the next has begun, as the whole map has it', () => {
    const stream = mux({ streams: STREAMS }, [
      ...flight({ frames: 200, keyEvery: 10 }),
      ...flight({ frames: 100, startTicks: 90_000, keyEvery: 10 }),
    ]);
    const { units, report } = demux(stream);
    const map = createSegmentMap({ videoPid: 256, programNumber: 1 });
    const early: { after: number; segments: Segment[] }[] = [];
    let known = 0;
    for (const [after, unit] of units.entries()) {
      map.add(unit);
      const segments = map.closed(known);
      known += segments.length;
      if (segments.length > 0) early.push({ after, segments });
    }
    const complete = map.finish(stream.length, report).segments;

    // The third is followed by 20 pictures before the jump, which are a segment of their own.
    expect(early.map(({ after }) => after)).toEqual([60, 120, 180, 200, 260]);
    expect(early.flatMap(({ segments }) => segments)).toEqual(complete.slice(0, -1));
  });

  it('is empty without pictures of its program', () => {
    expect(mapOf(flightStream({ frames: 5 }), 9)).toMatchObject({ segments: [], keyframes: [], runs: [], frames: 0 });
  });

  it('gives a lone picture the time of one at 30 a second', () => {
    expect(mapOf(flightStream({ frames: 1 })).segments).toMatchObject([{ durationTicks: 3000 }]);
  });
});
