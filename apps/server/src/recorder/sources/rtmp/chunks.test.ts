import { FormatError } from '@osprey/bytes';
import { describe, expect, it } from 'vitest';
import { inChunks } from '../../../../test/rtmp-publisher.ts';
import { chunkReader, MESSAGE } from './chunks.ts';

const MAX = 100_000;

function read(bytes: Buffer, { piece = bytes.length, messageMax = MAX } = {}) {
  const reader = chunkReader({ messageMax });
  const messages = [];
  for (let at = 0; at < bytes.length; at += piece) messages.push(...reader.read(bytes.subarray(at, at + piece)));
  return messages;
}

const bytesOf = (size: number) => Buffer.from(Array.from({ length: size }, (_, at) => at & 0xff));
const chunkSize = (size: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(size);
  return inChunks({ type: MESSAGE.chunkSize, bytes }, 2);
};

describe('a reader of chunks', () => {
  it.each([1, 2, 7, 129, 100_000])('puts messages together from pieces of %i bytes', (piece) => {
    const expected = [0, 1, 128, 129, 5000].map((size, index) => ({
      ...{ type: MESSAGE.video, streamId: 1, bytes: bytesOf(size) },
      // Three bytes hold no more than 0xffffff.
      timestampMs: [0, 40, 0xffffff, 0x1000000, 0xffffffff][index]!,
    }));

    expect(read(Buffer.concat(expected.map((one) => inChunks(one))), { piece })).toEqual(expected);
  });

  it('reads messages whose chunks are mixed, and heads that leave out what stays', () => {
    const long = bytesOf(200);
    const first = inChunks({ type: MESSAGE.video, timestampMs: 1000, streamId: 1, bytes: long }, 6);
    const sound = inChunks({ type: MESSAGE.audio, timestampMs: 1010, streamId: 1, bytes: bytesOf(3) }, 5);
    // Format 2: 40 ms later. Format 3: another 40 ms later, all else the same.
    const later = Buffer.concat([Buffer.of(0x85, 0, 0, 40), bytesOf(3), Buffer.of(0xc5), bytesOf(3)]);
    const mixed = Buffer.concat([first.subarray(0, 12 + 128), sound, later, first.subarray(12 + 128)]);

    const messages = read(mixed);

    expect(messages.map(({ type, timestampMs }) => [type, timestampMs])).toEqual([
      [MESSAGE.audio, 1010],
      [MESSAGE.audio, 1050],
      [MESSAGE.audio, 1090],
      [MESSAGE.video, 1000],
    ]);
    expect(messages.at(-1)!.bytes.equals(long)).toBe(true);
  });

  it('obeys a chunk size, and leaves out a message that was given up', () => {
    const begun = inChunks({ type: MESSAGE.video, bytes: bytesOf(300) }, 6).subarray(0, 12 + 128);
    const abort = inChunks({ type: MESSAGE.abort, bytes: Buffer.of(0, 0, 0, 6) }, 2);
    const whole = Buffer.concat([inChunks({ type: MESSAGE.audio, bytes: Buffer.alloc(0) }, 5), Buffer.alloc(0)]);
    const large = Buffer.concat([Buffer.of(6, 0, 0, 0, 0, 1, 44, MESSAGE.video, 0, 0, 0, 0), bytesOf(300)]);

    const messages = read(Buffer.concat([begun, abort, whole, chunkSize(4096), large]));

    expect(messages.map(({ type, bytes }) => [type, bytes.length])).toEqual([
      [MESSAGE.audio, 0],
      [MESSAGE.video, 300],
    ]);
  });

  it.each([
    ['a message that is too long', Buffer.of(6, 0, 0, 0, 0xff, 0xff, 0xff, 9, 0, 0, 0, 0)],
    ['chunks that are too large', chunkSize(2 ** 30)],
    ['chunks of nothing', chunkSize(0)],
    ['a chunk of a message that never began', Buffer.of(0xc6, 1)],
    [
      'a message within another',
      Buffer.concat([inChunks({ type: 9, bytes: bytesOf(300) }, 6).subarray(0, 140), video()]),
    ],
    [
      'too many chunk streams',
      Buffer.concat(Array.from({ length: 17 }, (_, id) => inChunks({ type: 9, bytes: bytesOf(1) }, 3 + id))),
    ],
  ])('refuses %s', (_what, bytes) => {
    expect(() => read(bytes)).toThrow(FormatError);
  });

  it('refuses messages that begin and do not end, before they add up', () => {
    const size = 703 * 128 + 16;
    // Each is sent but for its last chunk.
    const begun = Array.from({ length: 4 }, (_, id) =>
      inChunks({ type: 9, bytes: bytesOf(size) }, 3 + id).subarray(0, -17),
    );

    expect(() => read(Buffer.concat(begun))).toThrow('Too much is begun');
    expect(read(begun[0]!)).toEqual([]);
  });
});

function video(): Buffer {
  return inChunks({ type: 9, bytes: bytesOf(300) }, 6);
}
