import { describe, expect, it } from 'vitest';
import { readList } from './list.ts';

describe('a list as a table', () => {
  it('keeps the label of a row whose description has several lines', () => {
    const body = 'name,files,description,securityClassification\r\nA,a.ts,"one\r\n""two""",SECRET\r\n\r\nB,b.ts,,\r\n';

    const rows = readList('csv', body);

    expect(rows).toMatchObject([
      { name: 'A', files: ['a.ts'], description: 'one\r\n"two"', securityClassification: 'SECRET' },
      { name: 'B', files: ['b.ts'] },
    ]);
  });

  it('is refused where a quotation mark has no other', () => {
    const body = 'name,files,description,securityClassification\nA,a.ts,"one,SECRET\nB,b.ts,,SECRET\n';

    expect(() => readList('csv', body)).toThrow('quotation mark');
  });

  it('may be parted by semicolons, as spreadsheets write where the comma is the decimal mark', () => {
    expect(readList('csv', '\ufeffname;files\r\nA;"a.ts;b.ts"\r\n')).toMatchObject([
      { name: 'A', files: ['a.ts', 'b.ts'] },
    ]);
  });
});
