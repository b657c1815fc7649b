import { eachNalUnit } from './annex-b.ts';
import { box, fullBox, u32, u64 } from './fmp4-boxes.ts';
import { initSegment, mimeTypeOf, TRACK_ID } from './fmp4-init.ts';
import { isBesidePictures, nalType, type ParameterSets } from './parameter-sets.ts';
import { TICKS_PER_SECOND } from './timeline.ts';
import type { VideoFormat } from './types.ts';
import type { VideoUnit } from './unit-reader.ts';

/** Writes one video stream as fragmented MP4 (ISO/IEC 14496-12, 8.8), for Media Source Extensions. */
export type Fmp4Writer = {
  /** The initialisation segment. */
  init: Uint8Array;
  /** MIME type with the codec, for `MediaSource.isTypeSupported`. */
  mimeType: string;
  /** One picture as moof and mdat, in memory of its own. */
  fragment(unit: VideoUnit): Uint8Array;
};

export type Fmp4Options = {
  format: VideoFormat;
  sets: ParameterSets;
  /** 90 kHz ticks that are media time 0; no picture may be decoded before. */
  firstTicks: number;
};

/** Sample flags (8.8.3.1): depends on no other picture, or on others and is no point to begin at. */
const KEY_PICTURE = 0x0200_0000;
const OTHER_PICTURE = 0x0101_0000;
const DEFAULT_BASE_IS_MOOF = 0x02_0000;
/** trun: data offset; duration, size, flags and composition offset of each sample. */
const TRUN_FLAGS = 0x00_0f01;
/** Duration of the first sample, 90 kHz ticks, where the stream states no frame rate: used until two pictures give a step. */
const FIRST_DURATION = TICKS_PER_SECOND / 25;
/** Number of recent steps; the longest of them is the duration. */
const STEPS = 16;
/** Longest step in ticks that counts as a duration; longer ones are gaps. */
const LONGEST_STEP = 2 * TICKS_PER_SECOND;

/**
 * Makes a writer of H.264 or H.265 with one set of parameters; another set needs another writer.
 *
 * A picture is written before the next one arrives, so its duration is a guess: the longest of the last steps. Players
 * take a step of more than two durations for a gap, so it must not be guessed too short. Delimiters and parameter sets
 * are left out of the samples: they are in the initialisation segment.
 *
 * @throws RangeError for MPEG-2 and MPEG-4 part 2
 */
export function createFmp4Writer({ format, sets, firstTicks }: Fmp4Options): Fmp4Writer {
  const { codec } = format;
  if (codec !== 'h264' && codec !== 'h265') throw new RangeError(`${codec} has no place in these files`);
  const kind: 'h264' | 'h265' = codec;
  const steps: number[] = [];
  let lastDts: number | null = null;
  let sequence = 0;

  function duration(dts: number): number {
    const step = lastDts === null ? 0 : dts - lastDts;
    lastDts = dts;
    if (step > 0 && step <= LONGEST_STEP) steps.push(step);
    if (steps.length > STEPS) steps.shift();
    if (steps.length > 0) return Math.max(...steps);
    return format.frameRate ? Math.round(TICKS_PER_SECOND / format.frameRate) : FIRST_DURATION;
  }

  function fragment(unit: VideoUnit): Uint8Array {
    const nals: [number, number][] = [];
    let size = 0;
    eachNalUnit(unit.bytes, unit.start, unit.end, (nal, nalEnd) => {
      if (isBesidePictures(kind, nalType(kind, unit.bytes, nal))) return;
      nals.push([nal, nalEnd]);
      size += 4 + nalEnd - nal;
    });
    sequence++;
    const head = moof(unit, duration(unit.dtsTicks), size);
    const out = new Uint8Array(head.length + 8 + size);
    const view = new DataView(out.buffer);
    out.set(head);
    out.set(box('mdat'), head.length);
    view.setUint32(head.length, 8 + size);
    let at = head.length + 8;
    for (const [nal, nalEnd] of nals) {
      view.setUint32(at, nalEnd - nal);
      out.set(unit.bytes.subarray(nal, nalEnd), at + 4);
      at += 4 + nalEnd - nal;
    }
    return out;
  }

  function moof({ ptsTicks, dtsTicks, keyframe }: VideoUnit, ticks: number, size: number): Uint8Array {
    const flags = keyframe ? KEY_PICTURE : OTHER_PICTURE;
    const made = box(
      'moof',
      fullBox('mfhd', 0, 0, u32(sequence)),
      box(
        'traf',
        fullBox('tfhd', 0, DEFAULT_BASE_IS_MOOF, u32(TRACK_ID)),
        fullBox('tfdt', 1, 0, u64(dtsTicks - firstTicks)),
        fullBox('trun', 1, TRUN_FLAGS, u32(1, 0, ticks, size, flags, ptsTicks - dtsTicks)),
      ),
    );
    // The data offset is counted from the moof and precedes the last four fields.
    new DataView(made.buffer).setUint32(made.length - 20, made.length + 8);
    return made;
  }

  return { init: initSegment(format, sets), mimeType: mimeTypeOf(format, sets), fragment };
}
