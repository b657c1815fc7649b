export { CLASSIFICATIONS, st0102Tags } from './st0102-tags.ts';
export { HIGHEST_TAG, REPEATABLE_TAGS, st0601Tags } from './st0601-tags.ts';
export { rvtAreaTags, rvtPointTags, st0806Tags } from './st0806-tags.ts';
export { st0903Tags, vTargetTags, vTrackerTags } from './st0903-tags.ts';
export type { TagFormat, TagGroup, TagInfo } from './tag-info.ts';
