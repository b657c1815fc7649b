const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const DQT = 0xdb;
const DHT = 0xc4;
/** The only precision of samples that is not an extension. */
const BITS = 8;
/** Baseline and progressive frames (ITU-T T.81, table B.1), without DHT, JPG and DAC. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![DHT, 0xc8, 0xcc].includes(marker);
/** Markers without a length: TEM and the restarts. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

export type JpegHead = {
  width: number;
  height: number;
  /** Everything that a decoder is set up by: size, sampling, colours. Pictures with the same one can be joined. */
  form: string;
};

/**
 * Reads the head of a picture; null unless the bytes are exactly one whole JPEG, because a decoder that is given several
 * in a row would count them differently.
 */
export function jpegHead(bytes: Uint8Array): JpegHead | null {
  const end = bytes.length - 2;
  if (end < 2 || bytes[0] !== 0xff || bytes[1] !== SOI || bytes[end] !== 0xff || bytes[end + 1] !== EOI) return null;
  let size: { width: number; height: number } | null = null;
  let hasScan = false;
  const form: string[] = [];
  let at = 2;
  while (at + 4 <= end) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (isBare(marker)) {
      at += 2;
      continue;
    }
    const length = word(bytes, at + 2);
    const next = at + 2 + length;
    if (marker === SOI || marker === EOI || length < 2 || next > end) return null;
    if (isFrame(marker)) {
      if (size !== null || length < 8 || bytes[at + 4] !== BITS) return null;
      size = { height: word(bytes, at + 5), width: word(bytes, at + 7) };
    }
    if (holdsMarker(bytes, at + 4, next, SOI)) return null;
    if (marker !== DQT && marker !== DHT) form.push(Buffer.from(bytes.subarray(at, next)).toString('hex'));
    hasScan ||= marker === SOS;
    at = marker === SOS ? endOfScan(bytes, next, end) : next;
  }
  if (at !== end || !hasScan || size === null || size.width === 0 || size.height === 0) return null;
  return { ...size, form: form.join() };
}

const word = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;

function holdsMarker(bytes: Uint8Array, from: number, to: number, marker: number): boolean {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < to - 1; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === marker) return true;
  }
  return false;
}

/** Returns where the coded data of a scan end: at the next marker that is neither a restart nor a stuffed byte. */
function endOfScan(bytes: Uint8Array, from: number, end: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < end; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]!;
    if (next !== 0 && next !== 0xff && !isBare(next)) return at;
  }
  return end;
}
