import { createGrowingBuffer } from './growing-buffer.ts';
import type { StreamKind } from './types.ts';

/** Audio codings whose frames this module can find. */
export type SoundKind = Extract<StreamKind, 'aac' | 'mpegAudio' | 'ac3' | 'eac3'>;

/** Header of an audio frame; frames of the same format form one track. */
export type SoundFormat = {
  kind: SoundKind;
  /** Sampling rate in samples per second. */
  rate: number;
  channels: number;
  /** Number of samples of each channel in a frame. */
  samples: number;
  /** objectTypeIndication (ISO/IEC 14496-1, table 5) for MPEG codings; 0 for others. */
  objectType: number;
  /**
   * Decoder configuration: AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1), or the content of the box `dac3` or `dec3`.
   */
  configuration: Uint8Array;
};

/** One frame in [start, end) of `bytes`; valid only during the call. */
export type SoundFrame = {
  /**
   * 33-bit PTS of the PES packet in 90 kHz ticks, for the first frame that begins in that packet; null for the others.
   */
  pts: number | null;
  format: SoundFormat;
  bytes: Uint8Array;
  start: number;
  end: number;
};

export type SoundFramer = {
  /** Reads the payload of a PES packet, with its PTS; -1 if absent. */
  push(bytes: Uint8Array, start: number, end: number, pts: number): void;
};

/** Header of a frame: `sizeBytes` is the size of the frame, including `headBytes` that are not stored in MP4. */
type Head = { sizeBytes: number; headBytes: number; format: SoundFormat };
type ReadHead = (bytes: Uint8Array, at: number, end: number) => Head | 'short' | null;

/** Maximum number of bytes that wait for the end of a frame: more than any frame has. */
const WAITING_LIMIT = 1024 * 1024;

/**
 * Finds the frames of one stream, including those that continue in the next PES packet; bytes between frames are
 * ignored.
 */
export function createSoundFramer(kind: SoundKind, give: (frame: SoundFrame) => void): SoundFramer {
  const readHead = HEADS[kind];
  const waiting = createGrowingBuffer(WAITING_LIMIT, { left: WAITING_LIMIT });

  function push(bytes: Uint8Array, start: number, end: number, pts: number) {
    const before = waiting.length();
    if (!waiting.append(bytes, start, end)) {
      waiting.clear();
      return;
    }
    const [own, length] = [waiting.bytes(), waiting.length()];
    let at = 0;
    let isFirst = pts >= 0;
    while (at < length) {
      const head = readHead(own, at, length);
      if (head === 'short') break;
      if (head === null) {
        at += 1;
        continue;
      }
      const next = at + head.sizeBytes;
      if (next > length) break;
      // Any two bytes may look like a header by chance, so another header must follow the frame.
      if (next + 2 <= length && readHead(own, next, length) === null) {
        at += 1;
        continue;
      }
      const isNamed = isFirst && at >= before;
      if (isNamed) isFirst = false;
      give({
        pts: isNamed ? pts : null,
        format: head.format,
        bytes: own,
        start: at + head.headBytes,
        end: next,
      });
      at = next;
    }
    const rest = own.slice(at, length);
    waiting.clear();
    waiting.append(rest, 0, rest.length);
  }

  return { push };
}

const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
const AAC_CHANNELS = [0, 1, 2, 3, 4, 5, 6, 8];

/**
 * Reads an adts_frame() (ISO/IEC 13818-7, 6.2) with one block of data; without its header this is a frame as stored in
 * MP4.
 */
