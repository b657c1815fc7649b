import { createMuxer, TICKS_PER_SECOND } from '@osprey/mpegts';
import { picture } from './transport.ts';

const START_TICKS = 900_000;
const PICTURES_PER_SECOND = 10;

export type KlvFlight = {
  seconds: number;
  /** KLV packets in their order. `atSeconds`: since the first picture; `lateSeconds`: so long after the picture it belongs to. */
  sets: readonly { atSeconds: number; lateSeconds?: number; bytes: Uint8Array; pid?: number }[];
};

/** A transport stream of H.264 at 10 pictures a second, each tenth a key frame, with these packets in the places of their time. */
export function klvFlight({ seconds, sets }: KlvFlight): Buffer {
  const written: Uint8Array[] = [];
  const pids = [...new Set([257, ...sets.map(({ pid = 257 }) => pid)])].sort((a, b) => a - b);
  const muxer = createMuxer({
    streams: [{ pid: 256, kind: 'h264' }, ...pids.map((pid) => ({ pid, kind: 'klvAsync' }) as const)],
    write: (bytes) => written.push(bytes.slice()),
  });
  let next = 0;
  for (let n = 0; n < seconds * PICTURES_PER_SECOND; n += 1) {
    const keyframe = n % PICTURES_PER_SECOND === 0;
    const ptsTicks = START_TICKS + (n * TICKS_PER_SECOND) / PICTURES_PER_SECOND;
    muxer.unit({ pid: 256, ptsTicks, keyframe, bytes: picture(keyframe, 200) });
    for (; next < sets.length && sets[next]!.atSeconds < (n + 1) / PICTURES_PER_SECOND; next += 1) {
      const { atSeconds, lateSeconds = 0, bytes, pid = 257 } = sets[next]!;
      const klvTicks = START_TICKS + Math.round((atSeconds - lateSeconds) * TICKS_PER_SECOND);
      muxer.unit({ pid, ptsTicks: klvTicks, bytes });
    }
  }
  muxer.end();
  return Buffer.concat(written);
}
