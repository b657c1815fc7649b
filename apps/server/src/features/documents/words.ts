/** Splits a text into words as the search compares them: letters and digits, in lower case. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/**
 * Maximum length of an indexed word. PostgreSQL's text search limits words to 2 KiB; longer strings are hardly words
 * anyway.
 */
const WORD_MAX = 200;

/** Returns a text as the index stores it: its words, separated by spaces. */
export const searchedText = (text: string): string =>
  wordsOf(text)
    .filter((word) => word.length <= WORD_MAX)
    .join(' ');
