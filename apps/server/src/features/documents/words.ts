/** Words of a text as the search compares them: letters and digits, lower case. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** A word of PostgreSQL's text search is shorter than 2 KiB; longer ones are no words anyway. */
const WORD_MAX = 200;

/** A text as the index stores it: its words, separated by blanks. */
export const searchedText = (text: string): string =>
  wordsOf(text)
    .filter((word) => word.length <= WORD_MAX)
    .join(' ');
