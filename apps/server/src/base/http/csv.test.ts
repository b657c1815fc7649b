import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it('T-089 a cell of text is never a formula, however it begins', () => {
  for (const evil of ['=1+1', '+1', '-1', '@x', '\tx', '\rx', '\nx', '\uff1d1+1', '\uff0b1', '\uff0d1', '\uff20x']) {
    expect(csvLine([evil]), JSON.stringify(evil)).toMatch(/^"?'/);
  }
});

it('T-089 a cell takes nothing of the next one with it', () => {
  const long = `=${'"'.repeat(10_000)}`;

  expect(csvLine(['a,b', '"', 'c\r\n=d', '', null, -1, true])).toBe('"a,b","""","c\r\n=d",,,-1,true\r\n');
  expect(csvLine([long, 'x'])).toBe(`"'=${'""'.repeat(10_000)}",x\r\n`);
});

it('T-089 numbers stay numbers, also below 0, and those that are none leave their cell empty', () => {
  const cells = [
    -77.3,
    { value: -77.3, digits: 6 },
    { value: 1 / 3, digits: 2 },
    Number.NaN,
    { value: -1 / 0, digits: 1 },
  ];
  expect(csvLine(cells)).toBe('-77.3,-77.300000,0.33,,\r\n');
  expect(csvLine(['-77.3'])).toBe("'-77.3\r\n");
});

it('T-089 markup and marks that turn text stay as they are', () => {
  for (const text of ['<img src=x>', '\u202etxt', '\u2067a']) expect(csvLine([text])).toBe(`${text}\r\n`);
});
