import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../../tools/test-support/test-data.ts';
import { rowsOf } from '../../../../test/sidecar-rows.ts';

/** Subtitles of a second each. */
const log = (...texts: string[]) =>
  texts
    .map((text, second) => `${second + 1}\n00:00:${two(second)},000 --> 00:00:${two(second + 1)},000\n${text}\n`)
    .join('\n');
const two = (value: number) => String(value).padStart(2, '0');

/** Where the first cue of a log says it is, and what showed the order of its coordinates. */
async function placeIn(text: string | Uint8Array, isExchanged = false) {
  const { rows, order } = await rowsOf(text, { isExchanged });
  return { lat: rows[0]!.values[13], lon: rows[0]!.values[14], basis: order?.basis ?? null, rows: rows.length };
}

describe('the order of latitude and longitude', () => {
  itWithData.each([
    ['m300-unit.srt', { lat: 36.6146, lon: -6.112, basis: 'unit', rows: 15 }],
    ['m300-every-102-bytes.srt', { lat: 36.6146, lon: -6.112, basis: 'unit', rows: 30 }],
    ['no-blank-lines.srt', { lat: 39.77894, lon: 117.00461, basis: null, rows: 15 }],
  ])('in %s', async (file, expected) => {
    expect(await placeIn(readFileSync(testData(`field/${file}`)))).toEqual(expected);
  });

  it.each([
    ['labels', '[latitude: 36.61] [longitude: -6.11] [altitude: 26.6]', { lat: 36.61, lon: -6.11, basis: null }],
    ['labels of other forms', '|LAT:59.302335|LON:18.203059|', { lat: 59.302335, lon: 18.203059, basis: null }],
    ['letters before it', 'GPS(W: 97.109543, N: 32.593742, 174.21m)', { lat: 32.593742, lon: -97.109543, basis: null }],
    ['letters, latitude first', 'GPS(S: 20.2533, E: 149.0251, 16)', { lat: -20.2533, lon: 149.0251, basis: null }],
    ['letters behind it', 'GPS (36.61N, 6.11W, 12)', { lat: 36.61, lon: -6.11, basis: null }],
    ['a letter and two signs', 'GPS(W: -117.-9605, N: 33.6323, -37)', { lat: 33.6323, lon: -117.9605, basis: null }],
    ['a value over 90', 'GPS(149.0251,-20.2533,16)', { lat: -20.2533, lon: 149.0251, basis: 'plausibility' }],
    ['a value over 90, with unit', 'GPS(-97.1,32.5,0.5M)', { lat: 32.5, lon: -97.1, basis: 'plausibility' }],
    ['a unit in capitals', 'GPS(36.6146,-6.1120,0.5M) BAROMETER:0.3M', { lat: 36.6146, lon: -6.112, basis: 'unit' }],
    [
      'a take-off point in the other order',
      'HOME(-6.1121,36.6140) 2022.06.21 16:06:00\nGPS(36.6146,-6.1120,12)',
      { lat: 36.6146, lon: -6.112, basis: 'home' },
    ],
    [
      'a distance from the take-off point',
      'GPS (-58.851745, -34.237922, 15), HOME (-58.847509, -34.232707, -57.98m), D 698.70m',
      { lat: -34.237922, lon: -58.851745, basis: 'continuity' },
    ],
    ['nothing', 'GPS(8.2090,47.4692,18) BAROMETER:1.9', { lat: 47.4692, lon: 8.209, basis: 'assumed' }],
    [
      'nothing, in a form with latitude first',
      'GPS(39.90,16.39,69.8) BAROMETER(91.2)',
      { lat: 39.9, lon: 16.39, basis: 'assumed' },
    ],
  ])('is shown by %s', async (_what, text, expected) => {
    expect(await placeIn(log(text))).toEqual({ ...expected, rows: 1 });
  });

  it.each([
    ['latitude first', 47, 8],
    ['longitude first', 8, 47],
  ])('is shown by the speed that the log says: %s', async (name, first, second) => {
    // 30 m/s to the east: at 47 degrees north a degree of longitude has 75.8 km.
    const step = 30 / (111_195 * Math.cos((47 * Math.PI) / 180));
    const [a, b] = name === 'latitude first' ? [0, step] : [step, 0];
    const cues = Array.from({ length: 30 }, (_, second_) => {
      return `GPS (${(first + a * second_).toFixed(6)}, ${(second + b * second_).toFixed(6)}, 15), H.S 30.00m/s`;
    });

    expect(await placeIn(log(...cues))).toEqual({ lat: 47, lon: 8, basis: 'continuity', rows: 30 });
  });

  it('is the other one where a user exchanged it, unless a value over 90 leaves no doubt', async () => {
    const doubtful = log('GPS(8.2090,47.4692,18)');
    const plain = log('GPS(149.0251,-20.2533,16)');

    expect(await placeIn(doubtful, true)).toEqual({ lat: 8.209, lon: 47.4692, basis: 'assumed', rows: 1 });
    expect(await placeIn(plain, true)).toEqual({ lat: -20.2533, lon: 149.0251, basis: 'plausibility', rows: 1 });
  });
});

describe('cues', () => {
  it('begin with their times, for any blank lines between or within them', async () => {
    const text = [
      '1\n00:00:00,000 --> 00:00:01,000\n\nGPS(149.1,-20.1,16)\n2\n00:00:01,000 --> 00:00:02,000',
      '\nH.S 2.00m/s\n\nGPS(149.2,-20.2,16)\n\n\n3\n0:00:02.500 --> 0:00:03.000\nGPS(149.3,-20.3,16)',
    ].join('\n');

    const { rows } = await rowsOf(text);

    expect(rows).toEqual([
      { timeUs: 0, values: { 13: -20.1, 14: 149.1 } },
      { timeUs: 1_000_000, values: { 13: -20.2, 14: 149.2, 56: 2 } },
      { timeUs: 2_500_000, values: { 13: -20.3, 14: 149.3 } },
    ]);
  });

  it('of Autel part their lines by \\N and give the attitude of the aircraft', async () => {
    const { rows } = await rowsOf(
      log('HOME(W: 97.1, N: 32.5) 2025-08-27 13:21:35\\NGPS(W: 97.2, N: 32.6, 174.2m)\\NF.PRY (0.6°, 1.2°, -31.2°)'),
    );

    expect(rows).toEqual([{ timeUs: 0, values: { 5: 328.8, 13: 32.6, 14: -97.2, 90: 0.6, 91: 1.2 } }]);
  });

  it('without times count from the first date, and need no blank lines either', async () => {
    const cue = (second: number) => `${second}\n2017.08.05 14:11:5${second},393\n[latitude : 1] [longtitude : 2]\n`;

    const { rows } = await rowsOf(cue(1) + cue(2) + cue(4));

    expect(rows.map(({ timeUs }) => timeUs)).toEqual([0, 1_000_000, 3_000_000]);
  });

  it('hold no place before the receiver has one', async () => {
    const { rows } = await rowsOf(
      log('GPS(0.0000,0.0000,0) H.S 1.00m/s', '[latitude: 0.0] [longitude: 0.0] H.S 1.00m/s'),
    );

    expect(rows.map(({ values }) => values)).toEqual([{ 56: 1 }, { 56: 1 }]);
  });
});
