import type { SetDefinition } from './local-set.ts';
import { setOf } from './series.ts';
import { RVT_REPEATABLE_TAGS, rvtAreaTags, rvtPointTags, rvtUserTags, st0806Tags } from './st0806-tags.ts';

const userDefined: SetDefinition = { tags: rvtUserTags, composites: {} };
const pointOfInterest: SetDefinition = { tags: rvtPointTags, composites: {} };
const areaOfInterest: SetDefinition = { tags: rvtAreaTags, composites: {} };

/** ST 0806 remote video terminal local set. The values of tags 11 to 13 are lists of sets. */
export const st0806: SetDefinition = {
  tags: st0806Tags,
  repeatable: RVT_REPEATABLE_TAGS,
  composites: {
    11: setOf(() => userDefined),
    12: setOf(() => pointOfInterest),
    13: setOf(() => areaOfInterest),
  },
};
