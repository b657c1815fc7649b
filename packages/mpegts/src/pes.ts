/** Header of one PES packet; the object is reused. */
export type PesHeader = {
  streamId: number;
  /**
   * Size of the whole PES packet including its header, in bytes; 0 = unbounded (the standard allows this only for
   * video, but others use it too).
   */
  size: number;
  /** 33-bit PTS and DTS in 90 kHz ticks; -1 if absent. */
  pts: number;
  dts: number;
  /** Size of the header in bytes, which is the offset of the payload. */
  headSize: number;
};

export function emptyPesHeader(): PesHeader {
  return { streamId: 0, size: 0, pts: -1, dts: -1, headSize: 0 };
}

/** Stream ids whose PES packets have neither flags nor times (ISO/IEC 13818-1, 2.4.3.7). */
const PLAIN_STREAM_IDS = [0xbc, 0xbe, 0xbf, 0xf0, 0xf1, 0xf2, 0xf8, 0xff];
/** Look-up table by stream id, since checking a Set took as long as reading the rest of the header. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, id) => Number(PLAIN_STREAM_IDS.includes(id)));

/** Size in bytes of start code, stream id and length, and the size including flags and header length. */
const PLAIN_HEAD = 6;
const FLAGGED_HEAD = 9;

/**
 * Reads the header of the PES packet in [start, end) into `header` (2.4.3.6).
 *
 * Returns 'short' if more bytes are needed, and 'broken' if no PES packet begins here.
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
  // The flags may announce more fields than the header contains; there is then no time.
  if (times >= 2 && fields >= 5) header.pts = readTimestamp(bytes, start + FLAGGED_HEAD);
  if (times === 3 && fields >= 10) header.dts = readTimestamp(bytes, start + FLAGGED_HEAD + 5);
  return 'whole';
}

/** Reads 33 bits from five bytes with marker bits between them (2.4.3.7). */
export function readTimestamp(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at]! >> 1) & 7) * 2 ** 30 +
    (bytes[at + 1]! << 22) +
    ((bytes[at + 2]! >> 1) << 15) +
    (bytes[at + 3]! << 7) +
    (bytes[at + 4]! >> 1)
  );
}

/**
 * Writes `ticks` modulo 2^33 in five bytes that begin with the four bits `prefix`: 2 for a PTS alone, 3 and 1 for PTS
 * and DTS.
 */
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
