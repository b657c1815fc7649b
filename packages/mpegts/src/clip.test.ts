import { describe, expect, it } from 'vitest';
import {
  demux,
  FRAME_TICKS,
  flight,
  flightStream,
  join,
  klvPacket,
  mux,
  packetsOf,
  picture,
  pidOf,
} from '../test/streams.ts';
import { type ClipOptions, createClipJoint, openClip } from './clip.ts';
import type { MuxerUnit } from './muxer.ts';
import { runPlaces } from './run-place.ts';
import { createSegmentMap } from './segment-map.ts';

const START = 90_000;

function readable(bytes: Uint8Array) {
  return {
    sizeBytes: bytes.length,
    async read(buffer: Uint8Array, position: number) {
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    },
  };
}

/** A cut of picture `from` up to picture `to`, which is left out. */
function optionsOf(stream: Uint8Array, from: number, to: number): ClipOptions {
  const { units, report } = demux(stream);
  const builder = createSegmentMap({ videoPid: 256, programNumber: 1 });
  for (const unit of units) builder.add(unit);
  const map = builder.finish(stream.length, report);
  const packeting = { packetSize: report.packetSize!, syncOffset: report.packetSize === 192 ? 4 : 0 };
  const keyframe = map.keyframes.findLast(({ ptsTicks }) => ptsTicks <= START + from * FRAME_TICKS)!;
  const askedTicks = START + from * FRAME_TICKS - keyframe.ptsTicks;
  const lengthTicks = START + to * FRAME_TICKS - keyframe.ptsTicks;
  return {
    source: readable(stream),
    packeting,
    offset: keyframe.offset,
    place: runPlaces(map.segments).get(keyframe.run)!,
    complete: { start: from <= 0, end: START + to * FRAME_TICKS > map.runs.at(-1)!.lastPts },
    lengthTicks,
    askedTicks,
  };
}

async function cut(options: ClipOptions, more: Parameters<Awaited<ReturnType<typeof openClip>>['packets']>[0] = {}) {
  const clip = await openClip(options);
  const parts: Uint8Array[] = [];
  for await (const part of clip.packets(more)) parts.push(part);
  return { bytes: join(parts), report: clip.report(), clip };
}

/** PES packets by PID, whole with head and payload. */
function pesOf(stream: Uint8Array): Map<number, string[]> {
  const found = new Map<number, Buffer[][]>();
  for (const packet of packetsOf(stream)) {
    const start = packet[3]! & 0x20 ? 5 + packet[4]! : 4;
    if (!(packet[3]! & 0x10) || start >= 188) continue;
    const list = found.get(pidOf(packet)) ?? [];
    found.set(pidOf(packet), list);
    if (packet[1]! & 0x40) list.push([]);
    list.at(-1)?.push(Buffer.from(packet.subarray(start)));
  }
  return new Map([...found].map(([pid, list]) => [pid, list.map((parts) => Buffer.concat(parts).toString('hex'))]));
}

const spread: Record<string, (packets: Uint8Array[]) => Uint8Array> = {
  'packets of 188 bytes': join,
  'packets of 192 bytes': (packets) => join(packets.flatMap((packet) => [Uint8Array.of(9, 9, 9, 9), packet])),
  'packets of 204 bytes': (packets) => join(packets.flatMap((packet) => [packet, new Uint8Array(16)])),
  'null packets': (packets) => join(packets.flatMap((packet) => [packet, nullPacket()])),
};

function nullPacket(): Uint8Array {
  const packet = new Uint8Array(188).fill(0xff);
  packet.set([0x47, 0x1f, 0xff, 0x10]);
  return packet;
}

/** Pictures, sound, KLV of both kinds, and data of an unknown kind. */
function fullStream(frames = 150): Uint8Array {
  const units = flight({ frames, klvSize: 300 }).flatMap((unit, i): MuxerUnit[] => {
    const ptsTicks = unit.ptsTicks!;
    if (unit.pid === 256) return [{ pid: 258, ptsTicks, bytes: klvPacket(250, i & 0xff) }, unit];
    return [
      unit,
      { pid: 259, ptsTicks, bytes: Uint8Array.from({ length: 200 }, (_, k) => (k * 7 + i) & 0xff) },
      { pid: 260, ptsTicks: null, bytes: Uint8Array.from({ length: 90 }, (_, k) => (k * 3 + i) & 0xff) },
    ];
  });
  return mux(
    {
      streams: [
        { pid: 256, kind: 'h264' },
        { pid: 257, kind: 'klvAsync' },
        { pid: 258, kind: 'klvSync' },
        { pid: 259, kind: 'aac' },
        { pid: 260, kind: 'other', streamType: 0x06 },
      ],
    },
    units,
  );
}

