import { createMuxer, type Muxer, TICKS_PER_SECOND } from '@osprey/mpegts';
import { metadataPacket } from './metadata.ts';
import type { Model } from './model.ts';
import type { ResolvedOptions } from './options.ts';

const VIDEO_PID = 0x100;
const KLV_PID = 0x101;

/** A coded picture with the numbers of the frames whose times it has. */
export type TimedPicture = { bytes: Uint8Array; keyframe: boolean; shownFrame: number; decodedFrame: number };

/** UTC microseconds of a frame, which its picture, its code and its PTS agree on. */
export function frameTimeUs({ startUs, fps }: Pick<ResolvedOptions, 'startUs' | 'fps'>, frame: number): number {
  return startUs + Math.round((frame * 1e6) / fps);
}

/** Muxes coded pictures as they come, with every metadata packet that is due before each; `klvMax` packets at most. */
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
    /** Writes all metadata packets up to `klvMax`. */
    end(): void {
      metadataUntil(Number.POSITIVE_INFINITY);
      muxer.end();
    },
    counts: () => ({ klvPackets, bytes: muxer.bytesWritten() }),
  };
}
