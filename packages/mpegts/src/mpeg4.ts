import { BitReader, FormatError } from '@osprey/bytes';
import type { VideoFormat } from './types.ts';

/** Start codes of MPEG-4 visual (ISO/IEC 14496-2, table 6-3); object layers have the codes 0x20 to 0x2F. */
export const MPEG4_CODE = { firstLayer: 0x20, lastLayer: 0x2f, sequence: 0xb0, group: 0xb3, picture: 0xb6 } as const;

/**
 * aspect_ratio_info that is followed by an explicit ratio (table 6-12), and video_object_layer_shape of rectangular
 * pictures (table 6-14).
 */
const EXTENDED_ASPECT = 15;
const RECTANGULAR = 0;
const GREYSCALE = 3;
/** Size of vbv_parameters: 79 bits including marker bits. */
const VBV_BITS = 79;

/**
 * Whether the picture whose start code is at `start` is intra coded, by its vop_coding_type (table 6-20). Five bytes
 * are read.
 */
export const isIntraVop = (bytes: Uint8Array, start: number): boolean => bytes[start + 4]! >> 6 === 0;

/**
 * Reads a video object layer (6.2.3) whose start code is at `start`.
 *
 * @throws FormatError when it is cut short, or its pictures are not rectangular
 */
export function readMpeg4Layer(bytes: Uint8Array, start: number, end: number): VideoFormat {
  const bits = new BitReader(bytes, start + 4, end);
  bits.skip(1);
  const profile = bits.bits(8);
  let version = 1;
  if (bits.flag()) {
    version = bits.bits(4);
    bits.skip(3);
  }
  if (bits.bits(4) === EXTENDED_ASPECT) bits.skip(16);
  let hasBFrames: boolean | null = null;
  if (bits.flag()) {
    bits.skip(2);
    if (bits.flag()) hasBFrames = false; // low_delay
    if (bits.flag()) bits.skip(VBV_BITS);
  }
  const shape = bits.bits(2);
  if (shape === GREYSCALE && version !== 1) bits.skip(4);
  if (shape !== RECTANGULAR) throw new FormatError('Video objects of another shape than a rectangle', start);
  bits.skip(1);
  const resolution = bits.bits(16);
  if (resolution === 0) throw new FormatError('No time increment resolution', start);
  bits.skip(1);
  let frameRate: number | null = null;
  if (bits.flag()) {
    const increment = bits.bits(Math.max(1, 32 - Math.clz32(resolution - 1)));
    frameRate = increment > 0 ? resolution / increment : null;
  }
  bits.skip(1);
  const width = bits.bits(13);
  bits.skip(1);
  const height = bits.bits(13);
  bits.skip(1);
  const interlaced = bits.flag();
  const format = { width, height, frameRate, profile, level: 0, interlaced, hasBFrames };
  return { codec: 'mpeg4', chroma: '4:2:0', bitDepth: 8, ...format };
}