describe('openClip', () => {
  const full = fullStream();
  const complete = pesOf(full);

  it.each(Object.keys(spread))('gives every PES packet of the span as it is: %s', async (form) => {
    const { bytes, report } = await cut(optionsOf(spread[form]!(packetsOf(full)), 25, 48));

    const own = pesOf(bytes);
    for (const pid of [256, 257, 258, 259, 260]) expect(own.get(pid)).toEqual(complete.get(pid)!.slice(20, 48));
    expect(report).toMatchObject({ frames: 28, framesBefore: 5, startPts: START + 20 * FRAME_TICKS, labelled: false });
    const read = demux(bytes);
    expect(read.report.packetSize).toBe(188);
    expect(read.report.faults).toMatchObject({ continuityErrors: 0, brokenPes: 0, duplicates: 0, badCrc: 0 });
    expect(read.programs[0]).toEqual(demux(full).programs[0]);
    expect(read.units[0]).toMatchObject({ keyframe: true, ptsTicks: START + 20 * FRAME_TICKS });
  });

  it('takes KLV of the span that is sent before its first picture or long after its last', async () => {
    const packets = packetsOf(flightStream({ frames: 150, klvSize: 300 }));
    // The sets come a second late.
    const klv = packets.filter((packet) => pidOf(packet) === 257);
    const others = packets.filter((packet) => pidOf(packet) !== 257);
    const perFrame = klv.length / 150;
    let frame = -1;
    const late = others.flatMap((packet) => {
      if (pidOf(packet) !== 256 || !(packet[1]! & 0x40)) return [packet];
      frame += 1;
      return frame < 30 ? [packet] : [...klv.slice((frame - 30) * perFrame, (frame - 29) * perFrame), packet];
    });

    const { bytes, report } = await cut(optionsOf(join(late), 40, 60));

    const sets = demux(bytes).payloads.map(({ ptsTicks }) => (ptsTicks! - START) / FRAME_TICKS);
    expect(sets).toEqual(Array.from({ length: 20 }, (_, i) => i + 40));
    expect(report.outside).toBe(20);
  });

  it('keeps all programs, and their tables with every descriptor', async () => {
    const other = packetsOf(
      mux({ streams: [{ pid: 300, kind: 'h264' }], programNumber: 2, pmtPid: 0x1100 }, [
        ...flight({ frames: 150 })
          .filter(({ pid }) => pid === 256)
          .map((unit) => ({ ...unit, pid: 300 })),
      ]),
    ).filter((packet) => pidOf(packet) !== 0);
    const both = packetsOf(full).flatMap((packet, i) => [
      pidOf(packet) === 0 ? patOfBoth(packet) : packet,
      ...other.slice(i, i + 1),
    ]);

    const { bytes, clip } = await cut(optionsOf(join(both), 25, 48), { label: { set: () => klvPacket(20) } });

    expect(clip.programs.map(({ number }) => number)).toEqual([1, 2]);
    const { programs, report } = demux(bytes);
    expect(new Set(programs.map(({ number }) => number))).toEqual(new Set([1, 2]));
    const [second, first] = programs;
    expect(first!.streams.map(({ kind }) => kind)).toEqual(['h264', 'klvAsync', 'klvSync', 'aac', 'other', 'klvAsync']);
    expect(second!.streams).toEqual([{ pid: 300, streamType: 27, kind: 'h264', registration: null }]);
    expect(report.faults.continuityErrors).toBe(0);
    const sent = pesOf(join(both)).get(300)!;
    const retained = pesOf(bytes).get(300)!;
    expect(retained.length).toBeGreaterThan(10);
    expect(sent.join()).toContain(retained.join());
  });

  it('writes a set of the label each second on a PID of its own, and changes nothing else', async () => {
    const { bytes, report } = await cut(optionsOf(full, 20, 140), {
      label: { set: (ticks) => klvPacket(30, ticks / 90_000) },
    });

    const { payloads, programs } = demux(bytes);
    const added = programs[0]!.streams.at(-1)!;
    expect(added).toMatchObject({ kind: 'klvAsync', registration: 'KLVA', streamType: 6 });
    const own = payloads.filter(({ pid }) => pid === added.pid);
    expect(own.map(({ ptsTicks }) => (ptsTicks! - START) / FRAME_TICKS)).toEqual([20, 50, 80, 110]);
    expect(own.map(({ bytes: set }) => set.at(-1))).toEqual([0, 1, 2, 3]);
    for (const pid of [256, 257, 258, 259, 260])
      expect(pesOf(bytes).get(pid)).toEqual(complete.get(pid)!.slice(20, 140));
    expect(report.labelled).toBe(true);
  });

  it('leaves out what a hostile stream sends on the PID of the label', async () => {
    const { clip } = await cut(optionsOf(full, 20, 140), { label: { set: () => klvPacket(30) } });
    const pid = 0x1ff0;
    const forged = Uint8Array.from(packetsOf(full).find((packet) => pidOf(packet) === 257)!);
    forged.set([0x40 | (pid >> 8), pid & 0xff], 1);
    const packets = packetsOf(full);
    packets.splice(packets.length - 200, 0, forged);

    const { bytes } = await cut(optionsOf(join(packets), 20, 140), { label: { set: () => klvPacket(30) } });

    expect(clip.programs).toHaveLength(1);
    expect(pesOf(bytes).get(pid)).toHaveLength(4);
  });

  it('finds tables that come only at the start of the recording', async () => {
    const seldom = join(
      packetsOf(full).filter((packet, i) => i < 2 || (pidOf(packet) !== 0 && pidOf(packet) !== 0x1000)),
    );

    const { bytes } = await cut(optionsOf(seldom, 100, 110));

    expect(demux(bytes).units).toHaveLength(10);
  });

  it('runs to the end of the recording if the end is after it', async () => {
    const { bytes, report } = await cut(optionsOf(full, 145, 500));

    expect(demux(bytes).units).toHaveLength(10);
    expect(report.bytes[1]).toBe(full.length);
  });

  it('of pictures that are decoded in another order than shown has no hole at its end', async () => {
    // Shown 0 1 2 3 ..., decoded 0 3 1 2 6 4 5 ...: each third refers to nothing later, the others to the one after them.
    const order = Array.from({ length: 50 }, (_, i) => [3 * i + 3, 3 * i + 1, 3 * i + 2]).flat();
    const units = [0, ...order].map((shown, i): MuxerUnit => {
      const [ptsTicks, dtsTicks] = [START + shown * FRAME_TICKS, START + (i - 1) * FRAME_TICKS];
      const keyframe = shown % 30 === 0;
      return { pid: 256, ptsTicks, dtsTicks, keyframe, bytes: picture(keyframe ? 'idr' : 'other') };
    });
    const stream = mux({ streams: [{ pid: 256, kind: 'h264' }] }, units);

    for (let to = 34; to <= 46; to++) {
      const { bytes, report } = await cut(optionsOf(stream, 31, to));

      const shown = demux(bytes).units.map(({ ptsTicks }) => Math.round((ptsTicks! - START) / FRAME_TICKS));
      const last = Math.max(...shown);
      // Two pictures before the key frame in the order of showing are decoded after it.
      expect(shown.sort((a, b) => a - b)).toEqual(Array.from({ length: last - 27 }, (_, i) => i + 28));
      expect(last).toBeGreaterThanOrEqual(to - 1);
      expect(last).toBeLessThan(to + 2);
      expect(report.frames).toBe(shown.length);
    }
  });

  it.each([
    ['of its own time', 0],
    ['of a moment before its picture', -1000],
  ])('holds the set that is sent before its picture: %s', async (_what, offset) => {
    const units = flight({ frames: 48 }).map((unit) =>
      unit.pid === 257 ? { ...unit, ptsTicks: unit.ptsTicks! + offset } : unit,
    );
    const before = units.flatMap((unit, i) => (unit.pid === 256 ? [units[i + 1]!, unit] : []));
    const streams = [
      { pid: 256, kind: 'h264' as const },
      { pid: 257, kind: 'klvAsync' as const },
    ];
    const stream = mux({ streams }, before);

    const [complete, part] = [await cut(optionsOf(stream, 0, 48)), await cut(optionsOf(stream, 10, 40))];

    expect(demux(complete.bytes).payloads.map(({ bytes }) => bytes.at(-1))).toEqual(
      Array.from({ length: 48 }, (_, i) => i),
    );
    const own = demux(part.bytes).payloads.map(({ bytes }) => bytes.at(-1)!);
    expect(own.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, i) => i + 10));
    // The set of the picture at Out has a time before Out.
    expect(own.slice(30)).toEqual(offset === 0 ? [] : [40]);
  });

  it('joins cuts in one stream in which each signals a discontinuity', async () => {
    const joint = createClipJoint();
    const parts: Uint8Array[] = [];
    for (const [i, [from, to]] of [
      [20, 30],
      [100, 110],
    ].entries()) {
      const clip = await openClip(optionsOf(full, from!, to!), joint);
      for await (const part of clip.packets({ joined: i > 0 })) parts.push(part);
    }

    const { report, units } = demux(join(parts));

    expect(units).toHaveLength(20);
    expect(report.faults).toMatchObject({ continuityErrors: 0, brokenPes: 0 });
    const own = pesOf(join(parts));
    for (const pid of [256, 257, 258, 259]) {
      expect(own.get(pid)).toEqual([...complete.get(pid)!.slice(20, 30), ...complete.get(pid)!.slice(100, 110)]);
    }
    const marks = packetsOf(join(parts)).filter((packet) => packet[3]! & 0x20 && packet[4]! > 0 && packet[5]! & 0x80);
    expect(new Set(marks.map(pidOf))).toEqual(new Set([256, 257, 258, 259, 260]));
  });

  it('gives the same bytes each time', async () => {
    const label = { set: () => klvPacket(30) };
    const [first, second] = [
      await cut(optionsOf(full, 33, 77), { label }),
      await cut(optionsOf(full, 33, 77), { label }),
    ];

    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
  });

  it('looks for tables back to the first packet of a recording that begins within one, and refuses it without', async () => {
    const packets = packetsOf(full);
    const [pat, pmt] = [0, 0x1000].map((pid) => packets.find((packet) => pidOf(packet) === pid)!);
    const rest = packets.filter((packet) => pidOf(packet) !== 0 && pidOf(packet) !== 0x1000);
    const begun = new Uint8Array(77);
    const { offset, ...options } = optionsOf(join([pat!, pmt!, ...rest]), 100, 110);

    const found = await cut({ ...options, source: readable(join([begun, pat!, pmt!, ...rest])), offset: offset + 77 });
    const without = openClip({
      ...options,
      source: readable(join([begun, ...rest])),
      offset: offset + 77 - 2 * 188,
    });

    expect(demux(found.bytes).units).toHaveLength(10);
    await expect(without).rejects.toThrow('The stream has no video');
  });

  it('refuses a place where no picture with a time begins', async () => {
    const options = optionsOf(full, 20, 30);

    await expect(openClip({ ...options, offset: full.length - 188 * 2 })).rejects.toThrow(RangeError);
    await expect(openClip({ ...options, source: readable(new Uint8Array(5000)), offset: 0 })).rejects.toThrow(
      RangeError,
    );
  });
});

/** A PAT packet with the programs 1 and 2, at the counter of the given one. */
function patOfBoth(packet: Uint8Array): Uint8Array {
  const both = mux({ streams: [{ pid: 256, kind: 'h264' }] }, [
    { pid: 256, ptsTicks: 0, keyframe: true, bytes: picture('idr') },
  ]).slice(0, 188);
  const section = [0, 0xb0, 17, 0, 1, 0xc1, 0, 0, 0, 1, 0xf0, 0, 0, 2, 0xf1, 0];
  both.fill(0xff, 5);
  both.set(section, 5);
  let crc = 0xffffffff;
  for (const byte of section) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  new DataView(both.buffer).setUint32(5 + section.length, crc >>> 0);
  both[3] = packet[3]!;
  return both;
}
