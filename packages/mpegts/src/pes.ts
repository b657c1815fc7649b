/** Head of one PES packet; the object is reused. */
export type PesHeader = {
  streamId: number;
  /** Bytes of the whole PES packet with its head; 0 = unbounded (video only by the standard, seen elsewhere too). */
  size: number;
  /** 33-bit ticks of 90 kHz, -1 when absent. */
  pts: number;
  dts: number;
  /** Bytes of the head: where the payload starts. */
  headSize: number;
};

export function emptyPesHeader(): PesHeader {
  return { streamId: 0, size: 0, pts: -1, dts: -1, headSize: 0 };
}

/** Stream ids whose packets have no flags and no times (ISO/IEC 13818-1, 2.4.3.7). */
const PLAIN_STREAM_IDS = [0xbc, 0xbe, 0xbf, 0xf0, 0xf1, 0xf2, 0xf8, 0xff];
/** Look-up table by stream id: a Set took as long as reading the rest of a header. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, id) => Number(PLAIN_STREAM_IDS.includes(id)));

/** Bytes of start code, stream id and length; and with flags and header length. */
const PLAIN_HEAD = 6;
const FLAGGED_HEAD = 9;

/**
 * Reads the head of the PES packet in [start, end) into `header` (2.4.3.6).
 *
 * 'short' asks for more bytes; 'broken' means that no PES packet begins here.
 */
export function readPesHeader(
  bytes: Uint8Array,
  start: number,
  end: number,
  header: PesHeader,
): 'whole' | 'short' | 'broken' {
  if (start + PLAIN_HEAD > end) return 'short';
  if (bytes[start] !== 0 || bytes[start + 1] !== 0 || bytes[start + 2] !== 1) return 'broken';
  const streamId = bytes[start + 3]!;
  const length = (bytes[start + 4]! << 8) | bytes[start + 5]!;
  header.streamId = streamId;
  header.size = length === 0 ? 0 : PLAIN_HEAD + length;
  header.pts = -1;
  header.dts = -1;
  header.headSize = PLAIN_HEAD;
  if (IS_PLAIN[streamId] === 1) return 'whole';

  if (start + FLAGGED_HEAD > end) return 'short';
  if ((bytes[start + 6]! & 0xc0) !== 0x80) return 'broken';
  const times = bytes[start + 7]! >> 6;
  const fields = bytes[start + 8]!;
  header.headSize = FLAGGED_HEAD + fields;
  if (header.size !== 0 && header.headSize > header.size) return 'broken';
  if (start + header.headSize > end) return 'short';
  // Flags may promise more than the fields hold: then there is no time.
  if (times >= 2 && fields >= 5) header.pts = readTimestamp(bytes, start + FLAGGED_HEAD);
  if (times === 3 && fields >= 10) header.dts = readTimestamp(bytes, start + FLAGGED_HEAD + 5);
  return 'whole';
}

/** 33 bits in five bytes with marker bits between (2.4.3.7). */
export function readTimestamp(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at]! >> 1) & 7) * 2 ** 30 +
    (bytes[at + 1]! << 22) +
    ((bytes[at + 2]! >> 1) << 15) +
    (bytes[at + 3]! << 7) +
    (bytes[at + 4]! >> 1)
  );
}

/** Writes `ticks` modulo 2^33 in five bytes after the four bits `prefix`: 2 for a lone PTS, 3 and 1 for PTS and DTS. */
export function writeTimestamp(bytes: Uint8Array, at: number, prefix: number, ticks: number) {
  const wrapped = ((ticks % 2 ** 33) + 2 ** 33) % 2 ** 33;
  const high = Math.floor(wrapped / 2 ** 30);
  const low = wrapped % 2 ** 30;
  bytes[at] = (prefix << 4) | (high << 1) | 1;
  bytes[at + 1] = low >> 22;
  bytes[at + 2] = ((low >> 14) & 0xfe) | 1;
  bytes[at + 3] = low >> 7;
  bytes[at + 4] = ((low << 1) & 0xfe) | 1;
}
