import type { Contents } from '../base/items/content.ts';
import type { ContentParts } from './content-parts.ts';
import { features } from './features.ts';

/** Returns the contents of all features in the order of the features. Cases and archives loop over this list. */
export const productContents = (dependencies: ContentParts): Contents =>
  features.flatMap(({ content }) => content?.(dependencies) ?? []);
