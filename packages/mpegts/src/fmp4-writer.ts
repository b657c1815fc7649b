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
  /** Returns one picture as moof and mdat, in newly allocated memory. */
  fragment(unit: VideoUnit): Uint8Array;
};

export type Fmp4Options = {
  format: VideoFormat;
  sets: ParameterSets;
  /** 90 kHz ticks that correspond to media time 0; no picture may be decoded earlier. */
  firstTicks: number;
};

/**
 * Sample flags (8.8.3.1): a key picture depends on no other; any other picture does, and playback cannot begin there.
 */
const KEY_PICTURE = 0x0200_0000;
const OTHER_PICTURE = 0x0101_0000;
const DEFAULT_BASE_IS_MOOF = 0x02_0000;
/** Flags of trun: data offset is present; duration, size, flags and composition offset are present for each sample. */
const TRUN_FLAGS = 0x00_0f01;
/**
 * Duration of the first sample in 90 kHz ticks if the stream states no frame rate; used until two pictures give a step.
 */
const FIRST_DURATION = TICKS_PER_SECOND / 25;
/** Number of recent steps between pictures; the longest of them is used as the duration. */
const STEPS = 16;
/** Maximum step in ticks that counts as a duration; longer ones are gaps. */
const STEP_MAX = 2 * TICKS_PER_SECOND;

/**
 * Creates a writer for H.264 or H.265 with one group of parameter sets; other parameter sets need another writer.
 *
 * A picture is written before the next one arrives, so its duration is an estimate: the longest of the last steps. It
 * must not be too short, since players take a step of more than two durations for a gap. Delimiters and parameter sets
 * are omitted from the samples: the latter are in the initialisation segment.
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
    if (step > 0 && step <= STEP_MAX) steps.push(step);
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
    // The data offset is relative to the start of the moof; its field precedes the last four fields.
    new DataView(made.buffer).setUint32(made.length - 20, made.length + 8);
    return made;
  }

  return { init: initSegment(format, sets), mimeType: mimeTypeOf(format, sets), fragment };
}
