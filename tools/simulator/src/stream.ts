import { createMuxer, type Muxer, TICKS_PER_SECOND } from '@osprey/mpegts';
import { metadataPacket } from './metadata.ts';
import type { Model } from './model.ts';
import type { ResolvedOptions } from './options.ts';

const VIDEO_PID = 0x100;
const KLV_PID = 0x101;

/** A coded picture with the numbers of the frames that give its presentation and decoding times. */
export type TimedPicture = { bytes: Uint8Array; keyframe: boolean; shownFrame: number; decodedFrame: number };

/** Returns the time of a frame in UTC microseconds, which is used for its picture, its time code and its PTS. */
export function frameTimeUs({ startUs, fps }: Pick<ResolvedOptions, 'startUs' | 'fps'>, frame: number): number {
  return startUs + Math.round((frame * 1e6) / fps);
}

/**
 * Muxes coded pictures as they arrive, and before each of them every metadata packet that is due; at most `klvMax`
 * packets.
 */
export function createStream(
  options: ResolvedOptions,
  model: Model,
  { write, klvMax }: { write: (bytes: Uint8Array) => void; klvMax: number },
) {
  const { fps, startUs, firstPtsTicks, klvRate } = options;
  const muxer: Muxer = createMuxer({
    write,
    streams: [
      { pid: VIDEO_PID, kind: 'h264' },
      { pid: KLV_PID, kind: options.klv === 'sync' ? 'klvSync' : 'klvAsync' },
    ],
  });
  const klvFps = klvRate === 'frame' ? fps : klvRate;
  const frameTicks = (frame: number) => firstPtsTicks + Math.round((frame * TICKS_PER_SECOND) / fps);
  let klvPackets = 0;

  function metadataUntil(ticks: number): void {
    while (klvPackets < klvMax) {
      const timeUs = startUs + Math.round((klvPackets * 1e6) / klvFps);
      const ptsTicks = firstPtsTicks + Math.round(((timeUs - startUs) * TICKS_PER_SECOND) / 1e6);
      if (ptsTicks > ticks) return;
      muxer.unit({ pid: KLV_PID, ptsTicks, bytes: metadataPacket(options, model.at(timeUs)) });
      klvPackets += 1;
    }
  }

  return {
    picture({ bytes, keyframe, shownFrame, decodedFrame }: TimedPicture): void {
      const dtsTicks = frameTicks(decodedFrame);
      metadataUntil(dtsTicks);
      muxer.unit({ pid: VIDEO_PID, ptsTicks: frameTicks(shownFrame), dtsTicks, keyframe, bytes });
    },
    /** Writes all remaining metadata packets, up to `klvMax`. */
    end(): void {
      metadataUntil(Number.POSITIVE_INFINITY);
      muxer.end();
    },
    counts: () => ({ klvPackets, bytes: muxer.bytesWritten() }),
  };
}
