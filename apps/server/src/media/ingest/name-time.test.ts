import { isUtcByName, timeInName } from '@osprey/contract';
import { expect, it } from 'vitest';
import { chaptersTogether, continuesName } from './continued.ts';

const UPLOADED = Date.UTC(2024, 0, 1) * 1000;
const AT = Date.UTC(2023, 10, 14, 22, 13, 20) * 1000;

it.each([
  ['20231114_221320.ts', AT],
  ['DJI_20231114221320_0001_V.MP4', AT],
  ['EO 2023-11-14 22.13.20.ts', AT],
  ['flight-2023-11-14T22-13-20Z.ts', AT],
  ['PXL_20231114_221320123.mp4', AT + 123_000],
  ['2023_11_14_22_13_20_500.ts', AT + 500_000],
  ['19900101_000000.ts', Date.UTC(1990, 0, 1) * 1000],
  ['20240102_000000.ts', Date.UTC(2024, 0, 2) * 1000],
])('the name %s says when it began', (name, us) => {
  expect(timeInName(name, UPLOADED)).toBe(us);
});

it.each([
  'flight.ts',
  'GX010034.MP4',
  '20231114.ts',
  '20231314_221320.ts',
  '20230230_221320.ts',
  '20231114_251320.ts',
  '19891231_235959.ts',
  '20240102_000001.ts',
  '1202311142213207.ts',
])('the name %s says nothing of it', (name) => {
  expect(timeInName(name, UPLOADED)).toBeNull();
});

it.each([
  ['flight-2023-11-14T22-13-20Z.ts', true],
  ['20231114T221320.500z_EO.ts', true],
  ['20231114_221320.ts', false],
  ['20231114_221320_Zulu.ts', false],
  ['20231114_221320Zone3.ts', false],
  ['flightZ.ts', false],
])('the name %s says UTC: %s', (name, expected) => {
  expect(isUtcByName(name)).toBe(expected);
});

it.each([
  ['DJI_0011.MP4', 'DJI_0012.MP4', true],
  ['DJI_0009.MP4', 'DJI_0010.MOV', true],
  ['GX010034.MP4', 'GX020034.MP4', true],
  ['GX010034.MP4', 'GX010035.MP4', false],
  ['GOPR0034.MP4', 'GP010034.MP4', true],
  ['GP010034.MP4', 'GP020034.MP4', true],
  ['GOPR0034.MP4', 'GP020034.MP4', false],
  ['GOPR0034.MP4', 'GOPR0035.MP4', false],
  ['flight (1).ts', 'flight (2).ts', true],
  ['a-1-of-2.mkv', 'a-2-of-2.mkv', true],
  ['DJI_0011.MP4', 'DJI_0013.MP4', false],
  ['DJI_0011.MP4', 'EO_0012.MP4', false],
  ['DJI_0011.MP4', 'DJI_0011.MP4', false],
])('%s and %s continue: %s', (before, after, expected) => {
  expect(continuesName(before, after)).toBe(expected);
});

it('puts the chapters of a recording before those of the next one', () => {
  const names = ['GX020042.MP4', 'GX010043.MP4', 'GX010042.MP4', 'gx110042.mp4', 'DJI_0011.MP4'];
  const byName = new Intl.Collator('en', { numeric: true });
  expect(names.toSorted((a, b) => byName.compare(chaptersTogether(a), chaptersTogether(b)))).toEqual([
    ...['DJI_0011.MP4', 'GX010042.MP4', 'GX020042.MP4', 'gx110042.mp4', 'GX010043.MP4'],
  ]);
  const old = ['GP010043.MP4', 'GP020042.MP4', 'GOPR0043.MP4', 'GOPR0042.MP4', 'GP010042.MP4'];
  expect(old.toSorted((a, b) => byName.compare(chaptersTogether(a), chaptersTogether(b)))).toEqual([
    ...['GOPR0042.MP4', 'GP010042.MP4', 'GP020042.MP4', 'GOPR0043.MP4', 'GP010043.MP4'],
  ]);
});
