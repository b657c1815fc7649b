import { DOCUMENT_TITLE_MAX } from '@osprey/contract';

/** A title for a file whose name may be longer, or hold what titles may not. */
export const titleOfFile = (name: string): string =>
  [
    ...name
      .replace(/\.[^.]*$/, '')
      .replace(/[^\p{L}\p{M}\p{N} _-]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, DOCUMENT_TITLE_MAX)
    .join('')
    .trim();
