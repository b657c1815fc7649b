import { describe, expect, it } from 'vitest';
import { type CsvOptions, createCsvTokenizer, csvCells, csvRows } from './csv.ts';

const table: CsvOptions = { separator: ',', linesInCells: true };
const cellsOf = (text: string, options = table) => csvRows(text, options).map(({ cells }) => cells);

describe('a table', () => {
  it('has rows that end with LF, CRLF or CR, the last with none', () => {
    expect(csvRows('a,b\r\nc,d\re\n\nf', table)).toEqual([
      { cells: ['a', 'b'], line: 1, isOpen: false },
      { cells: ['c', 'd'], line: 2, isOpen: false },
      { cells: ['e'], line: 3, isOpen: false },
      { cells: [''], line: 4, isOpen: false },
      { cells: ['f'], line: 5, isOpen: false },
    ]);
    expect(csvRows('', table)).toEqual([]);
  });

  it('has quoted cells with separators, doubled marks and ends of lines', () => {
    expect(csvRows('"a ""b"", c","d\r\ne"\nf', table)).toEqual([
      { cells: ['a "b", c', 'd\r\ne'], line: 1, isOpen: false },
      { cells: ['f'], line: 3, isOpen: false },
    ]);
    expect(cellsOf('"",""\n')).toEqual([['', '']]);
    expect(cellsOf('5" gun, "a"')).toEqual([['5" gun', ' a']]);
  });

  it('loses one row, or all that follows, by a mark that is never closed, and says so', () => {
    expect(csvRows('"a\nb,c\n', { ...table, linesInCells: false })).toEqual([
      { cells: ['a'], line: 1, isOpen: true },
      { cells: ['b', 'c'], line: 2, isOpen: false },
    ]);
    expect(csvRows('"a\nb,c\n', table)).toEqual([{ cells: ['a\nb,c\n'], line: 1, isOpen: true }]);
  });

  it('is the same however it is cut into pieces', () => {
    const text = 'a,"b ""c"" \r\nd"\r\n\re;f,\n"x"\r\n"y""';
    const complete = csvRows(text, table);
    for (let first = 0; first <= text.length; first += 1) {
      for (let second = first; second <= text.length; second += 1) {
        const tokenizer = createCsvTokenizer(table);
        const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)];
        expect([...pieces.flatMap((piece) => tokenizer.push(piece)), ...tokenizer.end()]).toEqual(complete);
      }
    }
  });

  it('has rows up to the limit of its caller', () => {
    const limited = { ...table, rowMax: 10 };
    expect(cellsOf('123456789\n123456789\n', limited)).toHaveLength(2);
    expect(() => csvRows('12345678901', limited)).toThrow(RangeError);
    expect(() => csvRows(`"${'\n'.repeat(20)}`, limited)).toThrow(RangeError);
  });

  it.each([
    ['quotation marks', '"'],
    ['quotation marks and blanks', '" '],
    ['separators', ','],
    ['ends of lines', '\r'],
  ])('of a million %s is read in linear time', (_what, unit) => {
    expect(csvRows(unit.repeat(1_000_000), table).length).toBeGreaterThan(0);
  });
});

it('one line has cells', () => {
  expect(csvCells('a;"b;c";', ';')).toEqual(['a', 'b;c', '']);
  expect(csvCells('', ';')).toEqual([]);
});
