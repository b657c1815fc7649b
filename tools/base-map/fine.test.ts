import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { expect, it } from 'vitest';
import { areaOf, cut } from './fine/cut.ts';
import { type FineTile, fineTiles, shapesOf } from './fine/fine-tiles.ts';
import { shoresOf } from './fine/gshhg.ts';
import { readNetcdf } from './fine/netcdf.ts';

const STEPS = 65_535;
/** Row 0 of the bins is at the north pole. */
const binOf = (lon: number, lat: number) => (89 - lat) * 360 + lon;

type Piece = { bin: number; level: number; polygon: number; side: number; points: [lon: number, lat: number][] };

/** Bins as GMT writes them; points in degrees from the corner of the bin. */
function binned(pieces: readonly Piece[]) {
  const sorted = [...pieces].sort((a, b) => a.bin - b.bin);
  const columns: Record<string, number[]> = {};
  const put = (name: string, value: number) => {
    columns[name] = [...(columns[name] ?? []), value];
  };
  let points = 0;
  for (const { level, polygon, side, points: own } of sorted) {
    put('Embedded_npts_levels_exit_entry_for_a_segment', (own.length << 9) | (level << 6) | (side << 3) | side);
    put('Id_of_GSHHS_ID', polygon);
    put('Id_of_first_point_in_a_segment', points);
    points += own.length;
    for (const [lon, lat] of own) {
      // Stored as signed shorts, although the values are unsigned.
      put('Relative_longitude_from_SW_corner_of_bin', (Math.round(lon * STEPS) << 16) >> 16);
      put('Relative_latitude_from_SW_corner_of_bin', (Math.round(lat * STEPS) << 16) >> 16);
    }
  }
  const [firsts, counts] = [new Int32Array(64_800), new Int32Array(64_800)];
  for (const [at, { bin }] of sorted.entries()) {
    if (counts[bin] === 0) firsts[bin] = at;
    counts[bin]! += 1;
  }
  const ofBins: Record<string, Int32Array> = { Id_of_first_segment_in_a_bin: firsts, N_segments_in_a_bin: counts };
  return (name: string) => ofBins[name] ?? Int32Array.from(columns[name] ?? []);
}

const island: Piece[] = [
  {
    bin: binOf(10, 50),
    level: 1,
    polygon: 7,
    side: 1,
    points: [
      [1, 0.25],
      [0.5, 0.25],
      [0.5, 0.75],
      [1, 0.75],
    ],
  },
  {
    bin: binOf(11, 50),
    level: 1,
    polygon: 7,
    side: 3,
    points: [
      [0, 0.75],
      [0.5, 0.75],
      [0.5, 0.25],
      [0, 0.25],
    ],
  },
];
const lake: Piece = {
  ...{ bin: binOf(10, 50), level: 2, polygon: 8, side: 4 },
  points: [
    [0.6, 0.4],
    [0.6, 0.6],
    [0.8, 0.6],
    [0.8, 0.4],
    [0.6, 0.4],
  ],
};

it('joins an island of the pieces that bins cut it into, and keeps a lake as it is', () => {
  const rings = shoresOf(binned([...island, lake]));

  const found = rings.map(({ level, points }) => [level, Math.abs(areaOf(points))]);
  expect(found).toEqual([
    [2, expect.closeTo(0.04, 4)],
    [1, expect.closeTo(0.5, 4)],
  ]);
});

it('joins what crosses the meridian of 0° as one ring', () => {
  const rings = shoresOf(binned(island.map((piece, at) => ({ ...piece, bin: binOf(at === 0 ? 359 : 0, 50) }))));

  expect(rings).toHaveLength(1);
  expect(Math.abs(areaOf(rings[0]!.points))).toBeCloseTo(0.5, 4);
});

it('draws land and lake on each tile that they touch, and nothing on the sea', () => {
  const tiles = [...fineTiles(shapesOf(shoresOf(binned([...island, lake])), 'area'))];

  const levelsOf = ({ bytes }: FineTile) => {
    const { land } = new VectorTile(new PbfReader(bytes)).layers;
    return Array.from({ length: land?.length ?? 0 }, (_, at) => land!.feature(at).properties.level);
  };
  expect([...new Set(tiles.map(({ z }) => z))]).toEqual([6, 7, 8, 9, 10]);
  // 50.5° N, 10.7° E: the middle of the lake, and 10.9° E next to it.
  const at = (x: number) => tiles.find((tile) => tile.z === 10 && tile.x === x && tile.y === 344);
  expect(levelsOf(at(542)!)).toEqual([2, 1]);
  expect(levelsOf(at(543)!)).toEqual([1]);
  expect(at(560)).toBeUndefined();
});

it('cuts an area along the edges of a box, and leaves out what is away', () => {
  const square = { kind: 'area' as const, level: 1, points: Float64Array.from([0, 0, 2, 0, 2, 2, 0, 2]) };

  const [inside] = cut(square, { west: 1, east: 3, north: 1, south: 3 });

  expect(Math.abs(areaOf(inside!.points))).toBe(1);
  expect(cut(square, { west: 3, east: 4, north: 0, south: 1 })).toEqual([]);
});

it('refuses what is no netCDF file of the classic format', () => {
  expect(() => readNetcdf(Buffer.from('\x89HDF\r\n\x1a\n'))).toThrow('no netCDF file of the classic format');
});
