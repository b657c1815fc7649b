import { imapbTerms } from './imapb.ts';
import { HIGHEST_TAG, st0601Tags } from './st0601-tags.ts';
import type { TagInfo } from './tag-info.ts';

/** Formats of tags for the fast reader. */
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

/** Lengths 0 to 8 of an IMAPB value; longer ones are wrong for every tag. */
export const IMAPB_LENGTHS = 9;

const TAGS = HIGHEST_TAG + 1;

/** The tag table as columns by tag: a look-up in a typed array costs less than one in a Map. */
export const KIND = new Uint8Array(TAGS);
export const MIN_BYTES = new Int32Array(TAGS);
export const MAX_BYTES = new Int32Array(TAGS);
/** value = raw * SCALE + OFFSET, but null where raw is MARKER. */
export const SCALE = new Float64Array(TAGS);
export const OFFSET = new Float64Array(TAGS);
export const MARKER = new Float64Array(TAGS).fill(Number.NaN);
/** By tag * IMAPB_LENGTHS + length: value = (raw - IMAPB_OFFSET) * IMAPB_STEP + OFFSET. */
export const IMAPB_STEP = new Float64Array(TAGS * IMAPB_LENGTHS);
export const IMAPB_OFFSET = new Float64Array(TAGS * IMAPB_LENGTHS);

for (const info of st0601Tags.values()) addToPlan(info);

function addToPlan({ tag, format, minBytes, maxBytes, min, max, resolution, errorValue }: TagInfo): void {
  KIND[tag] = KINDS[format];
  MIN_BYTES[tag] = minBytes;
  MAX_BYTES[tag] = maxBytes;
  SCALE[tag] = resolution ?? 1;
  // Signed integers are spread symmetrically about zero; those without a marker are their own value.
  OFFSET[tag] = format === 'int' ? 0 : (min ?? 0);
  if (errorValue !== null) MARKER[tag] = -errorValue;
  if (format !== 'imapb') return;
  for (let length = 1; length < IMAPB_LENGTHS; length++) {
    const { step, offset } = imapbTerms(min ?? 0, max ?? 0, length);
    IMAPB_STEP[tag * IMAPB_LENGTHS + length] = step;
    IMAPB_OFFSET[tag * IMAPB_LENGTHS + length] = offset;
  }
}
