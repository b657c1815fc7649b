import { FormatError } from '@osprey/bytes';

/** Message types (RTMP 1.0, 5.4, 6 and 7.1). */
export const MESSAGE = {
  chunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  windowSize: 5,
  peerBandwidth: 6,
  audio: 8,
  video: 9,
  commandAmf3: 17,
  data: 18,
  command: 20,
} as const;

export type RtmpMessage = { type: number; streamId: number; timestampMs: number; bytes: Buffer };

/** Chunk size until a side announces another (5.4.1). */
const FIRST_CHUNK_SIZE = 128;
const CHUNK_SIZE_MAX = 1024 * 1024;
/** Maximum number of chunk streams whose state is kept; encoders use at most five. */
const CHUNK_STREAMS_MAX = 16;
/**
 * Initial buffer size for one message. The buffer grows with the bytes received, not with the length announced in the
 * message header.
 */
const FIRST_ROOM = 4096;
/** This value of the three timestamp bytes means that a four-byte timestamp follows the header (5.3.1.3). */
const EXTENDED = 0xffffff;
/** Number of message header bytes after the basic header, by chunk format. */
const HEAD_SIZES = [11, 7, 3, 0] as const;

/** State of a chunk stream: the header fields that its next header may omit, and the current message. */
type ChunkStream = {
  type: number;
  streamId: number;
  length: number;
  /** Time field of the header: an absolute timestamp in format 0, otherwise a difference. */
  field: number;
  hasExtended: boolean;
  timestampMs: number;
  body: Buffer;
  filled: number;
};

type Head = { format: number; id: number; size: number };

/**
 * Reassembles messages from the chunks of one connection, which may be received in pieces of any size.
 *
 * `read` throws FormatError when the protocol or a limit is violated; the connection must not be read any further then.
 */