function aacHead(bytes: Uint8Array, at: number, end: number): Head | 'short' | null {
  if (at + 7 > end) return mayBegin(bytes, at, end, [0xff, 0xf0], [0xff, 0xf6]);
  if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xf6) !== 0xf0) return null;
  const headBytes = bytes[at + 1]! & 1 ? 7 : 9;
  const profile = bytes[at + 2]! >> 6;
  const rateIndex = (bytes[at + 2]! >> 2) & 0x0f;
  const layout = ((bytes[at + 2]! & 1) << 2) | (bytes[at + 3]! >> 6);
  const sizeBytes = ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5);
  const isSingle = (bytes[at + 6]! & 3) === 0;
  const rate = AAC_RATES[rateIndex];
  // A channel layout of 0 means that the frames themselves contain the layout.
  if (rate === undefined || layout === 0 || sizeBytes <= headBytes || !isSingle) return null;
  const objectType = profile + 1;
  const configuration = Uint8Array.of((objectType << 3) | (rateIndex >> 1), ((rateIndex & 1) << 7) | (layout << 3));
  const channels = AAC_CHANNELS[layout]!;
  return {
    sizeBytes,
    headBytes,
    format: { kind: 'aac', rate, channels, samples: 1024, objectType: 0x40, configuration },
  };
}

/**
 * Bit rates in kbit/s by version (MPEG-1; MPEG-2 and 2.5) and layer, starting with bitrate_index 1 (ISO/IEC 11172-3 and
 * 13818-3, 2.4.2.3).
 */
