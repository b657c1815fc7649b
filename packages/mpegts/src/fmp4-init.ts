import { unescapeNal } from './annex-b.ts';
import { box, fullBox, text, u8, u16, u32, zeros } from './fmp4-boxes.ts';
import { H265_NAL } from './h265.ts';
import type { ParameterSets } from './parameter-sets.ts';
import { TICKS_PER_SECOND } from './timeline.ts';
import type { VideoFormat } from './types.ts';

export const TRACK_ID = 1;

/** The value 1.0 in 16.16 fixed point. */
export const ONE = 0x0001_0000;
export const MATRIX = u32(ONE, 0, 0, 0, ONE, 0, 0, 0, 0x4000_0000);
export const LANGUAGE_UNDETERMINED = 0x55c4;
/** 72 dots per inch in 16.16 fixed point. */
const RESOLUTION = 0x0048_0000;

/** profile_idc values for which avcC states chroma format and bit depth (ISO/IEC 14496-15, 5.3.3.1.2). */
const LONG_AVCC = new Set([100, 110, 122, 144]);
const CHROMA_IDC = { '4:0:0': 0, '4:2:0': 1, '4:2:2': 2, '4:4:4': 3 } as const;

/**
 * Returns the initialisation segment of a fragmented file: one video track without samples, with times in 90 kHz ticks.
 */
export function initSegment(format: VideoFormat, sets: ParameterSets): Uint8Array {
  const entry = pictureEntry(format, sets);
  const tables = box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), entry),
    fullBox('stts', 0, 0, u32(0)),
    fullBox('stsc', 0, 0, u32(0)),
    fullBox('stsz', 0, 0, u32(0, 0)),
    fullBox('stco', 0, 0, u32(0)),
  );
  const place = box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1)));
  const media = box(
    'mdia',
    fullBox('mdhd', 0, 0, u32(0, 0, TICKS_PER_SECOND, 0), u16(LANGUAGE_UNDETERMINED, 0)),
    fullBox('hdlr', 0, 0, u32(0), text('vide'), zeros(12), text('video\0')),
    box('minf', fullBox('vmhd', 0, 1, zeros(8)), place, tables),
  );
  const movie = box(
    'moov',
    fullBox('mvhd', 0, 0, u32(0, 0, TICKS_PER_SECOND, 0, ONE), u16(0x0100), zeros(10), MATRIX, zeros(24), u32(2)),
    box('trak', trackHead(format), media),
    box('mvex', fullBox('trex', 0, 0, u32(TRACK_ID, 1, 0, 0, 0))),
  );
  const brands = box('ftyp', text('iso6'), u32(0), text('iso6isommp41'));
  return Uint8Array.from([...brands, ...movie]);
}

/** Writes the box tkhd. Flags 7: the track is enabled, and used in the movie and in the preview. */
function trackHead({ width, height }: VideoFormat): Uint8Array {
  const size = u32(width * ONE, height * ONE);
  return fullBox('tkhd', 0, 7, u32(0, 0, TRACK_ID, 0, 0), zeros(8), u16(0, 0, 0, 0), MATRIX, size);
}

/**
 * Returns the sample entry of H.264 or H.265. `inBand`: samples contain parameter sets, which may change (avc3, hev1);
 * otherwise all of them are in the entry (avc1, hvc1).
 */
export function pictureEntry(format: VideoFormat, sets: ParameterSets, inBand = false): Uint8Array {
  return format.codec === 'h265' ? hevc(format, sets, inBand) : avc(format, sets, inBand);
}

/** Returns a visual sample entry (ISO/IEC 14496-12, 12.1.3). */
export function visualEntry(type: string, { width, height }: VideoFormat, configuration: Uint8Array): Uint8Array {
  return box(
    type,
    zeros(6),
    u16(1),
    zeros(16),
    u16(width, height),
    u32(RESOLUTION, RESOLUTION, 0),
    u16(1),
    zeros(32),
    u16(0x18, 0xffff),
    configuration,
  );
}

