/** Letters that are not a base letter plus marks, with their replacements. */
const LETTERS: Record<string, string> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', ħ: 'h', ŋ: 'n' },
  ...{ '-': ' ', '’': "'", ʻ: "'", '‘': "'" },
};

/** Folds a name for searches: without marks and capitals. */
export const foldedName = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]/g, (letter) => LETTERS[letter] ?? letter);
