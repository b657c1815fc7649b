import { BitReader, FormatError } from '@osprey/bytes';
import { unescapeNal } from './annex-b.ts';
import type { VideoFormat } from './types.ts';

/** nal_unit_type values (ITU-T H.265 table 7-1). */
export const H265_NAL = {
  lastSlice: 31,
  firstIrap: 16,
  lastIrap: 23,
  vps: 32,
  sps: 33,
  pps: 34,
  delimiter: 35,
  prefixSei: 39,
} as const;

const CHROMA = ['4:0:0', '4:2:0', '4:2:2', '4:4:4'] as const;
const CROP_X = [1, 2, 2, 1] as const;
const CROP_Y = [1, 2, 1, 1] as const;
const EXTENDED_SAR = 255;

/**
 * Reads a sequence parameter set (7.3.2.2.1) from the NAL unit in [start, end), including its two-byte header.
 *
 * @throws FormatError when it is cut short or holds an impossible count.
 */
export function readH265Sps(bytes: Uint8Array, start: number, end: number): VideoFormat {
  const bits = new BitReader(unescapeNal(bytes, start + 2, end));
  bits.skip(4); // sps_video_parameter_set_id
  const subLayers = bits.bits(3);
  bits.skip(1); // sps_temporal_id_nesting_flag
  const general = readProfile(bits, subLayers);
  bits.ue(); // sps_seq_parameter_set_id
  const chroma = Math.min(bits.ue(), 3);
  if (chroma === 3) bits.skip(1); // separate_colour_plane_flag
  const width = bits.ue();
  const height = bits.ue();
  const crop = bits.flag() ? [bits.ue(), bits.ue(), bits.ue(), bits.ue()] : [0, 0, 0, 0];
  const luma = bits.ue() + 8;
  const bitDepth = Math.max(luma, bits.ue() + 8);
  const orderBits = bits.ue() + 4;
  const reordering = readOrdering(bits, subLayers);
  const format: VideoFormat = {
    codec: 'h265',
    width: Math.max(0, width - CROP_X[chroma]! * (crop[0]! + crop[1]!)),
    height: Math.max(0, height - CROP_Y[chroma]! * (crop[2]! + crop[3]!)),
    frameRate: null,
    profile: general.profile,
    level: general.level,
    chroma: CHROMA[chroma]!,
    bitDepth,
    interlaced: general.interlaced,
    hasBFrames: reordering > 0,
  };
  readRest(bits, orderBits, format);
  return format;
}

/** Reads profile_tier_level() (7.3.3). */
function readProfile(bits: BitReader, subLayers: number): { profile: number; level: number; interlaced: boolean } {
  bits.skip(3); // general_profile_space, general_tier_flag
  const profile = bits.bits(5);
  bits.skip(32); // compatibility flags
  const progressiveSource = bits.flag();
  const interlacedSource = bits.flag();
  bits.skip(46);
  const level = bits.bits(8);
  const present = Array.from({ length: subLayers }, () => ({ profile: bits.flag(), level: bits.flag() }));
  if (subLayers > 0) bits.skip(2 * (8 - subLayers));
  for (const layer of present) bits.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0));
  return { profile, level, interlaced: interlacedSource && !progressiveSource };
}

/** Returns sps_max_num_reorder_pics of the highest sub-layer. */
function readOrdering(bits: BitReader, subLayers: number): number {
  const everyLayer = bits.flag();
  let reordering = 0;
  for (let layer = everyLayer ? 0 : subLayers; layer <= subLayers; layer++) {
    bits.ue(); // sps_max_dec_pic_buffering_minus1
    reordering = bits.ue();
    bits.ue(); // sps_max_latency_increase_plus1
  }
  return reordering;
}

/** Reads everything from the block sizes to the VUI, of which only the frame rate and the field coding are kept. */
function readRest(bits: BitReader, orderBits: number, format: VideoFormat) {
  for (let i = 0; i < 6; i++) bits.ue(); // sizes of coding and transform blocks
  if (bits.flag() && bits.flag()) skipScalingLists(bits);
  bits.skip(2); // amp_enabled_flag, sample_adaptive_offset_enabled_flag
  if (bits.flag()) {
    bits.skip(8); // pcm sample sizes
    bits.ue();
    bits.ue();
    bits.skip(1);
  }
  skipReferenceSets(bits);
  if (bits.flag()) {
    const pictures = bounded(bits.ue(), 32, 'long-term pictures');
    for (let i = 0; i < pictures; i++) bits.skip(orderBits + 1);
  }
  bits.skip(2); // sps_temporal_mvp_enabled_flag, strong_intra_smoothing_enabled_flag
  if (bits.flag()) readVui(bits, format);
}

/** Skips scaling_list_data() (ITU-T H.265, 7.3.4). */
function skipScalingLists(bits: BitReader) {
  for (let size = 0; size < 4; size++) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!bits.flag()) {
        bits.ue(); // scaling_list_pred_matrix_id_delta
        continue;
      }
      if (size > 1) bits.se();
      const coefficients = Math.min(64, 1 << (4 + (size << 1)));
      for (let i = 0; i < coefficients; i++) bits.se();
    }
  }
}

/** Skips st_ref_pic_set() of 7.3.7, for all sets. */
function skipReferenceSets(bits: BitReader) {
  const sets = bounded(bits.ue(), 64, 'reference picture sets');
  let pictures = 0;
  for (let set = 0; set < sets; set++) {
    if (set > 0 && bits.flag()) {
      bits.skip(1); // delta_rps_sign
      bits.ue();
      let retained = 0;
      for (let i = 0; i <= pictures; i++) {
        const used = bits.flag();
        const useDelta = used || bits.flag();
        if (useDelta) retained++;
      }
      pictures = retained;
      continue;
    }
    const negative = bounded(bits.ue(), 16, 'reference pictures');
    const positive = bounded(bits.ue(), 16, 'reference pictures');
    for (let i = 0; i < negative + positive; i++) {
      bits.ue();
      bits.skip(1);
    }
    pictures = negative + positive;
  }
}

/** Reads vui_parameters() of E.2.1 up to the timing. */
function readVui(bits: BitReader, format: VideoFormat) {
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
  bits.skip(1); // neutral_chroma_indication_flag
  format.interlaced ||= bits.flag(); // field_seq_flag
  bits.skip(1); // frame_field_info_present_flag
  if (bits.flag()) for (let i = 0; i < 4; i++) bits.ue(); // default display window
  if (!bits.flag()) return;
  const unitsInTick = bits.bits(32);
  const timeScale = bits.bits(32);
  if (unitsInTick > 0 && timeScale > 0) format.frameRate = timeScale / unitsInTick;
}

function bounded(value: number, limit: number, what: string): number {
  if (value > limit) throw new FormatError(`More than ${limit} ${what}`, 0);
  return value;
}
