import { type Box, boxAt, boxesIn, boxReader, viewOf } from './boxes.ts';

const CREATION = 'com.apple.quicktime.creationdate';
const DAY = '\u00a9day';
const KEYS_MAX = 1000;
const TEXT_MAX = 64;

/**
 * Texts of a movie that state when it was begun, as recorders of QuickTime write them next to `mvhd`: the metadata key
 * `com.apple.quicktime.creationdate`, and `©day` of the user data or of the metadata of iTunes.
 */
export function* statedTimes(bytes: Uint8Array, moov: Box): Generator<string> {
  const userData = boxAt(bytes, moov, 'udta');
  for (const parent of [moov, userData]) {
    const meta = parent && boxAt(bytes, parent, 'meta');
    if (meta) yield* creationTexts(bytes, contentOf(bytes, meta));
  }
  const day = userData && boxAt(bytes, userData, DAY);
  // Length and language come first.
  if (day) yield textOf(bytes, day.body + 4, day.end);
}

/** A `meta` box of ISO/IEC 14496-12 has version and flags, one of QuickTime has none. */
function contentOf(bytes: Uint8Array, meta: Box): Pick<Box, 'body' | 'end'> {
  const isPlain = boxesIn(bytes, meta.body, meta.end).next().value?.type === 'hdlr';
  return { body: isPlain ? meta.body : Math.min(meta.end, meta.body + 4), end: meta.end };
}

function* creationTexts(bytes: Uint8Array, content: Pick<Box, 'body' | 'end'>): Generator<string> {
  const [keys, list] = [boxAt(bytes, content, 'keys'), boxAt(bytes, content, 'ilst')];
  const number = keys && numberOf(bytes, keys, CREATION);
  if (!list) return;
  for (const item of boxesIn(bytes, list.body, list.end)) {
    const isDate = item.type === DAY || (number !== null && viewOf(bytes).getUint32(item.start + 4) === number);
    const data = isDate ? boxAt(bytes, item, 'data') : null;
    // Type and locale come first.
    if (data) yield textOf(bytes, data.body + 8, data.end);
  }
}

/** Position of a key in the box `keys`, from 1; null where it is not there. */
function numberOf(bytes: Uint8Array, keys: Box, name: string): number | null {
  const reader = boxReader(bytes, keys.body, keys.end);
  reader.skip(4);
  const count = Math.min(reader.u32(), KEYS_MAX);
  for (let number = 1; number <= count && reader.left() >= 8; number += 1) {
    const sizeBytes = reader.u32();
    reader.skip(4);
    if (sizeBytes < 8 || sizeBytes - 8 > reader.left()) return null;
    const at = reader.at();
    if (textOf(bytes, at, at + sizeBytes - 8) === name) return number;
    reader.skip(sizeBytes - 8);
  }
  return null;
}

const textOf = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.subarray(start, Math.max(start, Math.min(end, start + TEXT_MAX)))).toString('latin1');
