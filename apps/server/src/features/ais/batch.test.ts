import { encodeSentences } from '@osprey/ais';
import { expect, it } from 'vitest';
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
    [SHIP, FLAG.accurate | FLAG.jump],
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
