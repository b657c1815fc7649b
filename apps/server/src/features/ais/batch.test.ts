import { readFileSync } from 'node:fs';
import { encodeSentences } from '@osprey/ais';
import { expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { reportOf, staticOf } from '../../../test/ais.ts';
import { aisBatches, FLAG } from './batch.ts';

const NOW = 1_700_000_000_000_000;
const SHIP = 211_000_001;

function read(lines: readonly { line: string; atUs: number }[]) {
  const batches = aisBatches(new Map());
  for (const { line, atUs } of lines) batches.line(Buffer.from(line), atUs);
  return batches.take();
}
const at = (latitude: number, longitude: number, seconds: number, more: { mmsi?: number; timeUs?: number } = {}) => ({
  line: reportOf({ latitude, longitude, ...more }),
  atUs: NOW + seconds * 1e6,
});

it('T-090 a jump of 500 km in 10 s, two ships with one MMSI and a time 1 day ahead are kept and flagged; 91/181 is no place', () => {
  const { positions, last } = read([
    at(37, 24, 0),
    at(41.5, 24, 10),
    at(37.001, 24, 20),
    at(37.002, 24, 30, { timeUs: NOW + 86_400e6 }),
    at(50, 1, 31, { mmsi: 211_000_002 }),
    { line: reportOf({ latitude: null as never, longitude: null as never }), atUs: NOW + 40e6 },
  ]);
  expect(positions.map(({ mmsi, flags }) => [mmsi, flags])).toEqual([
    [SHIP, FLAG.accurate],
    [SHIP, FLAG.accurate | FLAG.jump],
    // One wrong jump does not make the next true position one.
    [SHIP, FLAG.accurate],
    [SHIP, FLAG.accurate | FLAG.future],
    [211_000_002, FLAG.accurate],
  ]);
  // A time to come is not believed: it would hide all that the ship says until then.
  expect(positions[3]?.time).toBe(NOW + 30e6);
  expect(last.get(211_000_002)).toMatchObject({ lat: 50 * 600_000, lon: 600_000, flags: FLAG.accurate });
});

it('A position counts for the time that its sentence states, where that is before its reception', () => {
  const { positions } = read([at(37, 24, 0, { timeUs: NOW - 30e6 }), at(37, 24, 5)]);
  expect(positions.map(({ time }) => time)).toEqual([NOW - 30e6, NOW + 5e6]);
});

it('Static data of a ship are one row, from any sentences', () => {
  const lines = [...staticOf(SHIP, 'POLARIS', 9_301_234), ...staticOf(SHIP, 'POLARIS BAY')];
  const { vessels } = read(lines.map((line, n) => ({ line, atUs: NOW + n })));
  expect([...vessels.values()]).toEqual([
    expect.objectContaining({
      mmsi: SHIP,
      name: 'POLARIS BAY',
      imo: 9_301_234,
      toBow: 100,
      draught: 75,
      callSign: 'DABC',
    }),
  ]);
});

it('In a file without times one base station with a wrong clock is not believed', () => {
  const base = (timeUs: number) =>
    encodeSentences({
      ...{ type: 4, repeat: 0, mmsi: 2_391_234, latitude: 37, longitude: 24, accurate: true, raim: false },
      ...{ fixType: 7, timeUs, longRange: false, radio: 0 },
    });
  const minute = Math.floor(NOW / 60e6) * 60e6;
  const batches = aisBatches(new Map());
  // Reports are of second 30.
  const lines = [...base(minute), ...base(minute - 500 * 86_400e6), at(37, 24, 0).line, ...base(minute + 60e6)];
  for (const line of lines) batches.line(Buffer.from(line), null);

  expect(batches.take().positions.map(({ time }) => (time - minute) / 1e6)).toEqual([0, 0, 30, 60]);
});

it('Two positions that fit each other are believed, a place at 0 0 never is, and a clock of last year is said', () => {
  const { positions } = read([
    at(37, 24, 0),
    at(41.5, 24, 10),
    at(41.501, 24, 20),
    at(41.502, 24, 30),
    at(0, 0, 40),
    at(41.503, 24, 50, { timeUs: NOW - 365 * 86_400e6 }),
  ]);
  const doubts = positions.map(({ flags }) => flags & ~FLAG.accurate);
  expect(doubts).toEqual([0, FLAG.jump, 0, 0, FLAG.nowhere, FLAG.clock]);
});

/** Files of the field, with their right values. */
const field = (name: string) =>
  readFileSync(testData(`field3/${name}`))
    .toString('latin1')
    .split(/[\r\n]+/);
function readField(name: string) {
  const batches = aisBatches(new Map());
  for (const line of field(name)) if (line !== '') batches.line(Buffer.from(line, 'latin1'), null);
  const { positions, vessels } = batches.take();
  const times = positions.map(({ time }) => new Date(time / 1000).toISOString().replace('.000', ''));
  return { positions, vessels, times, dated: batches.dated(), remarks: batches.remarks() };
}

itWithData('Times of compact and basic ISO, and of RMC and ZDA between, date their sentences', () => {
  for (const name of ['ais-compact-time-after.txt', 'ais-basic-iso.txt', 'ais-log-with-zda-rmc.txt']) {
    const { times, dated } = readField(name);
    expect(times[0], name).toBe('2026-03-04T03:57:10Z');
    expect(dated, name).toMatchObject({ none: 0, line: times.length });
  }
});

itWithData('Dates with the day or the month first are told to be ambiguous', () => {
  const { times, dated, remarks } = readField('ais-slash-date.txt');
  expect([times, dated.none, remarks]).toEqual([[], 3, [expect.stringContaining('4 March or 3 April')]]);
});

itWithData('What lies before the first base station is dated backward', () => {
  const { positions, vessels, times, dated } = readField('f-ais-before-first-base-station.nmea');
  expect(positions.filter(({ messageType }) => messageType !== 4)).toHaveLength(20);
  expect([...vessels.values()].map(({ name }) => name)).toEqual([expect.any(String)]);
  expect(dated.none).toBe(0);
  expect(times.every((time) => time.startsWith('2024-05-06T09:5') || time.startsWith('2024-05-06T10:0'))).toBe(true);
});

itWithData('Sentences of a fast aircraft and a line without an end are read', () => {
  expect(readField('ais-sar-aircraft-120kn.nmea').positions).toHaveLength(3);
  expect(readField('f-ais-aircraft-447-knots.nmea').positions.map(({ sog }) => sog)).toContain(4470);
  expect(readField('ais-one-line-no-newline.nmea').positions).toHaveLength(1);
});

it('A receiver whose clock is off from that of base stations is named', () => {
  const batches = aisBatches(new Map());
  for (let n = 0; n < 5; n += 1) {
    const baseUs = NOW + n * 10e6;
    const station = { type: 4, repeat: 0, mmsi: 2_391_234, latitude: 37, longitude: 24, accurate: true } as const;
    const message = { ...station, raim: false, fixType: 7, timeUs: baseUs, longRange: false, radio: 0 };
    const [line = ''] = encodeSentences(message, { timeUs: baseUs - 25 * 3_600e6 });
    batches.line(Buffer.from(line), null);
  }
  expect(batches.remarks()).toEqual(['The clock of its receiver is behind that of base stations by 1 day.']);
});
