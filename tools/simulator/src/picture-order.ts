/**
 * Determines the presentation order of pictures in an H.264 stream that has a delimiter before each picture (ITU-T
 * H.264, 8.2.1).
 */

const NAL = { slice: 1, idrSlice: 5, parameters: 7, delimiter: 9 } as const;
/** Profiles whose sequence parameter set contains chroma format and bit depths (7.3.2.1.1). */
const HIGH_PROFILES = [100, 110, 122, 244, 44, 83, 86, 118, 128];

/** Fields of the sequence parameter set that are needed to read a slice's picture order count. */
type Sequence = { frameNumberBits: number; orderType: number; orderBits: number };

/** One coded picture; `shownAt` is its index in presentation order, from 0. */
export type CodedPicture = { bytes: Uint8Array; shownAt: number; keyframe: boolean };

/**
 * Splits a byte stream into coded pictures. The stream must have closed GOPs of whole frames, as produced by our own
 * encoder.
 */
export function pictureSplitter(take: (picture: CodedPicture) => void): { push(bytes: Uint8Array): void; end(): void } {
  let rest: Uint8Array = new Uint8Array(0);
  let searched = 0;
  let sequence: Sequence | null = null;
  let coded = 0;
  let keyframeAt = 0;

  const emit = (bytes: Uint8Array) => {
    let order = 0;
    let keyframe = false;
    for (const start of nalStarts(bytes)) {
      const type = bytes[start]! & 0x1f;
      if (type === NAL.parameters) sequence = readSequence(bytes.subarray(start + 1));
      if (type !== NAL.slice && type !== NAL.idrSlice) continue;
      if (!sequence) throw new Error('The encoder sent a picture before its parameters');
      keyframe = type === NAL.idrSlice;
      if (keyframe) keyframeAt = coded;
      order = readOrder(bytes.subarray(start + 1), sequence, { keyframe, sinceKeyframe: coded - keyframeAt });
      break;
    }
    take({ bytes, shownAt: keyframeAt + order, keyframe });
    coded += 1;
  };

  return {
    push(bytes) {
      const joined = new Uint8Array(rest.length + bytes.length);
      joined.set(rest);
      joined.set(bytes, rest.length);
      let from = 0;
      let at = nextDelimiter(joined, Math.max(1, searched));
      while (at !== -1) {
        emit(joined.slice(from, at));
        from = at;
        at = nextDelimiter(joined, from + 1);
      }
      rest = joined.subarray(from);
      // A start code may extend across two chunks.
      searched = Math.max(1, rest.length - 5);
    },
    end() {
      if (rest.length > 0) emit(rest.slice());
      rest = new Uint8Array(0);
      searched = 0;
    },
  };
}

/** Returns the offset of the next delimiter with a four-byte start code, or -1. */
function nextDelimiter(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(1, from + 3); at !== -1; at = bytes.indexOf(1, at + 1)) {
    const isStart = bytes[at - 1] === 0 && bytes[at - 2] === 0 && bytes[at - 3] === 0;
    if (at + 1 >= bytes.length) return -1;
    if (isStart && (bytes[at + 1]! & 0x1f) === NAL.delimiter) return at - 3;
  }
  return -1;
}

/** Yields the offset of the first byte of each NAL unit. */
function* nalStarts(bytes: Uint8Array): Iterable<number> {
  for (let at = bytes.indexOf(1, 2); at !== -1; at = bytes.indexOf(1, at + 1)) {
    if (bytes[at - 1] === 0 && bytes[at - 2] === 0 && at + 1 < bytes.length) yield at + 1;
  }
}

function readSequence(bytes: Uint8Array): Sequence {
  const bits = bitReader(bytes);
  const profile = bits.read(8);
  bits.read(16);
  bits.unsigned();
  if (HIGH_PROFILES.includes(profile)) {
    // Our encoder uses 4:2:0 without scaling lists, so these fields have a fixed form.
    bits.unsigned();
    bits.unsigned();
    bits.unsigned();
    bits.read(2);
  }
  const frameNumberBits = bits.unsigned() + 4;
  const orderType = bits.unsigned();
  return { frameNumberBits, orderType, orderBits: orderType === 0 ? bits.unsigned() + 4 : 0 };
}

/** Returns the number of pictures between the key frame and this one, in presentation order. */
function readOrder(
  bytes: Uint8Array,
  { frameNumberBits, orderType, orderBits }: Sequence,
  { keyframe, sinceKeyframe }: { keyframe: boolean; sinceKeyframe: number },
): number {
  // With picture order count type 2, pictures are shown in coding order.
  if (orderType !== 0) return sinceKeyframe;
  const bits = bitReader(bytes);
  bits.unsigned();
  bits.unsigned();
  bits.unsigned();
  bits.read(frameNumberBits);
  if (keyframe) bits.unsigned();
  const low = bits.read(orderBits);
  // Counts increase by 2 per frame and wrap; the true value is the one nearest to the position in coding order.
  const range = 2 ** orderBits;
  const turns = Math.round((2 * sinceKeyframe - low) / range);
  return (low + turns * range) / 2;
}

/** Reads bits of a NAL unit, skipping emulation prevention bytes. */
function bitReader(bytes: Uint8Array) {
  let at = 0;
  let bit = 0;
  const next = (): number => {
    if (bit === 0 && at >= 2 && bytes[at] === 3 && bytes[at - 1] === 0 && bytes[at - 2] === 0) at += 1;
    const value = (bytes[at]! >> (7 - bit)) & 1;
    bit = (bit + 1) & 7;
    if (bit === 0) at += 1;
    return value;
  };
  const read = (count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index += 1) value = value * 2 + next();
    return value;
  };
  return {
    read,
    /** Reads an Exponential-Golomb code (9.1). */
    unsigned(): number {
      let zeros = 0;
      while (zeros < 32 && next() === 0) zeros += 1;
      return 2 ** zeros - 1 + read(zeros);
    },
  };
}
