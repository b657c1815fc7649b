/** Letters that do not decompose into a base letter and marks, with their replacements. */
const LETTERS: Record<string, string> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', ħ: 'h', ŋ: 'n' },
  ...{ '-': ' ', '’': "'", ʻ: "'", '‘': "'" },
};

/** Normalises a name for searches: removes diacritical marks and converts it to lower case. */
export const foldedName = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]/g, (letter) => LETTERS[letter] ?? letter);
