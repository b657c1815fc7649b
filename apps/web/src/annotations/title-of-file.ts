import { DOCUMENT_TITLE_MAX } from '@osprey/contract';

/**
 * Returns a title derived from the name of a file, which may be too long or contain characters that titles must not
 * contain.
 */
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
