import { describe, expect, it } from 'vitest';
import { codePage, decodeShown } from './code-pages.ts';
import { colourOf } from './colours.ts';
import { numberOf, placeOf } from './numbers.ts';
import { createTextDecoder, decodeComplete, linesOf } from './text.ts';

function decodedInPieces(bytes: Uint8Array, size: number): string {
  const decoder = createTextDecoder();
  let text = '';
  for (let at = 0; at < bytes.length; at += size) text += decoder.push(bytes.subarray(at, at + size));
  return text + decoder.end();
}

describe('a number', () => {
  it.each(['', ' ', 'nan', 'NaN', '-', '.', '1e999', 'Infinity', '0x10', '1,5', '1 2', '5m', '--1'])(
    'is not %j',
    (text) => {
      expect(numberOf(text)).toBeNull();
    },
  );

  it('is a decimal as people write it', () => {
    expect(['1', ' -1.5 ', '+.5', '5.', '1e-3', '007'].map(numberOf)).toEqual([1, -1.5, 0.5, 5, 0.001, 7]);
    expect([numberOf(undefined), numberOf(null)]).toEqual([null, null]);
  });

  it('makes no place of an empty text', () => {
    expect([placeOf('', ''), placeOf('8.5', ''), placeOf(undefined, '50')]).toEqual([null, null, null]);
    expect([placeOf('8.5', '50.25', '0'), placeOf('8.5', '50.25', '')]).toEqual([
      [8.5, 50.25, 0],
      [8.5, 50.25],
    ]);
  });
});

describe('a text', () => {
  const words = `<?xml version="1.0"?>${'a'.repeat(300)}Köln Ωμέγα 東京`;
  const declared = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${'a'.repeat(300)}Köln`, 'latin1');

  it.each([
    ['UTF-8', Buffer.from(words), words],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${words}`), words],
    ['UTF-16', Buffer.from(`\ufeff${words}`, 'utf16le'), words],
    ['UTF-16, the other way round', Buffer.from(`\ufeff${words}`, 'utf16le').swap16(), words],
    ['Latin-1 by its declaration', declared, declared.toString('latin1')],
    ['Latin-1 that says nothing', Buffer.from(`${'a'.repeat(300)}Köln°`, 'latin1'), `${'a'.repeat(300)}Köln°`],
  ])('in %s is read whatever its pieces are', (_what, bytes, expected) => {
    for (const size of [1, 2, 3, 255, 256, 257, 10_000]) expect(decodedInPieces(bytes, size)).toBe(expected);
  });

  it('is none if it goes over to another encoding, or has the bytes of none', () => {
    const mixed = Buffer.concat([Buffer.from(`${'a'.repeat(300)}Köln`), Buffer.from('Köln', 'latin1')]);
    expect(() => decodedInPieces(mixed, 10)).toThrow(TypeError);
    expect(() => decodedInPieces(Buffer.from([0x61, 0xff, 0x00, 0x01]), 10)).toThrow(TypeError);
    expect(() => decodeComplete(Buffer.from('Köln', 'latin1'))).toThrow('not written in UTF-8');
  });

  it('has lines that end with LF, CRLF or CR, also between pieces', async () => {
    async function* pieces() {
      yield* ['a\r', '\nb\r', 'c\n', '', '\n', 'd'];
    }
    const lines: string[] = [];
    for await (const line of linesOf(pieces())) lines.push(line);

    expect(lines).toEqual(['a', 'b', 'c', '', 'd']);
  });
});

describe('a code page', () => {
  it.each([
    ['CP437', 'Köln'],
    ['437', 'Köln'],
    ['IBM850', 'Århus'],
    ['852', 'Łódź'],
    ['866', 'Москва'],
    ['1251', 'Москва'],
    ['ANSI 1253', 'Αθήνα'],
    ['932', '東京湾'],
    ['SHIFT_JIS', '東京湾'],
    ['88591', 'Malmö'],
    ['ISO-8859-2', 'Łódź'],
    ['28605', 'Œuvre'],
    ['UTF-8', 'Ωμέγα'],
    ['65001', 'Ωμέγα'],
  ])('%s is known', (name, word) => {
    const bytes: Record<string, string> = {
      ...{ CP437: '4b946c6e', '437': '4b946c6e', IBM850: '8f72687573', '852': '9da264ab', '866': '8caee1aaa2a0' },
      ...{ '1251': 'cceef1eae2e0', 'ANSI 1253': 'c1e8deede1', '932': '938c8b9e9870', SHIFT_JIS: '938c8b9e9870' },
      ...{ '88591': '4d616c6df6', 'ISO-8859-2': 'a3f364bc', '28605': 'bc7576 7265'.replace(' ', '') },
      ...{ 'UTF-8': 'cea9cebccead ceb3ceb1'.replace(' ', ''), '65001': 'cea9cebcceadceb3ceb1' },
    };
    const text = codePage(name)!(Buffer.from(bytes[name]!, 'hex'));
    // Japanese text of the sample has the form of the character that this code page has.
    expect(text).toBe(
      word === '東京湾' ? new TextDecoder('shift_jis').decode(Buffer.from('938c8b9e9870', 'hex')) : word,
    );
  });

  it('is not known by another name', () => {
    expect([codePage('klingon'), codePage('99999'), codePage('')]).toEqual([null, null, null]);
  });

  it('is told by the bytes of a field, of which the end may be cut', () => {
    expect(decodeShown(Buffer.from('Öland'))).toBe('Öland');
    expect(decodeShown(Buffer.from('Öland', 'latin1'))).toBe('Öland');
    expect(decodeShown(Buffer.from('Ωμέγα').subarray(0, 9))).toBe('Ωμέγ');
    expect(decodeShown(Buffer.from([]))).toBe('');
  });
});

it('a colour has digits, a name of CSS, or is rgb()', () => {
  expect(
    ['red', 'RebeccaPurple', '#0a0', '00aa00', '#00AA0080', 'rgb(255,0,0)', 'rgba(255, 0, 0, 0.5)'].map(colourOf),
  ).toEqual(['#FF0000', '#663399', '#00AA00', '#00AA00', '#00AA00', '#FF0000', '#FF0000']);
  expect(['', 'url(x)', 'rgb(256,0,0)', '#12', 'toString', '__proto__'].map(colourOf)).toEqual(Array(6).fill(null));
});
