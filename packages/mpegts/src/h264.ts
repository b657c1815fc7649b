import { BitReader } from '@osprey/bytes';
import { readSeiNumber, skipEscaped, unescapeNal } from './annex-b.ts';
import type { VideoFormat } from './types.ts';

/** nal_unit_type values (ITU-T H.264 table 7-1). */
export const H264_NAL = { slice: 1, partitionA: 2, idr: 5, sei: 6, sps: 7, pps: 8, delimiter: 9 } as const;

/** payloadType of the recovery point SEI message (D.1). */
const RECOVERY_POINT = 6;

/** profile_idc values whose parameter sets state chroma format and bit depth (7.3.2.1.1). */
const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);
/** profile_idc of Baseline, which has no B slices (A.2.1). */
const BASELINE = 66;

const CHROMA = ['4:0:0', '4:2:0', '4:2:2', '4:4:4'] as const;
/** Cropping units in pixels for 4:0:0, 4:2:0, 4:2:2, 4:4:4 (table 6-1). */
const CROP_X = [1, 2, 2, 1] as const;
const CROP_Y = [1, 2, 1, 1] as const;

/** aspect_ratio_idc that is followed by the two numbers of the ratio. */
const EXTENDED_SAR = 255;

/**
 * Reads a sequence parameter set (7.3.2.1.1) from the NAL unit in [start, end), including its one-byte header.
 *
 * @throws FormatError when it is cut short or holds an impossible code.
 */
export function readH264Sps(bytes: Uint8Array, start: number, end: number): VideoFormat {
  const bits = new BitReader(unescapeNal(bytes, start + 1, end));
  const profile = bits.bits(8);
  bits.skip(8); // constraint flags
  const level = bits.bits(8);
  bits.ue(); // seq_parameter_set_id
  const { chroma, bitDepth } = HIGH_PROFILES.has(profile) ? readSampling(bits) : { chroma: 1, bitDepth: 8 };
  bits.ue(); // log2_max_frame_num_minus4
  const orderType = readPictureOrder(bits);
  bits.ue(); // max_num_ref_frames
  bits.skip(1); // gaps_in_frame_num_value_allowed_flag
  const widthInBlocks = bits.ue() + 1;
  const mapHeight = bits.ue() + 1;
  const framesOnly = bits.flag();
  if (!framesOnly) bits.skip(1); // mb_adaptive_frame_field_flag
  bits.skip(1); // direct_8x8_inference_flag
  const fieldFactor = framesOnly ? 1 : 2;
  const crop = bits.flag() ? [bits.ue(), bits.ue(), bits.ue(), bits.ue()] : [0, 0, 0, 0];
  const vui = bits.flag() ? readVui(bits) : { frameRate: null, reordering: null };
  return {
    codec: 'h264',
    width: Math.max(0, widthInBlocks * 16 - CROP_X[chroma]! * (crop[0]! + crop[1]!)),
    height: Math.max(0, mapHeight * 16 * fieldFactor - CROP_Y[chroma]! * fieldFactor * (crop[2]! + crop[3]!)),
    frameRate: vui.frameRate,
    profile,
    level,
    chroma: CHROMA[chroma]!,
    bitDepth,
    interlaced: !framesOnly,
    // With picture order count type 2, output order equals decoding order (8.2.1).
    hasBFrames: profile === BASELINE || orderType === 2 ? false : vui.reordering,
  };
}

function readSampling(bits: BitReader): { chroma: number; bitDepth: number } {
  const chroma = Math.min(bits.ue(), 3);
  if (chroma === 3) bits.skip(1); // separate_colour_plane_flag
  const luma = bits.ue() + 8;
  const bitDepth = Math.max(luma, bits.ue() + 8);
  bits.skip(1); // qpprime_y_zero_transform_bypass_flag
  if (bits.flag()) {
    for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) {
      if (bits.flag()) skipScalingList(bits, list < 6 ? 16 : 64);
    }
  }
  return { chroma, bitDepth };
}

