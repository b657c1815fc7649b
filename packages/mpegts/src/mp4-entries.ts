import { box, fullBox, text, u8, u16, u32, zeros } from './fmp4-boxes.ts';
import { pictureEntry, visualEntry } from './fmp4-init.ts';
import type { ParameterSets } from './parameter-sets.ts';
import type { SoundFormat } from './sound-frames.ts';
import type { VideoFormat } from './types.ts';

/** Data for the sample entry of a video track. */
export type PictureCoding = {
  format: VideoFormat;
  /** Parameter sets of H.264 and H.265. */
  sets: ParameterSets | null;
  /** True if the parameter sets change within the track, so that each key frame contains its own. */
  inBand: boolean;
  /** Headers before the first picture, for MPEG-2 and MPEG-4 part 2. */
  headers: Uint8Array;
};

/** objectTypeIndication of video (ISO/IEC 14496-1, table 5). */
const MPEG4_PART2 = 0x20;
const MPEG1_PICTURES = 0x6a;
/** objectTypeIndication of MPEG-2, by profile (ISO/IEC 13818-2, table 8-2): 4:2:2, High, Spatial, SNR, Main, Simple. */
const MPEG2_PICTURES = [0x65, 0x64, 0x63, 0x62, 0x61, 0x60];

/** streamType of video and of sound (ISO/IEC 14496-1, table 6). */
const PICTURES = 4;
const SOUND = 5;

export function videoEntry({ format, sets, inBand, headers }: PictureCoding): Uint8Array {
  if (sets !== null) return pictureEntry(format, sets, inBand);
  const type =
    format.codec === 'mpeg4'
      ? MPEG4_PART2
      : format.level === 0
        ? MPEG1_PICTURES
        : (MPEG2_PICTURES[format.profile] ?? MPEG2_PICTURES[4]!);
  return visualEntry('mp4v', format, esds(type, PICTURES, headers));
}

/** Returns an audio sample entry (ISO/IEC 14496-12, 12.2.3). */
export function soundEntry({ kind, rate, channels, objectType, configuration }: SoundFormat): Uint8Array {
  const head = [zeros(6), u16(1), zeros(8), u16(channels, 16, 0, 0), u32(rate * 0x1_0000)];
  if (kind === 'ac3') return box('ac-3', ...head, box('dac3', configuration));
  if (kind === 'eac3') return box('ec-3', ...head, box('dec3', configuration));
  return box('mp4a', ...head, esds(objectType, SOUND, configuration));
}

/** URI of MISB ST 1910 for unmodified KLV. */
const KLV_SCHEME = 'urn:misb:KLV:bin:1910.1';

/** Returns the sample entry of a metadata track whose format is identified by a URI (ISO/IEC 14496-12, 12.3.3). */
export function klvEntry(): Uint8Array {
  return box('urim', zeros(6), u16(1), fullBox('uri ', 0, 0, text(`${KLV_SCHEME}\0`)));
}

/** Returns an elementary stream descriptor (ISO/IEC 14496-1, 7.2.6.5). */
function esds(objectType: number, streamType: number, configuration: Uint8Array): Uint8Array {
  const specific = configuration.length > 0 ? descriptor(0x05, configuration) : zeros(0);
  // Zero for the buffer size and both bit rates means unknown.
  const coding = descriptor(0x04, u8(objectType, (streamType << 2) | 1), zeros(3), u32(0, 0), specific);
  return fullBox('esds', 0, 0, descriptor(0x03, u16(0), u8(0), coding, descriptor(0x06, u8(2))));
}

function descriptor(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const length = [size >> 21, size >> 14, size >> 7].map((bits) => 0x80 | (bits & 0x7f));
  return Uint8Array.from([tag, ...length, size & 0x7f, ...parts.flatMap((part) => [...part])]);
}