export function chunkReader({ messageMax }: { messageMax: number }) {
  const streams = new Map<number, ChunkStream>();
  let largest = messageMax;
  let chunkSize = FIRST_CHUNK_SIZE;
  let head: Buffer = Buffer.alloc(0);
  let current: ChunkStream | null = null;
  let chunkLeft = 0;
  let offset = 0;

  function* read(bytes: Buffer): Generator<RtmpMessage> {
    let at = 0;
    while (at < bytes.length) {
      if (current === null) at = takeHead(bytes, at);
      if (current === null) return;
      at += takeBody(current, bytes, at);
      if (chunkLeft > 0) return;
      const done: ChunkStream = current;
      current = null;
      if (done.filled < done.length) continue;
      const message = finished(done);
      if (!obeys(message)) yield message;
    }
  }

  /**
   * Collects the header of a chunk, which may arrive byte by byte. Returns the offset of the first byte after the
   * header.
   */
  function takeHead(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; ) {
      const missing = missingOf(head);
      const taken = bytes.subarray(at, at + missing);
      head = head.length === 0 ? Buffer.from(taken) : Buffer.concat([head, taken]);
      at += taken.length;
      offset += taken.length;
      if (missingOf(head) > 0) continue;
      current = begin(head);
      head = Buffer.alloc(0);
      return at;
    }
    return bytes.length;
  }

  /** Returns how many more bytes a header needs. When they have arrived, the header may turn out to need more. */
  function missingOf(got: Buffer): number {
    const basic = basicHead(got);
    if (basic === null) return got.length === 0 ? 1 : basicSize(got[0]!) - got.length;
    const size = basic.size + HEAD_SIZES[basic.format]!;
    if (got.length < size) return size - got.length;
    const hasExtended =
      basic.format === 3 ? (streams.get(basic.id)?.hasExtended ?? false) : got.readUIntBE(basic.size, 3) === EXTENDED;
    return size + (hasExtended ? 4 : 0) - got.length;
  }

  function begin(bytes: Buffer): ChunkStream {
    const { format, id, size } = basicHead(bytes)!;
    const stream = streams.get(id) ?? fresh(id, format);
    if (stream.filled > 0 && format !== 3) throw new FormatError('A message begins within another', offset);
    if (format < 3) readFields(stream, bytes, { format, id, size });
    if (stream.filled === 0) {
      const field = stream.hasExtended ? bytes.readUInt32BE(bytes.length - 4) : stream.field;
      stream.timestampMs = format === 0 ? field : (stream.timestampMs + field) >>> 0;
      if (stream.length > largest) throw new FormatError(`A message of ${stream.length} bytes is too long`, offset);
    }
    chunkLeft = Math.min(chunkSize, stream.length - stream.filled);
    return stream;
  }

  function fresh(id: number, format: number): ChunkStream {
    // RTMP requires format 0 for the first chunk of a chunk stream, but a few encoders send format 1, which omits the
    // message stream id. The id is then taken as 0, and timestamps count from 0.
    if (format > 1) throw new FormatError('A chunk goes on with a message that never began', offset);
    if (streams.size >= CHUNK_STREAMS_MAX) throw new FormatError('Too many chunk streams', offset);
    const stream: ChunkStream = {
      ...{ type: 0, streamId: 0, length: 0, field: 0, hasExtended: false, timestampMs: 0 },
      ...{ body: Buffer.alloc(0), filled: 0 },
    };
    streams.set(id, stream);
    return stream;
  }

  function takeBody(stream: ChunkStream, bytes: Buffer, at: number): number {
    const size = Math.min(chunkLeft, bytes.length - at);
    if (stream.filled + size > stream.body.length) {
      const requested = Math.max(FIRST_ROOM, stream.body.length * 2, stream.filled + size);
      const room = Buffer.alloc(Math.min(stream.length, requested));
      stream.body.copy(room, 0, 0, stream.filled);
      stream.body = room;
      refuseHoard();
    }
    bytes.copy(stream.body, stream.filled, at, at + size);
    stream.filled += size;
    chunkLeft -= size;
    offset += size;
    return size;
  }

  /** Throws if the total size of unfinished messages exceeds the limit. */
  function refuseHoard(): void {
    let buffered = 0;
    for (const { body } of streams.values()) buffered += body.length;
    if (buffered > 2 * largest) throw new FormatError('Too much is begun and not ended', offset);
  }

  function finished(stream: ChunkStream): RtmpMessage {
    const { type, streamId, timestampMs, body } = stream;
    stream.body = Buffer.alloc(0);
    stream.filled = 0;
    return { type, streamId, timestampMs, bytes: body };
  }

  /** Handles the protocol control messages about chunks (5.4). Returns whether the message was one of these. */
  function obeys({ type, bytes }: RtmpMessage): boolean {
    if (type !== MESSAGE.chunkSize && type !== MESSAGE.abort) return false;
    if (bytes.length < 4) throw new FormatError('A control message is cut', offset);
    const value = bytes.readUInt32BE(0);
    if (type === MESSAGE.abort) {
      const stream = streams.get(value);
      if (stream !== undefined) finished(stream);
      return true;
    }
    if (value < 1 || value > CHUNK_SIZE_MAX) throw new FormatError(`Chunks of ${value} bytes are not taken`, offset);
    chunkSize = value;
    return true;
  }

  return {
    read,
    /** Raises the maximum message size to one that fits pictures, once the sender is authorized. */
    allow(bytes: number): void {
      largest = bytes;
    },
  };
}

function readFields(stream: ChunkStream, bytes: Buffer, { format, size }: Head): void {
  stream.field = bytes.readUIntBE(size, 3);
  stream.hasExtended = stream.field === EXTENDED;
  if (format > 1) return;
  stream.length = bytes.readUIntBE(size + 3, 3);
  stream.type = bytes[size + 6]!;
  if (format === 0) stream.streamId = bytes.readUInt32LE(size + 7);
}

/** Returns the length of a basic header, given its first byte (5.3.1.1). */
const basicSize = (first: number): number => ((first & 0x3f) > 1 ? 1 : (first & 0x3f) + 2);

/** Reads a basic header; null while it is incomplete. */
function basicHead(bytes: Buffer): Head | null {
  const first = bytes[0];
  if (first === undefined || bytes.length < basicSize(first)) return null;
  const short = first & 0x3f;
  const id = short > 1 ? short : 64 + bytes[1]! + (short === 1 ? 256 * bytes[2]! : 0);
  return { format: first >> 6, id, size: basicSize(first) };
}

/** Encodes a message as a single chunk on chunk stream 2 or 3. The message must not exceed the announced chunk size. */
export function writeMessage({ type, streamId, bytes }: Omit<RtmpMessage, 'timestampMs'>): Buffer {
  const head = Buffer.alloc(12);
  head[0] = type === MESSAGE.command ? 3 : 2;
  head.writeUIntBE(bytes.length, 4, 3);
  head[7] = type;
  head.writeUInt32LE(streamId, 8);
  return Buffer.concat([head, bytes]);
}
