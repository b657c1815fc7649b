import type { VideoFormat } from './types.ts';

/** Whether browsers in general play a stream as it is: H.264 with 8 bits, 4:2:0, progressive. */
export function isBrowserPlayable(format: VideoFormat): boolean {
  return format.codec === 'h264' && format.bitDepth === 8 && format.chroma === '4:2:0' && !format.interlaced;
}
