import { imapbTerms } from './imapb.ts';
import { HIGHEST_TAG, st0601Tags } from './st0601-tags.ts';
import type { TagInfo } from './tag-info.ts';

/** Codes of tag formats, for the fast reader. */
export const UINT = 1;
export const INT = 2;
export const IMAPB = 3;
export const TIME = 4;
export const TEXT = 5;
export const NESTED = 6;

const KINDS: Readonly<Record<TagInfo['format'], number>> = {
  uint: UINT,
  enum: UINT,
  flags: UINT,
  int: INT,
  imapb: IMAPB,
  time: TIME,
  utf8: TEXT,
  set: NESTED,
  pack: NESTED,
  bytes: NESTED,
};

/** Number of possible lengths of an IMAPB value, 0 to 8 bytes; longer ones are invalid for every tag. */
export const IMAPB_LENGTHS = 9;

const TAGS = HIGHEST_TAG + 1;

/** The tag table as columns indexed by tag: looking up a typed array costs less than looking up a Map. */
export const KIND = new Uint8Array(TAGS);
export const MIN_BYTES = new Int32Array(TAGS);
export const MAX_BYTES = new Int32Array(TAGS);
/** Conversion of integers: value = raw * SCALE + OFFSET, or null if raw is MARKER. */
export const SCALE = new Float64Array(TAGS);
export const OFFSET = new Float64Array(TAGS);
export const MARKER = new Float64Array(TAGS).fill(Number.NaN);
/** Conversion of IMAPB, indexed by tag * IMAPB_LENGTHS + length: value = (raw - IMAPB_OFFSET) * IMAPB_STEP + OFFSET. */
export const IMAPB_STEP = new Float64Array(TAGS * IMAPB_LENGTHS);
export const IMAPB_OFFSET = new Float64Array(TAGS * IMAPB_LENGTHS);

for (const info of st0601Tags.values()) addToPlan(info);

function addToPlan({ tag, format, minBytes, maxBytes, min, max, resolution, errorValue }: TagInfo): void {
  KIND[tag] = KINDS[format];
  MIN_BYTES[tag] = minBytes;
  MAX_BYTES[tag] = maxBytes;
  SCALE[tag] = resolution ?? 1;
  // Signed integers need no offset: they are symmetric about zero, and those without a marker are themselves the value.
  OFFSET[tag] = format === 'int' ? 0 : (min ?? 0);
  if (errorValue !== null) MARKER[tag] = -errorValue;
  if (format !== 'imapb') return;
  for (let length = 1; length < IMAPB_LENGTHS; length++) {
    const { step, offset } = imapbTerms(min ?? 0, max ?? 0, length);
    IMAPB_STEP[tag * IMAPB_LENGTHS + length] = step;
    IMAPB_OFFSET[tag * IMAPB_LENGTHS + length] = offset;
  }
}
