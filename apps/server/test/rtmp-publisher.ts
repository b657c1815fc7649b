import { writeAmf } from '../src/recorder/sources/rtmp/amf0.ts';
import { MESSAGE } from '../src/recorder/sources/rtmp/chunks.ts';

type Message = { type: number; timestampMs?: number; streamId?: number; bytes: Buffer };

/**
 * Splits a message into chunks of 128 bytes, the default size that an encoder uses before it announces another size.
 */
export function inChunks({ type, timestampMs = 0, streamId = 0, bytes }: Message, chunkStream = 4): Buffer {
  const isLong = timestampMs >= 0xffffff;
  const extended = Buffer.alloc(isLong ? 4 : 0);
  if (isLong) extended.writeUInt32BE(timestampMs);
  const head = Buffer.alloc(12);
  head[0] = chunkStream;
  head.writeUIntBE(Math.min(timestampMs, 0xffffff), 1, 3);
  head.writeUIntBE(bytes.length, 4, 3);
  head[7] = type;
  head.writeUInt32LE(streamId, 8);
  const parts = [head, extended, bytes.subarray(0, 128)];
  for (let at = 128; at < bytes.length; at += 128) {
    parts.push(Buffer.of(0xc0 | chunkStream), extended, bytes.subarray(at, at + 128));
  }
  return Buffer.concat(parts);
}

export const command = (...values: Parameters<typeof writeAmf>[0]) =>
  inChunks({ type: MESSAGE.command, bytes: writeAmf(values) });

/**
 * Returns the messages that an encoder sends before its first picture. They can be sent without waiting for replies.
 */
export const greeting = (app: string, key: string): Buffer =>
  Buffer.concat([
    Buffer.of(3),
    Buffer.alloc(2 * 1536),
    command('connect', 1, { app, type: 'nonprivate' }),
    command('createStream', 2, null),
    command('publish', 3, null, key, 'live'),
  ]);

const SPS = Buffer.from('6742c00cda0507ec0440000003004000000c83c50aa8', 'hex');
const PPS = Buffer.from('68ce0fc8', 'hex');

const unit = (bytes: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes.length);
  return Buffer.concat([size, bytes]);
};

/** FLV tag bodies for tests: a decoder configuration, and pictures with recognizable content. */
export const flv = {
  avcHeader: Buffer.concat([
    Buffer.from('1700000000014200 0cffe1'.replace(' ', ''), 'hex'),
    Buffer.of(0, SPS.length),
    SPS,
    Buffer.of(1, 0, PPS.length),
    PPS,
  ]),
  picture: (number: number, isKey: boolean, shownMs = 0): Buffer => {
    const head = Buffer.of(isKey ? 0x17 : 0x27, 1, 0, 0, 0);
    head.writeIntBE(shownMs, 2, 3);
    return Buffer.concat([head, unit(Buffer.of(isKey ? 0x65 : 0x41, 0x88, number & 0x7f, 0x5a))]);
  },
  /** Audio configuration: AAC LC, 44.1 kHz, stereo. */
  aacHeader: Buffer.of(0xaf, 0, 0x12, 0x10),
  sound: (number: number): Buffer => Buffer.of(0xaf, 1, 0x21, number & 0x7f, 3, 4),
};

export const video = (bytes: Buffer, timestampMs = 0): Buffer =>
  inChunks({ type: MESSAGE.video, timestampMs, streamId: 1, bytes }, 6);

export const audio = (bytes: Buffer, timestampMs = 0): Buffer =>
  inChunks({ type: MESSAGE.audio, timestampMs, streamId: 1, bytes }, 5);

/** Returns one second of ten pictures with sound, starting at `fromMs`. */
export function second(fromMs = 0): Buffer {
  const parts = [video(flv.avcHeader, fromMs), audio(flv.aacHeader, fromMs)];
  for (let number = 0; number < 10; number += 1) {
    const atMs = fromMs + number * 100;
    parts.push(
      video(flv.picture(number, number === 0), atMs),
      audio(flv.sound(number), atMs - (number === 0 ? 0 : 20)),
    );
  }
  return Buffer.concat(parts);
}
