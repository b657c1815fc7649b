import english from 'i18n-iso-countries/langs/en.json';

export type Country = { code: string; name: string };

const names: Record<string, string | string[]> = english.countries;

/** All countries of ISO 3166-1 with their English names, by the alphabet; for pages before the login. */
export const allCountries: readonly Country[] = Object.entries(names)
  .map(([code, name]) => ({ code, name: Array.isArray(name) ? (name[0] ?? code) : name }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'));
