import { FormatError } from '@osprey/bytes';
import { createMuxer, type Muxer, type MuxerStream } from '@osprey/mpegts';
import { type AacConfig, readAacConfig, toAdts } from './aac.ts';
import { type AvcConfig, readAvcConfig, toAnnexB } from './avc.ts';
import type { FlvTag } from './session.ts';

const VIDEO: MuxerStream = { pid: 0x100, kind: 'h264' };
const AUDIO: MuxerStream = { pid: 0x101, kind: 'aac' };
const TICKS_PER_MS = 90;
/**
 * Offset added to all timestamps: encoders begin at 0, but the clock of a transport stream runs ahead of its pictures.
 */
const FIRST_TICKS = 10 * 1000 * TICKS_PER_MS;

/** Codec ids of the Video File Format Specification 10.1, E.4.3.1 and E.4.2.1. */
const CODEC = { avc: 7, aac: 10 } as const;
/**
 * Bit that is set if a four-letter code names the codec (Enhanced RTMP v1). Encoders use it for H.264 only after
 * negotiation.
 */
const IS_ENHANCED = 0x80;
const LETTERS = new Map([
  ['hvc1', 'HEVC'],
  ['av01', 'AV1'],
  ['vp09', 'VP9'],
]);
const KEY_FRAME = 1;
const PACKET_TYPE = { header: 0, unit: 1 } as const;
const VIDEO_HEAD = 5;
const AUDIO_HEAD = 2;

type RemuxerDeps = {
  /** Receives complete transport packets, which are valid only during the call. */
  write(bytes: Uint8Array): void;
  problem(text: string): void;
};

/**
 * Remuxes the H.264 and AAC that an encoder pushes into a transport stream, picture by picture, without transcoding.
 * Continuity counters continue when one publisher replaces another.
 */
export function flvRemuxer({ write, problem }: RemuxerDeps) {
  let muxer: Muxer | null = null;
  let avc: AvcConfig | null = null;
  let aac: AacConfig | null = null;
  let isSoundMapped = false;
  let hasKey = false;
  let isOddReported = false;
  let refused = 0;

  function addTag(tag: FlvTag): void {
    try {
      if (tag.kind === 'video') video(tag);
      else audio(tag);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      refused += 1;
    }
  }

  function video({ bytes, timestampMs }: FlvTag): void {
    const first = bytes[0] ?? 0;
    if ((first & IS_ENHANCED) !== 0 || (first & 0x0f) !== CODEC.avc) {
      reportOdd(bytes);
      return;
    }
    if (bytes.length < VIDEO_HEAD) throw new FormatError('A picture is cut', bytes.length);
    const body = bytes.subarray(VIDEO_HEAD);
    if (bytes[1] === PACKET_TYPE.header) avc = readAvcConfig(body);
    if (bytes[1] !== PACKET_TYPE.unit || avc === null) return;
    const unit = toAnnexB(body, avc, first >> 4 === KEY_FRAME);
    hasKey ||= unit.keyframe;
    // Pictures before the first key frame cannot be decoded.
    if (!hasKey) return;
    const dtsTicks = ticksOf(timestampMs);
    // The presentation time is never before the decoding time.
    const ptsTicks = dtsTicks + Math.max(0, bytes.readIntBE(2, 3)) * TICKS_PER_MS;
    mapped().unit({ pid: VIDEO.pid, ptsTicks, dtsTicks, ...unit });
  }

  function audio({ bytes, timestampMs }: FlvTag): void {
    if ((bytes[0] ?? 0) >> 4 !== CODEC.aac || bytes.length <= AUDIO_HEAD) return;
    const body = bytes.subarray(AUDIO_HEAD);
    if (bytes[1] === PACKET_TYPE.header) aac = readAacConfig(body);
    if (bytes[1] !== PACKET_TYPE.unit || aac === null || !hasKey) return;
    const frame = toAdts(body, aac);
    if (frame === null) throw new FormatError('A frame of sound is too long', 0);
    mapped().unit({ pid: AUDIO.pid, ptsTicks: ticksOf(timestampMs), bytes: frame });
  }

  /** Returns the muxer, after updating its program map (PMT) to the current streams. */
  function mapped(): Muxer {
    const hasSound = aac !== null;
    const streams = hasSound ? [VIDEO, AUDIO] : [VIDEO];
    if (muxer === null) muxer = createMuxer({ streams, write });
    else if (isSoundMapped !== hasSound) muxer.remap(streams);
    isSoundMapped = hasSound;
    return muxer;
  }

  function reportOdd(bytes: Buffer): void {
    refused += 1;
    if (!isOddReported)
      problem(`The encoder pushes ${namedCodec(bytes)}, and over RTMP only H.264 is taken: ${REMEDY}`);
    isOddReported = true;
  }

  return {
    take: addTag,
    /** Called when a new publisher begins: its picture and sound formats are not known yet. */
    begin(): void {
      avc = null;
      aac = null;
      hasKey = false;
      isOddReported = false;
    },
    /** Returns the number of picture and sound tags that could not be used. */
    refused: () => refused,
  };
}

const REMEDY = 'set it to H.264, or let it send by SRT, RTSP or UDP';

/** Returns the name of an unsupported video codec, for operators. */
function namedCodec(bytes: Buffer): string {
  const letters = (bytes[0]! & IS_ENHANCED) === 0 ? '' : bytes.toString('latin1', 1, 5);
  return LETTERS.get(letters) ?? 'another coding';
}

const ticksOf = (timestampMs: number): number => FIRST_TICKS + timestampMs * TICKS_PER_MS;
