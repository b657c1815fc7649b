import { describe, expect, it } from 'vitest';
import { cell, klvStream, patOf, pes, program } from '../test/packets.ts';
import { demux, flight, flightStream, join, klvPacket, mux, packetsOf, picture, pidOf } from '../test/streams.ts';
import { createPacketWriter } from './packet-writer.ts';
import { patSection, pmtSection } from './table-writer.ts';
import type { Program } from './types.ts';

describe('packets', () => {
  it('that are repeated are dropped, also with another program clock', () => {
    const packets = packetsOf(flightStream({ frames: 30 }));
    const twice = packets.flatMap((packet, i) => {
      const again = packet.slice();
      if (again[3]! & 0x20 && again[4]! >= 7 && again[5]! & 0x10) again[10]! ^= 0x80;
      return i % 7 === 3 ? [packet, again] : [packet];
    });
    const plain = demux(join(packets));
    const { units, payloads, report } = demux(join(twice));

    expect(report.faults.duplicates).toBe(twice.length - packets.length);
    expect(report.faults.continuityErrors).toBe(0);
    expect(units.map(({ ptsTicks }) => ptsTicks)).toEqual(plain.units.map(({ ptsTicks }) => ptsTicks));
    expect(payloads.map(({ hex }) => hex)).toEqual(plain.payloads.map(({ hex }) => hex));
  });

  it('with the same counter and another content are no repetition', () => {
    const packets = packetsOf(klvStream([pes(klvPacket(20, 1)), pes(klvPacket(20, 2))]));
    packets[3]![3]! &= 0xf0;

    const { payloads, report } = demux(join(packets));

    expect(payloads).toHaveLength(2);
    expect(report.faults).toMatchObject({ continuityErrors: 1, duplicates: 0 });
  });

  it('that are lost take the KLV they carried with them and no more', () => {
    const packets = packetsOf(flightStream({ frames: 30, klvSize: 400 }));
    const klv = packets.flatMap((packet, i) => (pidOf(packet) === 257 ? [i] : []));
    const lost = packets.filter((_, i) => i !== klv[4]);

    const { payloads, report } = demux(join(lost));

    // Three packets a set: the fifth packet is in the second set.
    expect(payloads.map(({ ptsTicks }) => ptsTicks)).not.toContain(93_000);
    expect(payloads).toHaveLength(29);
    expect(report.faults).toMatchObject({ continuityErrors: 1, brokenPes: 1 });
  });

  it('that are marked as damaged or scrambled are counted and not read', () => {
    const packets = packetsOf(flightStream({ frames: 30 }));
    const klv = packets.filter((packet) => pidOf(packet) === 257);
    klv[3]![1]! |= 0x80;
    for (const packet of packets) if (pidOf(packet) === 256) packet[3]! |= 0x80;

    const { units, payloads, report } = demux(join(packets));

    expect(units).toEqual([]);
    expect(payloads).toHaveLength(29);
    expect(report.faults.transportErrors).toBe(1);
    expect(report.scrambledPids).toEqual([256]);
  });

  it('with an adaptation field longer than themselves are counted and not read', () => {
    const packets = packetsOf(flightStream({ frames: 3 }));
    const padded = packets.find((packet) => pidOf(packet) === 257)!;
    padded[4] = 190;

    expect(demux(join(packets)).report.faults.brokenPackets).toBe(1);
  });

  it.each([1, 2, 3])('are read alike if they begin %i bytes after a word boundary of memory', (shift) => {
    const packets = packetsOf(flightStream({ frames: 900 }));
    const video = packets.flatMap((packet, i) => (pidOf(packet) === 256 ? [i] : []));
    // One lost, one marked as damaged: what the quick way over many packets must not run past.
    packets[video.at(-9)!]![1]! |= 0x80;
    const stream = join(packets.filter((_, i) => i !== video.at(-5)));
    // Past the first 64 KiB, which are searched in a copy.
    expect(stream.length).toBeGreaterThan(200_000);
    const memory = new Uint8Array(stream.length + shift);
    memory.set(stream, shift);

    const shifted = demux(memory.subarray(shift));

    expect(shifted).toEqual(demux(stream));
    expect(shifted.report.faults).toMatchObject({ continuityErrors: 2, transportErrors: 1 });
  });

  it('are found again after junk, and the loss is counted', () => {
    const packets = packetsOf(flightStream({ frames: 60 }));
    const junk = Uint8Array.from({ length: 77 }, (_, i) => (i * 37) & 0xff);
    const stream = join(packets.flatMap((packet, i) => (i % 50 === 49 ? [packet, junk] : [packet])));

    const { units, report } = demux(stream);

    expect(units).toHaveLength(60);
    expect(report.faults.syncLosses).toBe(Math.floor(packets.length / 50));
    expect(report.faults.skippedBytes).toBe(77 * Math.floor(packets.length / 50));
  });

  it('of 192 and 204 bytes are read with their offsets', () => {
    const packets = packetsOf(flightStream({ frames: 30 }));
    const m2ts = join(packets.flatMap((packet) => [Uint8Array.of(1, 2, 3, 4), packet]));
    const parity = join(packets.flatMap((packet) => [packet, new Uint8Array(16)]));
    const plain = demux(join(packets));

    for (const [stream, size] of [
      [m2ts, 192],
      [parity, 204],
    ] as const) {
      const { units, report } = demux(stream);
      expect(report.packetSize).toBe(size);
      expect(report.faults.skippedBytes).toBe(0);
      expect(units.map(({ offset }) => offset)).toEqual(plain.units.map(({ offset }) => (offset / 188) * size));
    }
  });
});