const withLength = (set: Uint8Array): Uint8Array => Uint8Array.from([set.length >> 8, set.length & 0xff, ...set]);

/** Writes the AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1), for NAL unit lengths of four bytes. */
function avc(format: VideoFormat, { sps, pps }: ParameterSets, inBand: boolean): Uint8Array {
  const first = sps[0]!;
  const depth = format.bitDepth - 8;
  const sampling = u8(0xfc | CHROMA_IDC[format.chroma], 0xf8 | depth, 0xf8 | depth, 0);
  return visualEntry(
    inBand ? 'avc3' : 'avc1',
    format,
    box(
      'avcC',
      u8(1, first[1]!, first[2]!, first[3]!, 0xff, 0xe0 | sps.length),
      ...sps.map(withLength),
      u8(pps.length),
      ...pps.map(withLength),
      LONG_AVCC.has(format.profile) ? sampling : zeros(0),
    ),
  );
}

/**
 * Returns profile space, tier, profile, compatibility, constraints and level (7.3.3), which follow two header bytes and
 * one byte of ids.
 */
function profileTierLevel(sps: Uint8Array): Uint8Array {
  return unescapeNal(sps, 3, sps.length).subarray(0, 12);
}

/** Writes the HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1). */
function hevc(format: VideoFormat, sets: ParameterSets, inBand: boolean): Uint8Array {
  const depth = format.bitDepth - 8;
  const layersAndNesting = sets.sps[0]![2]!;
  // sps_max_sub_layers_minus1 + 1, sps_temporal_id_nesting_flag, and NAL unit lengths of four bytes.
  const layers = ((((layersAndNesting >> 1) & 7) + 1) << 3) | ((layersAndNesting & 1) << 2) | 3;
  const arrays = (['vps', 'sps', 'pps'] as const).map((role) =>
    Uint8Array.from([
      // array_completeness: set if samples contain no parameter sets of this kind.
      (inBand ? 0 : 0x80) | H265_NAL[role],
      sets[role].length >> 8,
      sets[role].length & 0xff,
      ...sets[role].flatMap((set) => [...withLength(set)]),
    ]),
  );
  return visualEntry(
    inBand ? 'hev1' : 'hvc1',
    format,
    box(
      'hvcC',
      u8(1),
      profileTierLevel(sets.sps[0]!),
      // No spatial segmentation, and unknown parallelism.
      u16(0xf000),
      u8(0xfc, 0xfc | CHROMA_IDC[format.chroma], 0xf8 | depth, 0xf8 | depth),
      u16(0),
      u8(layers, arrays.length),
      ...arrays,
    ),
  );
}

const hex = (value: number): string => value.toString(16).padStart(2, '0');

/** Returns the MIME type for MediaSource, with the codec string of RFC 6381 and ISO/IEC 14496-15 annex E. */
export function mimeTypeOf(format: VideoFormat, { sps }: ParameterSets): string {
  const first = sps[0]!;
  if (format.codec === 'h264') {
    return `video/mp4; codecs="avc1.${hex(first[1]!)}${hex(first[2]!)}${hex(first[3]!)}"`;
  }
  const level = profileTierLevel(first);
  const space = ['', 'A', 'B', 'C'][level[0]! >> 6]!;
  const compatibility = new DataView(level.buffer, level.byteOffset).getUint32(1);
  const constraints = [...level.subarray(5, 11)];
  while (constraints.length > 0 && constraints.at(-1) === 0) constraints.pop();
  const parts = [
    `hvc1.${space}${level[0]! & 0x1f}`,
    reversedBits(compatibility).toString(16).toUpperCase(),
    `${level[0]! & 0x20 ? 'H' : 'L'}${level[11]}`,
    ...constraints.map((byte) => byte.toString(16).toUpperCase()),
  ];
  return `video/mp4; codecs="${parts.join('.')}"`;
}

function reversedBits(value: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 32; bit++) if (value & (1 << bit)) reversed += 2 ** (31 - bit);
  return reversed;
}
