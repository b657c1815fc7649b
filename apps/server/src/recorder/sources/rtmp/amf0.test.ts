import { FormatError } from '@osprey/bytes';
import { describe, expect, it } from 'vitest';
import { readAmf, writeAmf } from './amf0.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('AMF 0', () => {
  it('reads what was written', () => {
    const bytes = writeAmf(['connect', 1, { app: 'live', capabilities: 31 }, null]);

    expect(readAmf(bytes)).toEqual([
      'connect',
      1,
      new Map<string, string | number>([
        ['app', 'live'],
        ['capabilities', 31],
      ]),
      null,
    ]);
  });

  it('reads the other types that encoders send', () => {
    const list = '0a 00000002 05 0101';
    const ecma = '08 00000001 0001 61 0100 0000 09';
    const date = '0b 0000000000000000 0000';
    const long = '0c 00000002 6869';

    expect(readAmf(hex(`${list} ${ecma} ${date} ${long} 06`))).toEqual([
      [null, true],
      new Map([['a', false]]),
      0,
      'hi',
      null,
    ]);
  });

  it('takes no name of a sender for one of ours', () => {
    const [object] = readAmf(hex('03 0009 5f5f70726f746f5f5f 05 0000 09'));

    expect(object).toEqual(new Map([['__proto__', null]]));
  });

  it.each([
    ['a text that is cut', '02 0005 6869'],
    ['a number that is cut', '00 0000'],
    ['an object without end', '03 0001 61 05'],
    ['a list of four thousand million that is not there', '0a ffffffff 05'],
    ['a reference', '07 0000'],
    ['AMF 3', '11 01'],
    ['objects within objects without end', '03 0001 61'.repeat(5000)],
    ['lists within lists without end', '0a 00000001'.repeat(5000)],
  ])('refuses %s', (_what, text) => {
    expect(() => readAmf(hex(text))).toThrow(FormatError);
  });
});