describe('programs', () => {
  it('go on through a new version of the map that moves their KLV', () => {
    const packets = createPacketWriter();
    packets.section(0, patSection(1, 0x1000));
    packets.section(0x1000, pmtSection(program([{ pid: 257, kind: 'klvAsync' }])));
    packets.unit(257, pes(klvPacket(20)));
    packets.section(0x1000, pmtSection(program([{ pid: 300, kind: 'klvSync' }], { version: 1 })));
    packets.unit(257, pes(klvPacket(30)));
    packets.unit(300, pes(cell(3, 0, klvPacket(40))));

    const { payloads, programs } = demux(packets.take().slice());

    expect(programs.map(({ version }) => version)).toEqual([0, 1]);
    expect(payloads.map(({ pid, end }) => [pid, end])).toEqual([
      [257, 37],
      [300, 57],
    ]);
  });

  it('are distinguished, also on one map PID', () => {
    const packets = createPacketWriter();
    const first = { ...program([{ pid: 257, kind: 'klvAsync' }]), number: 1 };
    const second: Program = { ...first, number: 2, streams: [{ ...first.streams[1]!, pid: 513 }] };
    packets.section(0, patOf([1, 2], 0x1000));
    packets.section(0x1000, pmtSection(first));
    packets.section(0x1000, pmtSection(second));
    packets.unit(257, pes(klvPacket(20)));
    packets.unit(513, pes(klvPacket(30)));

    const { payloads, report } = demux(packets.take().slice());

    expect(payloads.map(({ programNumber, pid, end }) => [programNumber, pid, end])).toEqual([
      [1, 257, 37],
      [2, 513, 47],
    ]);
    expect(report.programs.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('that leave the association table are forgotten', () => {
    const packets = createPacketWriter();
    packets.section(0, patSection(1, 0x1000));
    packets.section(0x1000, pmtSection(program([{ pid: 257, kind: 'klvAsync' }])));
    packets.section(0, patSection(2, 0x1100));
    packets.unit(257, pes(klvPacket(20)));

    const { payloads, report } = demux(packets.take().slice());

    expect(payloads).toEqual([]);
    expect(report.programs).toEqual([]);
  });

  it('are found by their map where no association table comes', () => {
    const packets = packetsOf(flightStream({ frames: 20 })).filter((packet) => pidOf(packet) !== 0);

    const { payloads, report } = demux(join(packets));

    expect(report.patSeen).toBe(false);
    expect(payloads).toHaveLength(20);
  });

  it('are not believed with a wrong CRC', () => {
    const packets = packetsOf(flightStream({ frames: 20 }));
    for (const packet of packets) if (pidOf(packet) === 0x1000) packet[20]! ^= 0xff;

    const { report, units } = demux(join(packets));

    expect(report.programs).toEqual([]);
    expect(report.faults.badCrc).toBeGreaterThan(0);
    expect(units).toEqual([]);
  });

  it('that change without end are followed 20,000 times', () => {
    const packets = createPacketWriter();
    packets.section(0, patSection(1, 0x1000));
    for (let i = 0; i < 21_000; i++) {
      packets.section(0x1000, pmtSection(program([{ pid: 257 + (i % 99), kind: 'klvAsync' }], { version: i % 32 })));
    }

    // The association table counts too.
    expect(demux(packets.take().slice()).programs).toHaveLength(19_999);
  });

  it('that are put in front again are not packets that were sent twice, as those of pictures are', () => {
    const stream = packetsOf(flightStream({ frames: 20 }));
    const [pat, pmt] = [0, 0x1000].map((pid) => stream.find((packet) => pidOf(packet) === pid)!);
    const pictures = stream.filter((packet) => pidOf(packet) === 256 && packet[3]! & 0x10);

    const tables = demux(join([pat!, pmt!, ...stream])).report.faults;
    const twice = demux(
      join(stream.flatMap((packet) => (packet === pictures[5] ? [packet, packet] : [packet]))),
    ).report;

    expect(tables).toMatchObject({ duplicates: 0, continuityErrors: 0 });
    expect(twice.faults).toMatchObject({ duplicates: 1, continuityErrors: 0 });
  });

  it('come with sound and unknown streams, which are named and not read', () => {
    const streams = [
      { pid: 256, kind: 'h264' as const },
      { pid: 258, kind: 'aac' as const },
      { pid: 259, kind: 'other' as const, streamType: 0x86 },
    ];
    const stream = mux({ streams }, [
      { pid: 256, ptsTicks: 0, keyframe: true, bytes: picture('idr') },
      { pid: 258, ptsTicks: 0, bytes: new Uint8Array(100) },
    ]);

    const { report } = demux(stream);

    expect(report.pids.map(({ pid, kind }) => [pid, kind])).toContainEqual([258, 'aac']);
    expect(report.programs[0]!.streams[2]).toMatchObject({ pid: 259, kind: 'other', streamType: 0x86 });
    expect(report.faults.brokenPes).toBe(0);
  });
});

describe('pictures', () => {
  it('are understood when their parameter sets fill several packets', () => {
    const sei = join([Uint8Array.of(0, 0, 0, 1, 0x06, 5, 255, 255, 90), new Uint8Array(600).fill(0x20)]);
    const idr = picture('idr');
    const stream = mux({ streams: [{ pid: 256, kind: 'h264' }] }, [
      { pid: 256, ptsTicks: 0, bytes: join([idr.subarray(0, 6), sei, idr.subarray(6)]) },
      { pid: 256, ptsTicks: 3000, bytes: picture('other', 2000) },
    ]);

    const { units, formats } = demux(stream);

    expect(units.map(({ keyframe }) => keyframe)).toEqual([true, false]);
    expect(formats).toHaveLength(1);
  });

  it('with a recovery point are keyframes, without parameter sets too', () => {
    const recovery = Uint8Array.of(0, 0, 0, 1, 0x06, 6, 1, 0xc4, 0x80);
    const other = picture('other');
    const stream = mux({ streams: [{ pid: 256, kind: 'h264' }] }, [
      { pid: 256, ptsTicks: 0, bytes: join([other.subarray(0, 6), recovery, other.subarray(6)]) },
      { pid: 256, ptsTicks: 3000, bytes: other },
    ]);

    expect(demux(stream).units.map(({ keyframe, gradual }) => [keyframe, gradual])).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it('have one format, given once, if each key frame sends two parameter sets', () => {
    const small = Uint8Array.from(Buffer.from('000000016742c00dd90150878888c044000003000400000300c03c50a920', 'hex'));
    const idr = picture('idr');
    const bytes = join([idr.subarray(0, 6), small, idr.subarray(6)]);
    const stream = mux(
      { streams: [{ pid: 256, kind: 'h264' }] },
      [0, 1, 2].map((i) => ({ pid: 256, ptsTicks: i * 3000, keyframe: true, bytes })),
    );

    expect(demux(stream).formats.map(({ format }) => format.width)).toEqual([1920]);
  });

  it('of H.265 are keyframes by their NAL type', () => {
    const nal = (type: number) => Uint8Array.of(0, 0, 0, 1, type << 1, 1, 0x80, 0x55, 0x55);
    const stream = mux(
      { streams: [{ pid: 256, kind: 'h265' }] },
      [19, 1, 21, 0].map((type, i) => ({ pid: 256, ptsTicks: i * 3000, bytes: nal(type) })),
    );

    expect(demux(stream).units.map(({ keyframe }) => keyframe)).toEqual([true, false, true, false]);
  });

  it('of MPEG-2 are keyframes when intra coded after a sequence or group', () => {
    const group = [0, 0, 1, 0xb8, 0, 8, 0, 0];
    const image = (type: number) => [0, 0, 1, 0, 0, type << 3, 0xff, 0xff, 0, 0, 1, 1, 0x55];
    const bytes = [[...group, ...image(1)], image(2), image(1)].map((list) => Uint8Array.from(list));
    const stream = mux(
      { streams: [{ pid: 256, kind: 'mpeg2' }] },
      bytes.map((each, i) => ({ pid: 256, ptsTicks: i * 3600, bytes: each })),
    );

    expect(demux(stream).units.map(({ keyframe }) => keyframe)).toEqual([true, false, false]);
  });

  it('without a time are given without one', () => {
    const bytes = join([Uint8Array.of(0, 0, 1, 0xe0, 0, 0, 0x80, 0, 0), picture('idr')]);
    const packets = createPacketWriter();
    packets.section(0, patSection(1, 0x1000));
    packets.section(0x1000, pmtSection(program([])));
    packets.unit(256, bytes);

    expect(demux(packets.take().slice()).units).toMatchObject([{ ptsTicks: null, dtsTicks: null, keyframe: true }]);
  });

  it('come with the number of tables read before them', () => {
    const { units, report } = demux(flightStream({ frames: 21, keyEvery: 10 }));

    expect(units[0]).toMatchObject({ patCount: 1, pmtCount: 1 });
    expect(units[20]!.patCount).toBeGreaterThan(units[10]!.patCount);
    expect(report.tables).toEqual([{ programNumber: 1, patCount: units[20]!.patCount, pmtCount: units[20]!.pmtCount }]);
  });
});

describe('the clock', () => {
  it('that goes back begins a run for pictures and KLV', () => {
    const stream = mux(
      {
        streams: [
          { pid: 256, kind: 'h264' },
          { pid: 257, kind: 'klvAsync' },
        ],
      },
      [...flight({ frames: 30, startTicks: 900_000 }), ...flight({ frames: 30, startTicks: 90_000 })],
    );

    const { units, payloads, report } = demux(stream);

    expect(units.map(({ run }) => run)).toEqual([...Array(30).fill(0), ...Array(30).fill(1)]);
    expect(payloads.map(({ run }) => run)).toEqual([...Array(30).fill(0), ...Array(30).fill(1)]);
    expect(report.faults).toMatchObject({ clockJumps: 1, badTimes: 0 });
  });
});
