import { pesPacket } from './muxer.ts';
import { PACKET_SIZE, packetPid } from './packet.ts';
import { createPacketWriter } from './packet-writer.ts';
import { emptyPesHeader, readPesHeader } from './pes.ts';
import { PAT_TABLE, PMT_TABLE, readPat, readPmt, sectionState } from './psi.ts';
import { KLVA, leadingVideo, STREAM_TYPE } from './stream-kind.ts';
import { pmtSection } from './table-writer.ts';
import type { ProgramStream } from './types.ts';

/** One KLV packet for stream number `n`, with its time in 90 kHz ticks of the pictures' clock. */
export type MetadataUnit = { n: number; ptsTicks: number; bytes: Uint8Array };

/** Maximum payload of one PES packet in bytes, since its length field has 16 bits. */
const LARGEST_PART = 65_000;
const WRAP = 2 ** 33;

/**
 * Yields a transport stream with KLV inserted between its pictures. Each unit precedes the first picture that is
 * decoded after the unit's time, and the PMT announces the streams as asynchronous KLV with PTS (MISB ST 1402).
 *
 * The source must have packets of 188 bytes, one program, and PMTs that fit in one packet, as ffmpeg writes them. A
 * yielded piece is valid until the next one is requested.
 *
 * @param units in order of time
 * @param pids one for each stream; the source must not use any of them
 */
export async function* insertMetadata(
  source: AsyncIterable<Uint8Array>,
  units: AsyncIterator<MetadataUnit>,
  pids: readonly number[],
): AsyncGenerator<Uint8Array> {
  const packets = createPacketWriter();
  const tables = createTables(pids);
  const header = emptyPesHeader();
  let waiting = await units.next();

  async function untilTicks(ticks: number): Promise<void> {
    while (!waiting.done && waiting.value.ptsTicks <= ticks) {
      write(waiting.value);
      waiting = await units.next();
    }
  }

  function write({ n, ptsTicks, bytes }: MetadataUnit): void {
    const pid = pids[n];
    if (pid === undefined) return;
    for (let from = 0; from === 0 || from < bytes.length; from += LARGEST_PART) {
      const part = bytes.subarray(from, from + LARGEST_PART);
      packets.unit(pid, pesPacket('klvAsync', { pid, ptsTicks: from === 0 ? ptsTicks : null, bytes: part }, [part]));
    }
  }

  for await (const bytes of inPackets(source)) {
    for (let at = 0; at < bytes.length; at += PACKET_SIZE) {
      const pid = packetPid(bytes, at);
      const section = tables.replaced(bytes, at, pid);
      if (section) {
        packets.section(pid, section);
        continue;
      }
      const start = payloadOf(bytes, at);
      if (pid === tables.videoPid() && (bytes[at + 1]! & 0x40) !== 0 && start !== null) {
        const isTimed = readPesHeader(bytes, start, at + PACKET_SIZE, header) === 'whole' && header.pts >= 0;
        if (isTimed) await untilTicks(header.dts >= 0 ? header.dts : header.pts);
      }
      packets.copy(bytes, at);
    }
    yield packets.take();
  }
  await untilTicks(WRAP);
  yield packets.take();
}

/** Regroups a source that is divided at any position into whole packets. */
async function* inPackets(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = new Uint8Array();
  for await (const piece of source) {
    let bytes = piece;
    if (rest.length > 0) {
      bytes = new Uint8Array(rest.length + piece.length);
      bytes.set(rest);
      bytes.set(piece, rest.length);
    }
    const complete = bytes.length - (bytes.length % PACKET_SIZE);
    rest = bytes.slice(complete);
    if (complete > 0) yield bytes.subarray(0, complete);
  }
}

/** Follows the tables of a stream, and adds the new streams to its PMT. */
function createTables(pids: readonly number[]) {
  let pmtPid = -1;
  let videoPid = -1;

  function sectionIn(bytes: Uint8Array, at: number, table: number): [start: number, end: number] | null {
    const payload = payloadOf(bytes, at);
    if (payload === null || (bytes[at + 1]! & 0x40) === 0) return null;
    const start = payload + 1 + bytes[payload]!;
    if (start + 3 > at + PACKET_SIZE || bytes[start] !== table) return null;
    const end = start + 3 + (((bytes[start + 1]! & 0x0f) << 8) | bytes[start + 2]!);
    return end <= at + PACKET_SIZE && sectionState(bytes, start, end) === 'good' ? [start, end] : null;
  }

  return {
    videoPid: () => videoPid,
    /** Returns the PMT that replaces a packet of the source; null for packets that are not a PMT. */
    replaced(bytes: Uint8Array, at: number, pid: number): Uint8Array | null {
      if (pid === 0) {
        const found = sectionIn(bytes, at, PAT_TABLE);
        if (found) pmtPid = readPat(bytes, ...found).programs[0]?.pmtPid ?? pmtPid;
        return null;
      }
      const found = pid === pmtPid ? sectionIn(bytes, at, PMT_TABLE) : null;
      if (found === null) return null;
      const program = readPmt(bytes, ...found, pid);
      videoPid = leadingVideo(program.streams, null)?.pid ?? -1;
      const added = pids.map(
        (one): ProgramStream => ({
          pid: one,
          kind: 'klvAsync',
          streamType: STREAM_TYPE.privatePes,
          registration: KLVA,
        }),
      );
      return pmtSection({ ...program, streams: [...program.streams, ...added] });
    },
  };
}

/** Returns the offset at which the payload of a packet begins; null if it has none. */
function payloadOf(bytes: Uint8Array, at: number): number | null {
  const flags = bytes[at + 3]!;
  if ((flags & 0x10) === 0) return null;
  const start = at + 4 + (flags & 0x20 ? 1 + bytes[at + 4]! : 0);
  return start < at + PACKET_SIZE ? start : null;
}
