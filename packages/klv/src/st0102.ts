import { readUtf16 } from './cursor.ts';
import type { SetDefinition } from './local-set.ts';
import { st0102Tags } from './st0102-tags.ts';

/** ST 0102 security local set. The value of tag 1 is 1 (UNCLASSIFIED) to 5 (TOP SECRET). */
export const st0102: SetDefinition = {
  tags: st0102Tags,
  composites: {
    // ST 0102.12 tag 13 is the only item in UTF-16.
    13: (cursor) => readUtf16(cursor.bytes, cursor.at, cursor.end),
  },
};