const BIT_RATES: Record<string, readonly number[]> = {
  '1.1': [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1.2': [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1.3': [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2.1': [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2.2': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2.3': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const MPEG_RATES = [44_100, 48_000, 32_000];

function mpegAudioHead(bytes: Uint8Array, at: number, end: number): Head | 'short' | null {
  if (at + 4 > end) return mayBegin(bytes, at, end, [0xff, 0xe0], [0xff, 0xe0]);
  if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xe0) !== 0xe0) return null;
  const version = (bytes[at + 1]! >> 3) & 3;
  const layer = 4 - ((bytes[at + 1]! >> 1) & 3);
  const bitRate = BIT_RATES[`${version === 3 ? 1 : 2}.${layer}`]?.[(bytes[at + 2]! >> 4) - 1];
  const fullRate = MPEG_RATES[(bytes[at + 2]! >> 2) & 3];
  if (version === 1 || bitRate === undefined || fullRate === undefined) return null;
  const rate = fullRate / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const padding = (bytes[at + 2]! >> 1) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152;
  const slots = (samples / 8) * ((bitRate * 1000) / rate);
  const sizeBytes = layer === 1 ? (Math.floor((12_000 * bitRate) / rate) + padding) * 4 : Math.floor(slots) + padding;
  const channels = bytes[at + 3]! >> 6 === 3 ? 1 : 2;
  const objectType = version === 3 ? 0x6b : 0x69;
  return {
    sizeBytes,
    headBytes: 0,
    format: { kind: 'mpegAudio', rate, channels, samples, objectType, configuration: new Uint8Array(0) },
  };
}

const AC3_RATES = [48_000, 44_100, 32_000];
/** Bit rates in kbit/s by frmsizecod / 2, and numbers of channels by acmod (ETSI TS 102 366, tables 4.13 and 4.3). */
const AC3_BIT_RATES = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
const AC3_CHANNELS = [2, 1, 2, 3, 3, 4, 4, 5];

/**
 * Reads syncinfo() and the beginning of bsi() (ETSI TS 102 366, 4.3), and builds the box content `dac3` (annex F.4).
 */
function ac3Head(bytes: Uint8Array, at: number, end: number): Head | 'short' | null {
  if (at + 8 > end) return mayBegin(bytes, at, end, [0x0b, 0x77], [0xff, 0xff]);
  if (bytes[at] !== 0x0b || bytes[at + 1] !== 0x77) return null;
  const rateCode = bytes[at + 4]! >> 6;
  const sizeCode = bytes[at + 4]! & 0x3f;
  const [identification, mode] = [bytes[at + 5]! >> 3, bytes[at + 5]! & 7];
  const rate = AC3_RATES[rateCode];
  const bitRate = AC3_BIT_RATES[sizeCode >> 1];
  if (rate === undefined || bitRate === undefined || identification > 8) return null;
  const words = rateCode === 1 ? Math.floor((bitRate * 96_000) / rate) + (sizeCode & 1) : (bitRate * 96_000) / rate;
  const acmod = bytes[at + 6]! >> 5;
  const lfe = lfeOf(bytes, at, acmod);
  const packed =
    (rateCode << 22) | (identification << 17) | (mode << 14) | (acmod << 11) | (lfe << 10) | ((sizeCode >> 1) << 5);
  const configuration = Uint8Array.of(packed >> 16, (packed >> 8) & 0xff, packed & 0xff);
  const channels = AC3_CHANNELS[acmod]! + lfe;
  return {
    sizeBytes: words * 2,
    headBytes: 0,
    format: { kind: 'ac3', rate, channels, samples: 1536, objectType: 0, configuration },
  };
}

/**
 * Reads the bit `lfeon` of an AC-3 header. It follows the mix levels, whose presence depends on the channel mode
 * `acmod`.
 */
function lfeOf(bytes: Uint8Array, at: number, acmod: number): number {
  const skipped = (acmod & 1 && acmod !== 1 ? 2 : 0) + (acmod & 4 ? 2 : 0) + (acmod === 2 ? 2 : 0);
  const bits = (bytes[at + 6]! << 8) | bytes[at + 7]!;
  return (bits >> (12 - skipped)) & 1;
}

const EAC3_BLOCKS = [1, 2, 3, 6];

/**
 * Reads bsi() (ETSI TS 102 366, annex E.1.2) of one independent stream, and builds the box content `dec3` (annex F.6).
 */
function eac3Head(bytes: Uint8Array, at: number, end: number): Head | 'short' | null {
  if (at + 8 > end) return mayBegin(bytes, at, end, [0x0b, 0x77], [0xff, 0xff]);
  if (bytes[at] !== 0x0b || bytes[at + 1] !== 0x77) return null;
  const streamType = bytes[at + 2]! >> 6;
  const sizeBytes = ((((bytes[at + 2]! & 7) << 8) | bytes[at + 3]!) + 1) * 2;
  const rateCode = bytes[at + 4]! >> 6;
  const rate = AC3_RATES[rateCode];
  const identification = bytes[at + 5]! >> 3;
  // Half sampling rates, dependent streams and several programs cannot be stored in a single plain track.
  if (rate === undefined || streamType === 1 || identification < 11 || identification > 16) return null;
  const acmod = (bytes[at + 4]! >> 1) & 7;
  const lfe = bytes[at + 4]! & 1;
  const samples = EAC3_BLOCKS[(bytes[at + 4]! >> 4) & 3]! * 256;
  const kilobits = Math.min(8191, Math.round((sizeBytes * 8 * rate) / samples / 1000));
  const configuration = Uint8Array.of(
    kilobits >> 5,
    (kilobits & 0x1f) << 3,
    (rateCode << 6) | (identification << 1),
    (acmod << 1) | lfe,
    0,
  );
  const channels = AC3_CHANNELS[acmod]! + lfe;
  return {
    sizeBytes,
    headBytes: 0,
    format: { kind: 'eac3', rate, channels, samples, objectType: 0, configuration },
  };
}

const HEADS: Record<SoundKind, ReadHead> = {
  aac: aacHead,
  mpegAudio: mpegAudioHead,
  ac3: ac3Head,
  eac3: eac3Head,
};

export const isSoundKind = (kind: StreamKind): kind is SoundKind => Object.hasOwn(HEADS, kind);

/** Returns 'short' if the few available bytes could be the beginning of a header. */
function mayBegin(
  bytes: Uint8Array,
  at: number,
  end: number,
  sync: readonly [number, number],
  mask: readonly [number, number],
): 'short' | null {
  if ((bytes[at]! & mask[0]) !== sync[0]) return null;
  return at + 1 < end && (bytes[at + 1]! & mask[1]) !== sync[1] ? null : 'short';
}
