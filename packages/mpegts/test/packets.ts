import { crc32 } from '../src/crc32.ts';
import { createPacketWriter } from '../src/packet-writer.ts';
import { patSection, pmtSection } from '../src/table-writer.ts';
import type { Program, StreamKind } from '../src/types.ts';
import { join } from './streams.ts';

/** Returns a program that has a video on PID 256 and KLV on the given PIDs. */
export function program(
  klv: { pid: number; kind: StreamKind }[],
  { number = 1, pmtPid = 0x1000, version = 0 } = {},
): Program {
  const streams = klv.map(({ pid, kind }) => {
    return { pid, streamType: kind === 'klvSync' ? 0x15 : 0x06, kind, registration: 'KLVA' };
  });
  const video = { pid: 256, streamType: 0x1b, kind: 'h264' as const, registration: null };
  return { number, pmtPid, pcrPid: 256, version, streams: [video, ...streams] };
}

/** Returns a stream of one program whose KLV PES packets are given as bytes. */
export function klvStream(pesPackets: Uint8Array[], kind: StreamKind = 'klvAsync'): Uint8Array {
  const packets = createPacketWriter();
  packets.section(0, patSection(1, 0x1000));
  packets.section(0x1000, pmtSection(program([{ pid: 257, kind }])));
  for (const bytes of pesPackets) packets.unit(257, bytes);
  return packets.take().slice();
}

/** Returns a PES packet with PTS that contains a payload; if `isBounded` is false, its length is left unspecified. */
export function pes(payload: Uint8Array, { pts = 9000, isBounded = true, streamId = 0xfc } = {}): Uint8Array {
  const length = isBounded ? payload.length + 8 : 0;
  const time = [0x21, (pts >> 22) & 0xff, ((pts >> 14) & 0xfe) | 1, (pts >> 7) & 0xff, ((pts << 1) & 0xfe) | 1];
  return join([Uint8Array.from([0, 0, 1, streamId, length >> 8, length & 0xff, 0x84, 0x80, 5, ...time]), payload]);
}

export function cell(fragment: number, sequence: number, payload: Uint8Array): Uint8Array {
  const { length } = payload;
  return join([Uint8Array.from([0, sequence, (fragment << 6) | 0x1f, length >> 8, length & 0xff]), payload]);
}

/** Returns a PAT section with other programs, all with the same PMT PID, and a recomputed CRC. */
export function patOf(numbers: number[], pmtPid: number): Uint8Array {
  const one = patSection(numbers[0]!, pmtPid);
  const body = numbers.flatMap((number) => [number >> 8, number & 0xff, 0xe0 | (pmtPid >> 8), pmtPid & 0xff]);
  const head = one.slice(0, 8);
  head[2] = 5 + body.length + 4;
  const section = join([head, Uint8Array.from(body), new Uint8Array(4)]);
  new DataView(section.buffer).setUint32(section.length - 4, crc32(section, 0, section.length - 4));
  return section;
}
