import { PACKET_SIZE } from '@osprey/mpegts';
import type { LiveListener, StreamFacts } from '../src/recorder/components.ts';

/** Duration of a picture at 25 pictures per second, in 90 kHz ticks. */
export const PICTURE_TICKS = 3600;

/** Returns a test packet that is identified by its bytes after the sync byte. */
export const packetOf = (mark: number): Buffer => Buffer.alloc(PACKET_SIZE, mark, 'latin1').fill(0x47, 0, 1);

export const TABLES = Buffer.concat([packetOf(0xa0), packetOf(0xb0)]);

export const facts: StreamFacts = {
  program: { number: 1, pmtPid: 0x100, pcrPid: 0x101, version: 0, streams: [] },
  videoPid: 0x101,
  video: null,
  tables: TABLES,
};

/** Sends pictures of one packet each to a listener, with a key frame every `gop` pictures, using a simulated clock. */
export function filming(listener: LiveListener, options: { gop?: number; startUs?: number } = {}) {
  const { gop = 25, startUs = 1_700_000_000_000_000 } = options;
  let picture = 0;
  let run = 0;
  const sent: Buffer[] = [];
  return {
    sent,
    nowUs: () => startUs + picture * 40_000,
    nowMs: () => picture * 40,
    jump: () => {
      run += 1;
    },
    /** Advances the simulated clock by this many pictures without sending them. */
    miss(pictures: number) {
      picture += pictures;
    },
    film(count: number) {
      for (let i = 0; i < count; i += 1, picture += 1) {
        const ptsTicks = 900_000 + picture * PICTURE_TICKS;
        listener.unit({ ptsTicks, dtsTicks: ptsTicks, keyframe: picture % gop === 0, run }, facts);
        const bytes = packetOf(picture % 100);
        sent.push(bytes);
        listener.packets(bytes, startUs);
      }
    },
  };
}