/** Skips a scaling_list() (7.3.2.1.1.1). */
function skipScalingList(bits: BitReader, size: number) {
  let last = 8;
  let next = 8;
  for (let i = 0; i < size; i++) {
    if (next !== 0) next = (last + bits.se() + 256) % 256;
    if (next !== 0) last = next;
  }
}

function readPictureOrder(bits: BitReader): number {
  const type = bits.ue();
  if (type === 0) bits.ue(); // log2_max_pic_order_cnt_lsb_minus4
  if (type === 1) {
    bits.skip(1); // delta_pic_order_always_zero_flag
    bits.se();
    bits.se();
    const cycle = Math.min(bits.ue(), 255);
    for (let i = 0; i < cycle; i++) bits.se();
  }
  return type;
}

/** Reads vui_parameters() (E.1.1): the frame rate, and whether pictures are reordered. */
function readVui(bits: BitReader): { frameRate: number | null; reordering: boolean | null } {
  if (bits.flag() && bits.bits(8) === EXTENDED_SAR) bits.skip(32);
  if (bits.flag()) bits.skip(1); // overscan
  if (bits.flag()) {
    bits.skip(4); // video_format, video_full_range_flag
    if (bits.flag()) bits.skip(24); // colour description
  }
  if (bits.flag()) {
    bits.ue(); // chroma sample locations
    bits.ue();
  }
  const frameRate = bits.flag() ? readFrameRate(bits) : null;
  const nalHrd = bits.flag();
  if (nalHrd) skipHrd(bits);
  const vclHrd = bits.flag();
  if (vclHrd) skipHrd(bits);
  if (nalHrd || vclHrd) bits.skip(1); // low_delay_hrd_flag
  bits.skip(1); // pic_struct_present_flag
  if (!bits.flag()) return { frameRate, reordering: null };
  bits.skip(1); // motion_vectors_over_pic_boundaries_flag
  for (let i = 0; i < 4; i++) bits.ue();
  return { frameRate, reordering: bits.ue() > 0 }; // max_num_reorder_frames
}

/** Reads the frame rate. A tick is the duration of a field, and a frame lasts two ticks (E.2.1). */
function readFrameRate(bits: BitReader): number | null {
  const unitsInTick = bits.bits(32);
  const timeScale = bits.bits(32);
  bits.skip(1); // fixed_frame_rate_flag
  return unitsInTick > 0 && timeScale > 0 ? timeScale / (2 * unitsInTick) : null;
}

function skipHrd(bits: BitReader) {
  const count = Math.min(bits.ue() + 1, 32);
  bits.skip(8); // bit_rate_scale, cpb_size_scale
  for (let i = 0; i < count; i++) {
    bits.ue();
    bits.ue();
    bits.skip(1);
  }
  bits.skip(20); // lengths of the delays and time_offset
}

/**
 * Whether the SEI NAL unit in [start, end) contains a recovery point message (D.1.8); a truncated unit is read as far
 * as it goes. Reads in place without copying, since many recordings mark each picture with such a message.
 */
export function hasRecoveryPoint(bytes: Uint8Array, start: number, end: number): boolean {
  const cursor = { bytes, at: start + 1, end };
  for (;;) {
    const type = readSeiNumber(cursor);
    const size = readSeiNumber(cursor);
    if (size < 0) return false;
    if (type === RECOVERY_POINT) return true;
    skipEscaped(cursor, size);
  }
}

/**
 * Returns the slice_type of the slice NAL unit in [start, end), 0 to 9 (7.3.3).
 *
 * @throws FormatError when it is cut before that.
 */
export function sliceType(bytes: Uint8Array, start: number, end: number): number {
  const bits = new BitReader(unescapeNal(bytes, start + 1, end));
  bits.ue(); // first_mb_in_slice
  return bits.ue() % 10;
}

/** Whether a slice is an I or SI slice, including the types that apply to the whole picture (table 7-6). */
export function isIntraSlice(type: number): boolean {
  return type === 2 || type === 4 || type === 7 || type === 9;
}
