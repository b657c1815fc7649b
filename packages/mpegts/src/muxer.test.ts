import { describe, expect, it } from 'vitest';
import { demux, flight, flightStream, klvPacket, mux, packetsOf, picture, pidOf } from '../test/streams.ts';
import { createMuxer } from './muxer.ts';
import { readPcr } from './packet.ts';

const STREAMS = [
  { pid: 256, kind: 'h264' as const },
  { pid: 257, kind: 'klvAsync' as const },
];

describe('createMuxer', () => {
  it.each(['klvAsync', 'klvSync'] as const)('writes what the demuxer reads back, with %s', (klv) => {
    const units = flight({ frames: 40 });
    const { report, ...reading } = demux(flightStream({ frames: 40, klv }));

    expect(reading.faults).toEqual([]);
    expect(report.trailingBytes).toBe(0);
    expect(reading.programs).toHaveLength(1);
    expect(reading.programs[0]!.streams.map(({ kind }) => kind)).toEqual(['h264', klv]);
    const pictures = units.filter(({ pid }) => pid === 256);
    expect(reading.units.map(({ ptsTicks }) => ptsTicks)).toEqual(pictures.map(({ ptsTicks }) => ptsTicks));
    expect(reading.units.map(({ keyframe }) => keyframe)).toEqual(pictures.map(({ keyframe }) => keyframe));
    const packets = units.filter(({ pid }) => pid === 257);
    expect(reading.payloads.map(({ ptsTicks }) => ptsTicks)).toEqual(packets.map(({ ptsTicks }) => ptsTicks));
    expect(reading.payloads.map(({ hex }) => hex)).toEqual(
      packets.map(({ bytes }) => Buffer.from(bytes).toString('hex')),
    );
    expect(reading.payloads.every(({ sync }) => sync === (klv === 'klvSync'))).toBe(true);
    expect(reading.formats.map(({ format }) => `${format.width}x${format.height}`)).toEqual(['1920x1080']);
  });

  it('writes PTS and DTS of reordered pictures and wraps them at 33 bits', () => {
    const start = 2 ** 33 - 6000;
    const times = [0, 3, 1, 2, 6].map((shown, i) => ({ pts: start + (shown + 1) * 3000, dts: start + i * 3000 }));
    const stream = mux(
      { streams: STREAMS },
      times.map(({ pts, dts }, i) => {
        return { pid: 256, ptsTicks: pts, dtsTicks: dts, keyframe: i === 0, bytes: picture(i === 0 ? 'idr' : 'other') };
      }),
    );

    const { units, formats } = demux(stream);

    expect(units.map(({ ptsTicks, dtsTicks }) => ({ pts: ptsTicks, dts: dtsTicks }))).toEqual(times);
    expect(new Set(units.map(({ run }) => run))).toEqual(new Set([0]));
    expect(formats.at(-1)!.format.hasBFrames).toBe(true);
  });

  it('cuts KLV too long for one PES into parts that come back whole', () => {
    for (const kind of ['klvAsync', 'klvSync'] as const) {
      const bytes = klvPacket(150_000);
      const stream = mux({ streams: [{ pid: 257, kind }] }, [
        { pid: 257, ptsTicks: 9000, bytes },
        { pid: 257, ptsTicks: 12_000, bytes: klvPacket(20) },
      ]);

      const { payloads, faults } = demux(stream);

      expect(faults).toEqual([]);
      expect(payloads.map(({ end }) => end)).toEqual([bytes.length, 37]);
      expect(payloads.map(({ ptsTicks }) => ptsTicks)).toEqual([9000, 12_000]);
    }
  });

  it('leaves the time out where asynchronous KLV has none', () => {
    const stream = mux({ streams: STREAMS }, [
      { pid: 256, ptsTicks: 90_000, keyframe: true, bytes: picture('idr') },
      { pid: 257, ptsTicks: null, bytes: klvPacket(20) },
    ]);

    expect(demux(stream).payloads).toMatchObject([{ ptsTicks: null, nearTicks: 90_000, run: 0 }]);
  });

  it('repeats tables every 100 ms and the clock every 40 ms, also while no picture comes', () => {
    const units = [0, 1, 2].map((second) => {
      return { pid: 256, ptsTicks: 90_000 * (second + 1), keyframe: false, bytes: picture('other') };
    });
    const packets = packetsOf(mux({ streams: STREAMS }, units));

    const clocks = packets
      .filter((packet) => packet[3]! & 0x20 && packet[4]! >= 7 && packet[5]! & 0x10)
      .map((packet) => readPcr(packet, 6) / 300);
    expect(clocks[0]).toBe(45_000);
    for (let i = 1; i < clocks.length; i++) expect(clocks[i]! - clocks[i - 1]!).toBeLessThanOrEqual(3600);
    expect(clocks.at(-1)).toBe(225_000);
    expect(packets.filter((packet) => pidOf(packet) === 0)).toHaveLength(3);
    expect(demux(mux({ streams: STREAMS }, units)).faults).toEqual([]);
  });

  it('says so where the clock jumps', () => {
    const units = [1, 2, 500, 501].map((second) => {
      return { pid: 256, ptsTicks: 90_000 * second, keyframe: true, bytes: picture('idr') };
    });

    const { units: read } = demux(mux({ streams: STREAMS }, units));

    expect(read.map(({ run }) => run)).toEqual([0, 0, 1, 1]);
  });

  it('keeps its clock where a unit comes a little late', () => {
    const units = [0, 6000, 3000, 9000, 12_000].map((ticks, index) => {
      return {
        pid: index === 2 ? 257 : 256,
        ptsTicks: 90_000 + ticks,
        bytes: index === 2 ? klvPacket(20) : picture('other'),
      };
    });

    const packets = packetsOf(mux({ streams: STREAMS }, units));

    const marked = packets.filter((packet) => packet[3]! & 0x20 && packet[4]! > 0);
    expect(marked.filter((packet) => packet[5]! & 0x80)).toEqual([]);
    const clocks = marked.filter((packet) => packet[5]! & 0x10).map((packet) => readPcr(packet, 6) / 300);
    expect(clocks).toEqual([...clocks].sort((a, b) => a - b));
    expect(packets.filter((packet) => pidOf(packet) === 0)).toHaveLength(2);
  });

  it('takes other streams on the way, with a map of the next version and counters that go on', () => {
    const parts: Uint8Array[] = [];
    const muxer = createMuxer({ streams: STREAMS, write: (bytes) => parts.push(bytes.slice()) });
    const unit = (pid: number, ptsTicks: number) =>
      muxer.unit({ pid, ptsTicks, keyframe: true, bytes: picture('idr') });

    unit(256, 90_000);
    muxer.remap([{ pid: 256, kind: 'h264' }]);
    unit(256, 93_000);
    expect(() => unit(257, 96_000)).toThrow(RangeError);

    const { programs, units, faults } = demux(Buffer.concat(parts));
    expect(programs.map(({ version, streams }) => [version, streams.length])).toEqual([
      [0, 2],
      [1, 1],
    ]);
    expect(units).toHaveLength(2);
    expect(faults).toEqual([]);
  });

  it('has program 1 with its map under PID 0x1000 where nothing else is said', () => {
    const units = flight({ frames: 3 });

    expect(demux(mux({ streams: STREAMS }, units)).programs).toMatchObject([{ number: 1, pmtPid: 0x1000 }]);
    expect(demux(mux({ streams: STREAMS, programNumber: 7, pmtPid: 0x1100 }, units)).programs).toMatchObject([
      { number: 7, pmtPid: 0x1100 },
    ]);
  });

  it('puts an access unit delimiter before pictures without one', () => {
    const bare = picture('idr').subarray(6);
    const stream = mux({ streams: STREAMS }, [{ pid: 256, ptsTicks: 0, keyframe: true, bytes: bare }]);

    expect(Buffer.from(stream).indexOf(Buffer.from('0000000109f000000001', 'hex'))).toBeGreaterThan(0);
  });

  it('refuses PIDs that are taken, reserved or unknown, and streams without type', () => {
    const make = (streams: { pid: number; kind: 'h264' | 'other' }[]) => () => mux({ streams }, []);

    expect(make([])).toThrow(RangeError);
    expect(make([{ pid: 0x1000, kind: 'h264' }])).toThrow(RangeError);
    expect(make([{ pid: 0x1fff, kind: 'h264' }])).toThrow(RangeError);
    expect(make([{ pid: 300, kind: 'other' }])).toThrow(RangeError);
    const unit = { pid: 999, ptsTicks: 0, bytes: picture('idr') };
    expect(() => mux({ streams: STREAMS }, [unit])).toThrow(RangeError);
  });
});
