import { expect, it } from 'vitest';
import { codeOfCountry } from './countries.ts';

it.each([
  ['Ivory Coast', 'CI'],
  ["Côte d'Ivoire", 'CI'],
  ['Czechia', 'CZ'],
  ['czech republic', 'CZ'],
  ['Turkey', 'TR'],
  ['U.S.A.', 'US'],
  ['gr', 'GR'],
  ['Greece ', 'GR'],
])('finds the country of %s by any of its names', (text, code) => {
  expect(codeOfCountry(text)).toBe(code);
});

it('finds none for another word', () => {
  expect([codeOfCountry('Atlantis'), codeOfCountry('')]).toEqual(['', '']);
});
