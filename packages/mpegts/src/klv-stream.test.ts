import { describe, expect, it } from 'vitest';
import { cell, klvStream, pes, program } from '../test/packets.ts';
import { demux, join, klvPacket } from '../test/streams.ts';
import { crc32 } from './crc32.ts';
import { createPacketWriter } from './packet-writer.ts';
import { patSection, pmtSection } from './table-writer.ts';

const sizes = (stream: Uint8Array) => demux(stream).payloads.map(({ end }) => end);

/** A program map whose metadata descriptor names ID3, and whose registration is a descriptor that says nothing. */
function namedAsId3(map: Uint8Array): Uint8Array {
  const text = Buffer.from(map)
    .toString('latin1')
    .replace('\x05\x04KLVA', '\x80\x04KLVA')
    .replace('\xffKLVA', '\xffID3 ');
  const section = Uint8Array.from(Buffer.from(text, 'latin1'));
  new DataView(section.buffer).setUint32(section.length - 4, crc32(section, 0, section.length - 4));
  return section;
}

describe('KLV', () => {
  it('in private PES that no descriptor names is known by its key', () => {
    const packets = createPacketWriter();
    const announced = program([
      { pid: 257, kind: 'other' },
      { pid: 258, kind: 'other' },
    ]);
    for (const stream of announced.streams) stream.registration = null;
    packets.section(0, patSection(1, 0x1000));
    packets.section(0x1000, pmtSection(announced));
    packets.unit(257, pes(klvPacket(200)));
    packets.unit(258, pes(new TextEncoder().encode('subtitles')));
    packets.unit(257, pes(klvPacket(20)));

    const { payloads, programs, report } = demux(packets.take().slice());

    expect(payloads.map(({ pid, end }) => [pid, end])).toEqual([
      [257, 220],
      [257, 37],
    ]);
    expect(programs.at(-1)!.streams.map(({ kind }) => kind)).toEqual(['h264', 'klvAsync', 'other']);
    expect(report.faults.brokenPes).toBe(0);
  });

  it.each([
    [0x80, null],
    [0x90, 'KLVA'],
    [0xff, 'ABCD'],
  ])('under the private stream type %i is known by its key, whatever its name (%s)', (streamType, registration) => {
    const packets = createPacketWriter();
    const announced = program([
      { pid: 257, kind: 'other' },
      { pid: 258, kind: 'other' },
    ]);
    for (const stream of announced.streams.slice(1)) Object.assign(stream, { streamType, registration });
    packets.section(0, patSection(1, 0x1000));
    packets.section(0x1000, pmtSection(announced));
    packets.unit(257, pes(klvPacket(200)));
    packets.unit(258, pes(new TextEncoder().encode('subtitles of a disc')));
    packets.unit(257, pes(klvPacket(20)));

    const { payloads, programs, report } = demux(packets.take().slice());

    expect(payloads.map(({ pid, end }) => [pid, end])).toEqual([
      [257, 220],
      [257, 37],
    ]);
    expect(programs.at(-1)!.streams.map(({ kind }) => kind)).toEqual(['h264', 'klvAsync', 'other']);
    expect(report.faults.brokenPes).toBe(0);
  });

  it.each([
    ['KLV', klvPacket(20), ['klvAsync', 1]],
    ['what it says', new TextEncoder().encode('ID3 of a song'), ['other', 0]],
  ] as const)('in metadata that is named as ID3 is known by its key: %s', (_, payload, expected) => {
    const packets = createPacketWriter();
    packets.section(0, patSection(1, 0x1000));
    packets.section(0x1000, namedAsId3(pmtSection(program([{ pid: 257, kind: 'klvSync' }]))));
    packets.unit(257, pes(payload));

    const { payloads, programs, report } = demux(packets.take().slice());

    expect([programs.at(-1)!.streams[1]!.kind, payloads.length]).toEqual(expected);
    expect(report.faults).toMatchObject({ brokenPes: 0, brokenCells: 0 });
  });

  it('of an unbounded PES ends where the next begins', () => {
    const open = { isBounded: false };

    expect(sizes(klvStream([pes(klvPacket(500), open), pes(klvPacket(20), open)]))).toEqual([520, 37]);
  });

  it('comes several packets in one PES', () => {
    expect(sizes(klvStream([pes(join([klvPacket(20), klvPacket(300)]))]))).toEqual([37 + 320]);
  });

  it('cut over two PES packets is joined', () => {
    const packet = klvPacket(500);
    const stream = klvStream([
      pes(packet.subarray(0, 100)),
      pes(packet.subarray(100), { pts: 12_000 }),
      pes(klvPacket(1)),
    ]);

    const { payloads, faults } = demux(stream);

    expect(faults).toEqual([]);
    expect(payloads.map(({ end, ptsTicks }) => [end, ptsTicks])).toEqual([
      [520, 9000],
      [18, 9000],
    ]);
  });

  it('of many packets, the last of them cut into bytes, is looked at once', () => {
    const packet = Buffer.from(klvPacket(1));
    const many = Buffer.concat([Buffer.alloc(200_000 * packet.length, packet), klvPacket(10_000).subarray(0, 20)]);
    const parts = Array.from({ length: 5000 }, () => pes(Uint8Array.of(7)));
    const began = performance.now();

    const { payloads } = demux(klvStream([pes(Uint8Array.from(many), { isBounded: false }), ...parts]));

    expect(payloads.map(({ end }) => end)).toEqual([many.length + parts.length]);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('with a wrong length is given as far as it came', () => {
    const liar = klvPacket(200).slice();
    liar[17] = 0xff;

    expect(sizes(klvStream([pes(liar), pes(liar), pes(klvPacket(20))]))).toEqual([220, 220, 37]);
  });

  it.each(['klvSync', 'klvAsync'] as const)('in cells of a stream announced as %s is taken out of them', (kind) => {
    const stream = klvStream([pes(join([cell(3, 0, klvPacket(20)), cell(3, 1, klvPacket(30))]))], kind);

    const { payloads } = demux(stream);

    expect(payloads.map(({ end, sync }) => [end, sync])).toEqual([
      [37, true],
      [47, true],
    ]);
  });

  it('without cells in a stream announced as synchronous is read as it is', () => {
    expect(demux(klvStream([pes(klvPacket(20))], 'klvSync')).payloads).toMatchObject([{ end: 37, sync: false }]);
  });

  it('cut into cells is joined, and not when one is missing', () => {
    const packet = klvPacket(300);
    const parts = [packet.subarray(0, 100), packet.subarray(100, 200), packet.subarray(200)];
    const cells = [cell(2, 254, parts[0]!), cell(0, 255, parts[1]!), cell(1, 0, parts[2]!)].map((part) => pes(part));

    expect(sizes(klvStream(cells, 'klvSync'))).toEqual([320]);
    const gap = demux(klvStream([cells[0]!, cells[2]!, pes(cell(3, 1, klvPacket(20)))], 'klvSync'));
    expect(gap.payloads.map(({ end }) => end)).toEqual([37]);
    expect(gap.report.faults.brokenCells).toBe(1);
  });

  it.each([
    ['that stays 0', [0, 0, 0]],
    ['that counts sets', [7, 7, 7]],
    ['that counts cells', [7, 8, 9]],
  ])('cut into cells of one PES or several is joined with a sequence number %s', (_, numbers) => {
    const packet = klvPacket(300);
    const parts = [packet.subarray(0, 100), packet.subarray(100, 200), packet.subarray(200)];
    const cells = parts.map((part, n) => cell([2, 0, 1][n]!, numbers[n]!, part));

    const { payloads, faults } = demux(klvStream([pes(join(cells)), ...cells.map((one) => pes(one))], 'klvSync'));

    expect(payloads.map(({ end, sync }) => [end, sync])).toEqual([
      [320, true],
      [320, true],
    ]);
    expect(faults).toEqual([]);
  });

  it.each(['klvSync', 'klvAsync'] as const)('after a packet of a foreign key comes with it, as %s', (kind) => {
    const foreign = Uint8Array.from([1, 1, 1, 15, 15, 82, 65, 89, 1, 0, 0, 0, 0, 0, 0, 0, 40, ...new Uint8Array(40)]);
    const set = klvPacket(200);
    const cut = join([foreign, klvPacket(500)]);
    const { payloads, faults } = demux(
      klvStream([pes(join([foreign, set, foreign])), pes(cut.subarray(0, 300)), pes(cut.subarray(300))], kind),
    );

    expect(payloads.map(({ start, end }) => end - start)).toEqual([2 * foreign.length + set.length, cut.length]);
    expect(faults).toEqual([]);
  });

  it('in cells longer than their PES is counted as broken', () => {
    const long = cell(3, 0, klvPacket(20));
    long[4] = 200;

    const { payloads, report } = demux(klvStream([pes(long)], 'klvSync'));

    expect(payloads).toEqual([]);
    expect(report.faults.brokenCells).toBe(1);
  });

  it('that is no KLV is counted as broken', () => {
    const { payloads, report } = demux(klvStream([pes(new TextEncoder().encode('no metadata here'))]));

    expect(payloads).toEqual([]);
    expect(report.faults.brokenPes).toBe(1);
  });

  it('is gathered up to 16 MiB and dropped beyond', () => {
    const endless = pes(new Uint8Array(17 * 1024 * 1024), { isBounded: false });

    const { payloads, report } = demux(klvStream([endless, pes(klvPacket(20))]), 65_536);

    expect(payloads.map(({ end }) => end)).toEqual([37]);
    expect(report.faults.brokenPes).toBe(1);
  });
});
