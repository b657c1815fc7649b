import { createMuxer, type MuxerOptions } from '@osprey/mpegts';
import { picture, SPS } from './transport.ts';

const RATE = 25;
const PICTURE_TICKS = 90_000 / RATE;

export type FlightOptions = {
  seconds: number;
  startTicks?: number;
  /** Bits of pictures a second. */
  bitsPerSecond?: number;
  size?: keyof typeof SPS;
  /** KLV packets of a picture, in place of one with its number. */
  sets?: (picture: number) => Uint8Array[];
};

/** A transport stream of 25 pictures a second, each 25th a key frame, with a KLV packet for each. */
export function flightBytes(options: FlightOptions): Buffer {
  const { seconds, startTicks = 900_000, bitsPerSecond = 400_000, size = 'hd' } = options;
  const { sets = (n: number) => [klvPacket(n)] } = options;
  const written: Uint8Array[] = [];
  const streams: MuxerOptions['streams'] = [
    { pid: 256, kind: 'h264' },
    { pid: 257, kind: 'klvAsync' },
  ];
  const muxer = createMuxer({ streams, write: (bytes) => written.push(bytes.slice()) });
  const filling = Math.round(bitsPerSecond / 8 / RATE);
  for (let n = 0; n < seconds * RATE; n += 1) {
    const ptsTicks = startTicks + n * PICTURE_TICKS;
    const keyframe = n % RATE === 0;
    muxer.unit({ pid: 256, ptsTicks, keyframe, bytes: picture(keyframe, numbers(filling, n * filling), SPS[size]) });
    for (const bytes of sets(n)) muxer.unit({ pid: 257, ptsTicks, bytes });
  }
  muxer.end();
  return Buffer.concat(written);
}

/** Numbers that only rise, in bytes that are no start code: any few hundred bytes of a flight occur in it once. */
function numbers(bytes: number, from: number): Uint8Array {
  const filling = Buffer.alloc(bytes);
  for (let at = 0, n = from; at < bytes; at += 4, n += 1) {
    for (let k = 0; k < 4 && at + k < bytes; k += 1) filling[at + k] = 0x80 | ((n >> (7 * k)) & 0x7f);
  }
  return filling;
}

/** An ST 0601 set that holds its number as mission id (tag 3). */
function klvPacket(n: number): Uint8Array {
  const text = Buffer.from(`flight ${n}`);
  const body = Buffer.concat([Buffer.from([3, text.length]), text]);
  return Buffer.concat([Buffer.from('060e2b34020b01010e01030101000000', 'hex'), Buffer.from([body.length]), body]);
}
