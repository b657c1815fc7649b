import english from 'i18n-iso-countries/langs/en.json';

export type Country = { code: string; name: string };

const names: Record<string, string | string[]> = english.countries;

/** All countries of ISO 3166-1 with their English names, by the alphabet; for pages before the login. */
export const allCountries: readonly Country[] = Object.entries(names)
  .map(([code, name]) => ({ code, name: Array.isArray(name) ? (name[0] ?? code) : name }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Case, accents, dots and dashes make no other country. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\s]/gu, '')
    .trim()
    .toLowerCase();

let codes: Map<string, string> | null = null;

/** The code of a country by any of its English names, or by its code; an empty text for another word. */
export function codeOfCountry(text: string): string {
  codes ??= new Map(
    Object.entries(names).flatMap(([code, name]) => [code, ...[name].flat()].map((one) => [plain(one), code] as const)),
  );
  return codes.get(plain(text)) ?? '';
}
