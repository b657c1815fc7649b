import { BitReader } from '@osprey/bytes';

const HEAD_SIZE = 7;
/** Maximum size of an AAC frame: ADTS stores the length of frame and header in 13 bits. */
const FRAME_MAX = 2 ** 13 - 1 - HEAD_SIZE;
/**
 * Audio object types (ISO/IEC 14496-3, table 1.17). Types 5 and 29 are AAC LC with an extension that older decoders
 * ignore.
 */
const LC = 2;
const SBR = 5;
const PS = 29;
/** Sampling rate index which means that the rate itself follows in 24 bits; ADTS cannot express such a rate. */
const RATE_WRITTEN_OUT = 15;

/** Fields of an ADTS frame header. */
export type AacConfig = { profile: number; rateIndex: number; channels: number };

/**
 * Reads an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). Returns null if ADTS cannot carry the format.
 *
 * @throws FormatError when truncated
 */
export function readAacConfig(bytes: Uint8Array): AacConfig | null {
  const bits = new BitReader(bytes);
  const type = bits.bits(5);
  const rateIndex = bits.bits(4);
  if (rateIndex === RATE_WRITTEN_OUT) return null;
  const channels = bits.bits(4);
  const core = type === SBR || type === PS ? LC : type;
  if (core < 1 || core > 4 || channels < 1 || channels > 7) return null;
  return { profile: core - 1, rateIndex, channels };
}

/**
 * Adds an ADTS header to a frame (ISO/IEC 13818-7, 6.2; MPEG-4, without checksum). Returns null if the frame is empty
 * or too long.
 */
export function toAdts(frame: Uint8Array, { profile, rateIndex, channels }: AacConfig): Buffer | null {
  if (frame.length === 0 || frame.length > FRAME_MAX) return null;
  const size = frame.length + HEAD_SIZE;
  return Buffer.concat([
    Buffer.of(0xff, 0xf1),
    Buffer.of((profile << 6) | (rateIndex << 2) | (channels >> 2), ((channels & 3) << 6) | (size >> 11)),
    // The buffer fullness field is all ones, which means a variable bit rate.
    Buffer.of((size >> 3) & 0xff, ((size & 7) << 5) | 0x1f, 0xfc),
    frame,
  ]);
}
