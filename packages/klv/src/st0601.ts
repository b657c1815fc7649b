import type { SetDefinition } from './local-set.ts';
import { setOf } from './series.ts';
import { st0102 } from './st0102.ts';
import { st0601Packs } from './st0601-packs.ts';
import { REPEATABLE_TAGS, st0601Tags } from './st0601-tags.ts';
import { st0806 } from './st0806.ts';
import { decodeVmti } from './st0903.ts';

/** A set whose items have no known format: each value is bytes under its tag. */
const unnamed: SetDefinition = { tags: new Map(), composites: {} };

/** ST 0601.17 UAS datalink local set. */
export const st0601: SetDefinition = {
  tags: st0601Tags,
  repeatable: REPEATABLE_TAGS,
  composites: {
    ...st0601Packs,
    48: setOf(() => st0102),
    73: setOf(() => st0806),
    74: ({ bytes, at, end }, reading) => decodeVmti(bytes, { start: at, end }, reading),
    95: setOf(() => unnamed),
    97: setOf(() => unnamed),
    98: setOf(() => unnamed),
    99: setOf(() => unnamed),
    // ST 1607: a segment or an amendment is a set of ST 0601 items.
    100: setOf(() => st0601),
    101: setOf(() => st0601),
  },
};
