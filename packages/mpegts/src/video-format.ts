import type { VideoFormat } from './types.ts';

/** Whether browsers can generally play a stream unchanged: 8-bit 4:2:0 progressive H.264. */
export function isBrowserPlayable(format: VideoFormat): boolean {
  return format.codec === 'h264' && format.bitDepth === 8 && format.chroma === '4:2:0' && !format.interlaced;
}
