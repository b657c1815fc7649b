import { readFile } from 'node:fs/promises';
import { decodePacket, type EncodeValues, encodeSt0601 } from '@osprey/klv';
import { createMuxer, PACKET_SIZE } from '@osprey/mpegts';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { type Flight, picture, SPS, flightStream as stream } from '../../../test/transport.ts';
import type { LiveKlv } from '../../recorder-wire/media-messages.ts';
import type { LiveUnit, StreamFacts } from '../components.ts';
import { pipeline } from './pipeline.ts';

type Event =
  | { kind: 'unit'; at: number; unit: LiveUnit; facts: StreamFacts }
  | { kind: 'changed' | 'online'; at: number; facts: StreamFacts };

/** All that a pipeline gives, with its place in the bytes. */
function run(bytes: Buffer, cut: (at: number) => number) {
  const out: Buffer[] = [];
  const events: Event[] = [];
  const klv: LiveKlv[] = [];
  let at = 0;
  const reader = pipeline({
    online: (facts) => events.push({ kind: 'online', at, facts }),
    unit: (unit, facts) => events.push({ kind: 'unit', at, unit, facts }),
    changed: (facts) => events.push({ kind: 'changed', at, facts }),
    packets(piece) {
      out.push(Buffer.from(piece));
      at += piece.length;
    },
    klv: (packet) => klv.push(packet),
  });
  for (let from = 0; from < bytes.length; ) {
    const size = PACKET_SIZE * cut(from);
    // A piece is valid during the call only.
    const piece = Uint8Array.from(bytes.subarray(from, from + size));
    reader.push(piece, from);
    piece.fill(0);
    from += size;
  }
  reader.flush();
  return { bytes: Buffer.concat(out), events, klv, reader };
}

