import { FormatError } from '@osprey/bytes';
import type { VideoFormat } from './types.ts';

/** Start codes of MPEG-1 and MPEG-2 video (ISO/IEC 13818-2, table 6-1). */
export const MPEG2_CODE = { picture: 0x00, sequence: 0xb3, extension: 0xb5, group: 0xb8 } as const;

/** Frame rates by frame_rate_code (table 6-4); 0 is forbidden. */
const FRAME_RATES = [null, 24_000 / 1001, 24, 25, 30_000 / 1001, 30, 50, 60_000 / 1001, 60] as const;
/** picture_coding_type of an intra picture (table 6-12). */
const INTRA = 1;
/** extension_start_code_identifier of the sequence extension (table 6-2). */
const SEQUENCE_EXTENSION = 1;

/**
 * Reads a sequence header (6.2.2.1) whose start code is at `start`, and the sequence extension at offset `extension`,
 * if there is one. Without an extension the video is MPEG-1: progressive 4:2:0.
 *
 * @throws FormatError when one of them is cut short.
 */
export function readMpeg2Sequence(bytes: Uint8Array, start: number, extension: number, end: number): VideoFormat {
  if (start + 12 > end) throw new FormatError('Sequence header cut short', start);
  const format: VideoFormat = {
    codec: 'mpeg2',
    width: (bytes[start + 4]! << 4) | (bytes[start + 5]! >> 4),
    height: ((bytes[start + 5]! & 0x0f) << 8) | bytes[start + 6]!,
    frameRate: FRAME_RATES[bytes[start + 7]! & 0x0f] ?? null,
    profile: 0,
    level: 0,
    chroma: '4:2:0',
    bitDepth: 8,
    interlaced: false,
    hasBFrames: null,
  };
  if (extension >= 0) applyExtension(bytes, extension, end, format);
  return format;
}

/** Applies a sequence_extension() (6.2.2.3) to the format. */
function applyExtension(bytes: Uint8Array, start: number, end: number, format: VideoFormat) {
  if (start + 10 > end) throw new FormatError('Sequence extension cut short', start);
  const at = start + 4;
  format.profile = bytes[at]! & 0x07;
  format.level = bytes[at + 1]! >> 4;
  format.interlaced = (bytes[at + 1]! & 0x08) === 0;
  format.chroma = (['4:2:0', '4:2:0', '4:2:2', '4:4:4'] as const)[(bytes[at + 1]! >> 1) & 3]!;
  format.width |= (((bytes[at + 1]! & 1) << 1) | (bytes[at + 2]! >> 7)) << 12;
  format.height |= ((bytes[at + 2]! >> 5) & 3) << 12;
  if (bytes[at + 5]! & 0x80) format.hasBFrames = false; // low_delay: no B pictures
  const times = ((bytes[at + 5]! >> 5) & 3) + 1;
  const parts = (bytes[at + 5]! & 0x1f) + 1;
  if (format.frameRate !== null) format.frameRate = (format.frameRate * times) / parts;
}

/** Whether the extension start code at `start` begins a sequence extension. */
export function isSequenceExtension(bytes: Uint8Array, start: number): boolean {
  return bytes[start + 4]! >> 4 === SEQUENCE_EXTENSION;
}

/** Whether the picture whose start code is at `start` is intra coded (6.2.3). Six bytes are read. */
export function isIntraPicture(bytes: Uint8Array, start: number): boolean {
  return ((bytes[start + 5]! >> 3) & 7) === INTRA;
}
