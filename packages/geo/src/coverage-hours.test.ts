import { expect, it } from 'vitest';
import { alongRing } from './coverage-box.ts';
import { boxCells, type GridCell, ringOfCell } from './coverage-cells.ts';
import { coveredSeconds, type Sighting } from './coverage-chunk.ts';
import {
  addCoverageMinute,
  type CoverageArea,
  coverageArea,
  coverageAreaLevel,
  coverageCellOf,
  createCoverageHours,
  packCoverage,
  readCoverageRuns,
  readLastCovered,
  SEEN_LEVELS,
} from './coverage-hours.ts';
import { shapeOf } from './coverage-meets.ts';
import { destination } from './great-circle.ts';
import { type Position, toPosition } from './point.ts';

const MINUTE = 28_000_000;
const HOUR_START = MINUTE - (MINUTE % 60);

/** A square view that moves, some sets a second, with pauses. Metres from its middle to a corner. */
function flight([lon, lat]: Position, metres: number): Sighting[] {
  const sightings: Sighting[] = [];
  for (let step = 0; step < 400; step += 1) {
    // Pauses of 1.7 s and 9 s.
    const seconds = step * 0.37 + Math.floor(step / 50) * 1.7 + Math.floor(step / 130) * 9;
    const at = toPosition(destination({ lon, lat }, 60, step * metres * 0.02));
    const corner = (bearing: number) =>
      toPosition(destination({ lon: at[0], lat: at[1] }, bearing + step, metres * (1 + (step % 7) / 10)));
    const corners: Sighting['corners'] = [corner(270), corner(0), corner(90), corner(180)];
    sightings.push({ timeUs: Math.round((HOUR_START * 60 + 100 + seconds) * 1e6), corners, platform: null });
  }
  return sightings;
}

/** All seconds of the hour in which each cell was seen, by its name. */
function seenOf(sightings: readonly Sighting[]) {
  const coverage = createCoverageHours();
  const hour = new Map<number, CoverageArea>();
  for (let minute = 0; minute < 60; minute += 1) {
    const [from, to] = [(HOUR_START + minute) * 60e6, (HOUR_START + minute + 1) * 60e6];
    const own = sightings.filter(({ timeUs }) => timeUs >= from - 2e6 && timeUs < to);
    addCoverageMinute(hour, coverage.minuteOf(own, HOUR_START + minute), minute);
  }
  return hour;
}

const places: [string, Position, number][] = [
  ['at 54° north, 80 m', [10.5, 54.3], 80],
  ['at the equator, 2 km', [-30.001, 0.001], 2000],
  ['across the antimeridian, 15 km', [179.95, -17], 15_000],
  ['far north, 5 km', [33, 84.9], 5000],
];

it.each(places)('gives exactly the seconds that a look back at each cell gives, %s', (_, place, metres) => {
  const sightings = flight(place, metres);
  const hour = seenOf(sightings);
  const seconds = { fromSecond: HOUR_START * 60, toSecond: (HOUR_START + 60) * 60 };
  for (const level of SEEN_LEVELS.slice(0, 2)) {
    const requested = sightings[200]!;
    const around = boxCells(alongRing(requested.corners), level, 20_000)!;
    const picked = around.filter((_, at) => at % Math.ceil(around.length / 40) === 0);
    let coverage = 0;
    for (const cell of picked) {
      const shape = shapeOf(ringOfCell(cell));
      const ends = coveredSeconds(sightings, shape, seconds).map(({ second }) => second + 1 - HOUR_START * 60);
      const latest = (before: number) => Math.max(0, ...ends.filter((end) => end <= before));
      expect(latestOf(hour, level, cell, 3600)).toBe(latest(3600));
      expect(latestOf(hour, level, cell, 150)).toBe(latest(150));
      if (ends.length > 0) coverage += 1;
    }
    expect(coverage).toBeGreaterThan(0);
  }
});

/** As it is read back: of the cell, or of one that holds it. */
function latestOf(hour: ReadonlyMap<number, CoverageArea>, level: number, cell: GridCell, before: number): number {
  const areaLevel = coverageAreaLevel(level);
  const up = level - areaLevel;
  const area = { level: areaLevel, column: cell.column >> up, row: cell.row >> up };
  const retained = hour.get(coverageArea(area));
  if (!retained) return 0;
  let latest = 0;
  const visit = (key: number, end: number) => {
    const one = coverageCellOf(area, key);
    const down = level - one.level;
    if (one.column === cell.column >> down && one.row === cell.row >> down) latest = Math.max(latest, end);
  };
  const { last, runs } = packCoverage(retained);
  if (before === 3600) readLastCovered(last, visit);
  else readCoverageRuns(runs, before, visit);
  return latest;
}

it('keeps large views at coarser levels alone, and nothing of what is larger than half the earth', () => {
  const view = (metres: number): Sighting => {
    const corner = (bearing: number) => toPosition(destination({ lon: 20, lat: 40 }, bearing, metres));
    return {
      timeUs: HOUR_START * 60e6,
      corners: [corner(315), corner(45), corner(135), corner(225)],
      platform: null,
    };
  };
  const levelsOf = (metres: number) =>
    SEEN_LEVELS.filter((level) => {
      const numbers = new Set([...seenOf([view(metres)]).keys()]);
      const areas = boxCells(
        { west: -180, south: -90, widthDeg: 359.9, north: 90 },
        Math.min(7, coverageAreaLevel(level)),
        1e6,
      )!;
      if (level < 16) return areas.some((area) => numbers.has(coverageArea(area)));
      const near = boxCells({ west: 19.9, south: 39.9, widthDeg: 0.2, north: 40.1 }, coverageAreaLevel(16), 1e6)!;
      return near.some((area) => numbers.has(coverageArea(area)));
    });
  expect(levelsOf(50_000)).toEqual([16, 12, 8]);
  expect(levelsOf(300_000)).toEqual([12, 8]);
  const large: Position[] = [
    [0, 0],
    [120, 0],
    [-120, 0],
    [-120, 1],
  ];
  const corners = large as unknown as Sighting['corners'];
  expect(seenOf([{ timeUs: HOUR_START * 60e6, corners, platform: null }]).size).toBe(0);
});

it('refuses bytes that end too soon', () => {
  const { last, runs } = packCoverage(new Map([[1500, [3000, 3599]]]));
  expect(() => readLastCovered(last.subarray(0, -1), () => undefined)).toThrow(RangeError);
  expect(() => readCoverageRuns(runs.subarray(0, -1), 9, () => undefined)).toThrow(RangeError);
});
