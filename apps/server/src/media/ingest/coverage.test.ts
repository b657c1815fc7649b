import { type Position, type Sighting, unpackSightings } from '@osprey/geo';
import { expect, it } from 'vitest';
import { coveredMinutes, createSightings, endsOf, sightingsAt } from './coverage.ts';

const MINUTE_S = 60;

/** Sightings of one minute after the other, as their rows hold them. */
async function rowsOf(sightings: readonly Sighting[]): Promise<Sighting[][]> {
  async function* each() {
    yield* sightings;
  }
  const rows: Sighting[][] = [];
  for await (const { footprints } of coveredMinutes(each())) rows.push(unpackSightings(footprints));
  return rows;
}

it('knows where the recording, or its part before a gap, ends', () => {
  const endAfter = endsOf({ endTime: 100e6, gaps: [{ start: 20e6, end: 50e6 }] });
  expect([16, 17.5, 20, 20.1, 49, 97.5, 100, 101].map((second) => endAfter(second * 1e6))).toEqual([
    ...[null, 20e6, 20e6, null, null, 100e6, 100e6, null],
  ]);
});

it('has no approximate ground while an earlier footprint still counts', () => {
  const centre = { 23: 46.01, 24: 9, 22: 500 };
  const corners = { 26: 0.01, 27: -0.01, 28: 0.01, 29: 0.01, 30: -0.01, 31: 0.01, 32: -0.01, 33: -0.01 };
  const sightingsIn = createSightings();
  const seen = [0, 1, 2, 3.5, 4, 5, 8].map((second) => {
    const [sighting] = sightingsIn(second * 1e6, second % 4 === 1 ? { ...centre, ...corners } : centre);
    return sighting === undefined ? 'none' : sighting.approximate ? 'approximate' : 'footprint';
  });
  expect(seen).toEqual(['approximate', 'footprint', 'none', 'approximate', 'approximate', 'footprint', 'approximate']);
});

const places = (sightings: readonly Sighting[]): Position[] => sightings.map(({ corners }) => corners[1]);

it('has all sightings of the last set of a minute in the next one too', async () => {
  // The horizon cuts one corner off the picture: its ground is kept in two parts.
  const values: Record<number, number> = {
    ...{ 5: 0, 6: 0, 7: 0, 13: 54.5, 14: 7.5, 15: 300, 16: 60, 17: 36, 18: 0, 19: -5, 20: 30 },
  };
  const setAt = (second: number) => sightingsAt(second * 1e6, values);
  const [early, late] = [setAt(MINUTE_S - 10), setAt(MINUTE_S - 1)];
  expect(late).toHaveLength(2);

  const [first, second] = await rowsOf([...early, ...late, ...setAt(MINUTE_S + 5)]);

  expect(first).toHaveLength(4);
  expect(second!.map(({ timeUs }) => timeUs / 1e6 - MINUTE_S)).toEqual([-1, -1, 5, 5]);
  expect(places(second!.slice(0, 2))).toEqual(places(late));
});