/** Places of packets in which a PES packet of a PID begins. */
function begins(bytes: Buffer, pid: number): number[] {
  const found: number[] = [];
  for (let at = 0; at < bytes.length; at += PACKET_SIZE) {
    const isStart = (bytes[at + 1]! & 0x40) !== 0;
    if (isStart && (bytes.readUInt16BE(at + 1) & 0x1fff) === pid) found.push(at);
  }
  return found;
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const shown = (events: Event[]) =>
  events.map((event) =>
    event.kind === 'unit' ? [event.at, event.unit, event.facts.tables?.length] : [event.at, event.kind],
  );

describe('a live pipeline', () => {
  it('reports each picture right before its packets, and passes on every byte once, for any cut of the stream', () => {
    const bytes = stream({ pictures: 60 });
    const complete = run(bytes, () => 7);
    expect(complete.bytes.equals(bytes)).toBe(true);
    const units = complete.events.filter((event) => event.kind === 'unit');
    expect(units.map(({ at }) => at)).toEqual(begins(bytes, 256));
    expect(units.map((event) => event.kind === 'unit' && event.unit.keyframe).indexOf(true, 1)).toBe(10);

    for (let seed = 1; seed <= 60; seed++) {
      const next = random(seed);
      const most = [1, 3, 20, 400][seed % 4]!;
      const cut = run(bytes, () => 1 + Math.floor(next() * most));

      expect(cut.bytes.equals(bytes)).toBe(true);
      expect(shown(cut.events)).toEqual(shown(complete.events));
      expect(cut.klv.map(({ bytes: one }) => one[20])).toEqual(complete.klv.map(({ bytes: one }) => one[20]));
    }
  });

  it('comes online with the first program, also when a receiver joins in the middle', () => {
    const bytes = stream({ pictures: 60 }).subarray(PACKET_SIZE * 5);

    const { events, bytes: out } = run(bytes, () => 7);

    expect(events[0]?.kind).toBe('online');
    expect(events[0]?.at).toBe(0);
    expect(events.filter(({ kind }) => kind === 'online')).toHaveLength(1);
    expect(out.equals(bytes)).toBe(true);
  });

  it('gives the tables before the first key frame', () => {
    const bytes = stream({ pictures: 3 });

    const [first] = run(bytes, () => 7).events.filter(({ kind }) => kind === 'unit');

    expect(Buffer.from(first!.facts.tables!)).toEqual(bytes.subarray(0, 2 * PACKET_SIZE));
    expect(first!.facts.video).toMatchObject({ codec: 'h264', width: 1920, height: 1080 });
  });

  it('goes on over garbage, which it leaves out and counts', () => {
    const good = stream({ pictures: 40 });
    const next = random(7);
    const noise = () =>
      Buffer.from(Array.from({ length: PACKET_SIZE * 3 }, (_, i) => (i % PACKET_SIZE === 0 ? 0x46 : next() * 256)));
    const half = PACKET_SIZE * 100;
    const bytes = Buffer.concat([noise(), good.subarray(0, half), noise(), good.subarray(half)]);

    const { bytes: out, events, reader } = run(bytes, () => 4);

    expect(out.equals(good)).toBe(true);
    expect(events.filter(({ kind }) => kind === 'unit')).toHaveLength(40);
    expect(reader.counts()).toEqual({ continuityErrors: 0, notPackets: 6 });
  });

  it('says nothing but bytes where random packets come, and never throws', () => {
    const next = random(11);
    const bytes = Buffer.from(
      Array.from({ length: PACKET_SIZE * 3000 }, (_, i) => (i % PACKET_SIZE === 0 ? 0x47 : next() * 256)),
    );

    expect(run(bytes, () => 9).events).toEqual([]);
  });

  it.each<[string, Partial<Flight>]>([
    ['other PIDs', { videoPid: 512 }],
    ['another size', { sps: SPS.sd }],
  ])('tells a change to %s before the first picture after it', (_what, change) => {
    const before = stream({ pictures: 20 });
    const after = stream({ pictures: 20, startTicks: 90_000 + 20 * 3000, ...change });

    for (const size of [1, 7, 50]) {
      const { bytes, events } = run(Buffer.concat([before, after]), () => size);

      expect(bytes.length).toBe(before.length + after.length);
      const at = events.findIndex(({ kind }) => kind === 'changed');
      expect(events.filter(({ kind }) => kind === 'changed')).toHaveLength(1);
      const next = events[at + 1];
      expect(next?.kind === 'unit' && next.unit.keyframe).toBe(true);
      expect(next?.at).toBe(before.length + begins(after, change.videoPid ?? 256)[0]!);
    }
  });

  it('reports another coding once, also if its parameters come after its first pictures', () => {
    const sequence = [0, 0, 1, 0xb3, 0x02, 0x00, 0x18, 0x15, 0xff, 0xff, 0xe0, 0x80];
    const frame = (keyframe: boolean) => [0, 0, 1, 0, 0, keyframe ? 0x08 : 0x10, 0xff, 0xf8, 0, 0, 1, 1, 0x0a, 0x0b];
    const written: Uint8Array[] = [];
    const muxer = createMuxer({
      streams: [{ pid: 256, kind: 'mpeg2' }],
      write: (bytes) => written.push(bytes.slice()),
    });
    for (let n = 0; n < 20; n += 1) {
      const keyframe = n === 5;
      const bytes = Uint8Array.from([...(keyframe ? sequence : []), ...frame(keyframe)]);
      muxer.unit({ pid: 256, ptsTicks: 90_000 + (20 + n) * 3000, keyframe, bytes });
    }
    muxer.end();

    const { events } = run(Buffer.concat([stream({ pictures: 20 }), ...written]), () => 7);

    const changed = events.filter(({ kind }) => kind === 'changed');
    expect(changed.map(({ facts }) => facts.video)).toEqual([null]);
    expect(events.at(-1)!.facts.video?.codec).toBe('mpeg2');
  });

  it('counts a jump of the sender clock as another run', () => {
    const bytes = Buffer.concat([stream({ pictures: 20 }), stream({ pictures: 20, startTicks: 90_000_000 })]);

    const { events, bytes: out } = run(bytes, () => 7);

    const runs = events.flatMap((event) => (event.kind === 'unit' ? [event.unit.run] : []));
    expect(runs).toEqual([...Array(20).fill(0), ...Array(20).fill(1)]);
    expect(out.equals(bytes)).toBe(true);
  });

  it('holds back no more than a bounded part of an unknown picture', () => {
    const good = stream({ pictures: 12 });
    const [, start = 0] = begins(good, 256);
    const head = good.subarray(0, start);
    const opened = good.subarray(start, start + PACKET_SIZE);
    // A picture begins, and only stuffing bytes follow.
    opened.fill(0xff, 40);
    const filling = Array.from({ length: 3000 }, (_, i) => {
      const packet = Buffer.alloc(PACKET_SIZE, 0xff);
      packet.set([0x47, 1, 0, 0x10 | ((opened[3]! + 1 + i) & 0x0f)]);
      return packet;
    });
    let passed = 0;
    let most = 0;
    const reader = pipeline({
      online: () => undefined,
      unit: () => undefined,
      changed: () => undefined,
      klv: () => undefined,
      packets: (bytes) => {
        passed += bytes.length;
      },
    });
    let sent = 0;
    for (const packet of [head, opened, ...filling]) {
      reader.push(packet, 0);
      sent += packet.length;
      most = Math.max(most, sent - passed);
    }

    expect(most).toBeLessThan(300 * 1024);
  });

  /** Sets of ST 0601 that carry the last digits of their PID, to identify them. */
  function severalStreams() {
    const written: Buffer[] = [];
    const streams = [256, 257, 258].map((pid) => ({
      pid,
      kind: pid === 256 ? ('h264' as const) : ('klvAsync' as const),
    }));
    const muxer = createMuxer({ streams, write: (piece) => written.push(Buffer.from(piece)) });
    const set = (value: number) =>
      Buffer.from(`060e2b34020b01010e0103010100000001${Buffer.of(value).toString('hex')}`, 'hex');
    const shown: number[] = [];
    const shownSets: Uint8Array[] = [];
    const shownPids: number[] = [];
    const other: number[] = [];
    const reader = pipeline({
      online: () => {},
      unit: () => {},
      changed: () => {},
      packets: () => {},
      klv({ bytes: one, pid }) {
        shown.push(one.at(-1)!);
        shownSets.push(one.slice());
        shownPids.push(pid);
      },
      otherKlv: (one) => void other.push(one.at(-1)!),
    });
    return {
      reader,
      picture: (ptsTicks: number, keyframe: boolean) =>
        muxer.unit({ pid: 256, ptsTicks, keyframe, bytes: picture(keyframe, 300) }),
      set: (pid: number, ptsTicks: number) => muxer.unit({ pid, ptsTicks, bytes: set(pid - 256) }),
      position: (pid: number, ptsTicks: number) =>
        muxer.unit({ pid, ptsTicks, bytes: encodeSt0601({ 13: 50, 14: 8 }) }),
      values: (pid: number, ptsTicks: number, values: EncodeValues) =>
        muxer.unit({ pid, ptsTicks, bytes: encodeSt0601(values) }),
      /** All that was written since the last reading. */
      read() {
        reader.push(Buffer.concat(written.splice(0)), 0);
        reader.flush();
        return { shown, other, shownSets, shownPids: shownPids.splice(0) };
      },
    };
  }

  it('gives the telemetry of one KLV stream, and the packets of others apart', () => {
    const stream = severalStreams();
    for (let i = 0; i < 5; i++) {
      const ptsTicks = 90_000 + i * 3000;
      stream.picture(ptsTicks, i === 0);
      stream.set(257, ptsTicks);
      stream.set(258, ptsTicks);
    }

    const { shown, other } = stream.read();

    expect(new Set(shown)).toEqual(new Set([1]));
    expect(new Set(other)).toEqual(new Set([2]));
  });

  it('fills in what the shown KLV stream lacks, of the second before, and nothing of one that has positions too', () => {
    const stream = severalStreams();
    for (let i = 0; i < 5; i++) {
      const ptsTicks = 90_000 + i * 3000;
      stream.picture(ptsTicks, i === 0);
      stream.values(257, ptsTicks, { 13: 50, 14: 8 });
      stream.values(258, ptsTicks, i < 3 ? { 10: 'KEA', 15: 500 } : { 11: 'EO', 13: 51, 14: 9 });
    }

    const { shownSets } = stream.read();

    const texts = shownSets.map((one) => {
      const { values, checksum } = decodePacket(one, 0, one.length);
      return [checksum, values['10'] ?? null, values['15'] ?? null, values['11'] ?? null];
    });
    expect(texts).toEqual([
      ['good', null, null, null],
      ...Array.from({ length: 3 }, () => ['good', 'KEA', null, null]),
      ['good', null, null, null],
    ]);
  });

  it('leaves a KLV stream without positions for one that has them', () => {
    const stream = severalStreams();
    for (let i = 0; i < 5; i++) {
      const ptsTicks = 90_000 + i * 3000;
      stream.picture(ptsTicks, i === 0);
      stream.set(257, ptsTicks);
      stream.position(258, ptsTicks);
    }

    const { shown, other } = stream.read();

    expect(shown.filter((last) => last === 1)).toHaveLength(1);
    expect(shown).toHaveLength(6);
    expect(new Set(other)).toEqual(new Set([1]));
  });

  it('leaves a KLV stream that says nothing for ten seconds for another one', () => {
    const stream = severalStreams();
    for (let second = 0; second < 40; second++) {
      const ptsTicks = 90_000 * (second + 1);
      stream.picture(ptsTicks, true);
      // Seldom, then silent.
      if (second % 9 === 0 && second < 20) stream.set(257, ptsTicks);
      stream.set(258, ptsTicks);
    }

    const { shown } = stream.read();

    // 18 is the last second with a set of the first; the other is taken from 29 on.
    expect(shown).toEqual([1, 1, 1, ...Array<number>(11).fill(2)]);
  });

  it('shows the KLV stream that a user chose from its next set on, joins it with none that holds positions, and undoes', () => {
    const stream = severalStreams();
    let ptsTicks = 0;
    const send = (pids: readonly number[]) => {
      for (let i = 0; i < 5; i++) {
        ptsTicks += 3000;
        stream.picture(ptsTicks, ptsTicks === 3000);
        for (const pid of pids) stream.values(pid, ptsTicks, { 13: pid - 200, 14: 8, [pid === 257 ? 10 : 11]: 'KEA' });
      }
      return stream.read();
    };
    const described = () => {
      const { chosen, by, wanted: requested } = stream.reader.klvStreams()!;
      return [chosen, by, requested];
    };

    expect(new Set(send([257, 258]).shownPids)).toEqual(new Set([257]));
    expect(described()).toEqual([257, 'positions', null]);

    stream.reader.wantKlv(258);
    expect(described()).toEqual([257, 'positions', 258]);
    // Until the chosen one comes, the other is shown.
    expect(send([257]).shownPids).toEqual(Array(5).fill(257));
    const { shownPids, shownSets } = send([257, 258]);
    expect(shownPids).toEqual([257, ...Array(5).fill(258)]);
    expect(described()).toEqual([258, 'user', 258]);
    const last = shownSets.at(-1)!;
    const { values } = decodePacket(last, 0, last.length);
    expect([values['13'], values['11'], values['10'] ?? null]).toEqual([expect.closeTo(58, 4), 'KEA', null]);
    expect(stream.reader.klvStreams()?.streams).toEqual([
      { pid: 257, program: 1, sets: 15, positions: 15 },
      { pid: 258, program: 1, sets: 10, positions: 10 },
    ]);

    stream.reader.wantKlv(null);
    expect(described()).toEqual([257, 'positions', null]);
    expect(send([258, 257]).shownPids).toEqual(Array(5).fill(257));
  });

  it('names what a KLV stream filled in, and has nothing to name where there is one stream', () => {
    expect(run(stream({ pictures: 20 }), () => 7).reader.klvStreams()).toBeNull();
    const several = severalStreams();
    for (let i = 0; i < 5; i++) {
      const ptsTicks = 90_000 + i * 3000;
      several.picture(ptsTicks, i === 0);
      several.values(258, ptsTicks, { 10: 'KEA' });
      several.values(257, ptsTicks, { 13: 50, 14: 8 });
    }
    several.read();

    expect(several.reader.klvStreams()).toEqual({
      ...{ chosen: 257, by: 'positions', wanted: null },
      streams: [
        { pid: 257, program: 1, sets: 5, positions: 5 },
        { pid: 258, program: 1, sets: 5, positions: 0, filled: [10] },
      ],
    });
  });

  itWithData.each([
    ['field/two-klv-status-first.ts', 258, 75],
    ['field/klv-in-second-program.ts', 257, 75],
    // The other video has KLV of its own.
    ['bad/ts/two_programs.ts', 257, 42],
  ])('%s gives live the sets of PID %d', async (file, pid, sets) => {
    const { klv } = run(await readFile(testData(file)), () => 7);

    const positions = klv.filter(({ bytes }) => '13' in decodePacket(bytes, 0, bytes.length).values);
    expect([new Set(positions.map((one) => one.pid)), positions.length]).toEqual([new Set([pid]), sets]);
  });
});
