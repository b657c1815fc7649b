import { payloadStart } from './clip-tables.ts';
import { createGrowingBuffer, type GrowingBuffer } from './growing-buffer.ts';
import { PACKET_SIZE, PID_COUNT, packetPid } from './packet.ts';
import { emptyPesHeader, type PesHeader, readPesHeader } from './pes.ts';

/**
 * One PES packet, with its payload in [start, end). The object and `bytes` are reused, so they must be read during the
 * call.
 */
export type GatheredPes = {
  pid: number;
  /** 33-bit PTS and DTS in 90 kHz ticks; -1 if absent. */
  pts: number;
  dts: number;
  bytes: Uint8Array;
  start: number;
  end: number;
};

/** Gathers PES packets from whole transport packets. */
export type PesGatherer = {
  /** Reads consecutive packets of 188 bytes. */
  push(packets: Uint8Array): void;
  end(): void;
};

type Stream = {
  pid: number;
  buffer: GrowingBuffer;
  header: PesHeader;
  /** Continuity counter of the last packet; -1 before the first. */
  counter: number;
  isOpen: boolean;
  isHeadRead: boolean;
};

/** Maximum size of a PES packet, in bytes; even 8K video at the highest quality stays below. */
const PES_LIMIT = 16 * 1024 * 1024;
const BUDGET = 64 * 1024 * 1024;

/**
 * Gathers the PES packets of some streams. Missing transport packets leave a gap in the PES packet, and repeated
 * packets are used only once. The output does not depend on how the packets are divided into pushes.
 */
export function createPesGatherer(pids: readonly number[], give: (pes: GatheredPes) => void): PesGatherer {
  const budget = { left: BUDGET };
  const streams: (Stream | null)[] = new Array<Stream | null>(PID_COUNT).fill(null);
  for (const pid of pids) {
    const buffer = createGrowingBuffer(PES_LIMIT, budget);
    streams[pid] = { pid, buffer, header: emptyPesHeader(), counter: -1, isOpen: false, isHeadRead: false };
  }
  const pes: GatheredPes = { pid: 0, pts: -1, dts: -1, bytes: new Uint8Array(0), start: 0, end: 0 };

  function push(packets: Uint8Array) {
    for (let at = 0; at + PACKET_SIZE <= packets.length; at += PACKET_SIZE) {
      const stream = streams[packetPid(packets, at)];
      if (stream) read(stream, packets, at);
    }
  }

  function read(stream: Stream, bytes: Uint8Array, at: number) {
    const from = payloadStart(bytes, at);
    // Skip packets that are damaged or scrambled.
    if (from === null || (bytes[at + 1]! & 0x80) !== 0 || (bytes[at + 3]! & 0xc0) !== 0) return;
    const to = at + PACKET_SIZE;
    const counter = bytes[at + 3]! & 0x0f;
    const isRepeated = counter === stream.counter && endsWith(stream.buffer, bytes, from, to);
    stream.counter = counter;
    if (isRepeated) return;
    if ((bytes[at + 1]! & 0x40) !== 0) {
      finish(stream);
      stream.isOpen = true;
      stream.isHeadRead = false;
    }
    if (!stream.isOpen) return;
    const { buffer, header } = stream;
    if (!buffer.append(bytes, from, to)) {
      stream.isOpen = false;
      buffer.clear();
      return;
    }
    stream.isHeadRead ||= readPesHeader(buffer.bytes(), 0, buffer.length(), header) === 'whole';
    if (stream.isHeadRead && header.size > 0 && buffer.length() >= header.size) finish(stream);
  }

  function finish(stream: Stream) {
    const { buffer, header } = stream;
    if (stream.isOpen && stream.isHeadRead) {
      pes.pid = stream.pid;
      pes.pts = header.pts;
      pes.dts = header.dts;
      pes.bytes = buffer.bytes();
      pes.start = header.headSize;
      pes.end = header.size > 0 ? Math.min(header.size, buffer.length()) : buffer.length();
      if (pes.end > pes.start) give(pes);
    }
    stream.isOpen = false;
    buffer.clear();
  }

  function end() {
    for (const pid of pids) finish(streams[pid]!);
  }

  return { push, end };
}

function endsWith(buffer: GrowingBuffer, bytes: Uint8Array, start: number, end: number): boolean {
  const from = buffer.length() - (end - start);
  if (from < 0) return false;
  const own = buffer.bytes();
  for (let i = start; i < end; i++) if (own[from + i - start] !== bytes[i]) return false;
  return true;
}
