import type { Contents } from '../base/items/content.ts';
import type { ContentParts } from './content-parts.ts';
import { features } from './features.ts';

/** The contents of all features, over which cases and archives loop, in the order of the features. */
export const productContents = (dependencies: ContentParts): Contents =>
  features.flatMap(({ content }) => content?.(dependencies) ?? []);
