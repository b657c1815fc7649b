import { destination, distanceM, meets, type Position, shapeOf, toPosition, wrapLon } from '@osprey/geo';
import pg from 'pg';
import { expect, it } from 'vitest';
import { hasPostgis, withPostgis } from '../../../../../tools/test-support/postgis-cluster.ts';
import { numbers } from '../../../test/numbers.ts';

const PAIRS = 20_000;
/** Where both differ, a border of the one is so near to the other. */
const NEAR_M = 1;

const at = ([lon, lat]: Position, bearing: number, metres: number): Position =>
  toPosition(destination({ lon, lat }, bearing, metres));

/** A view of four corners that lie at uneven distances, as an oblique one has them. */
function viewAround(centre: Position, metres: number, random: () => number): Position[] {
  const turn = random() * 360;
  return [0, 90, 180, 270].map((bearing) => at(centre, turn + bearing, metres * (0.6 + 0.8 * random())));
}

/** A point at the border of a view or near it, or an area near it. */
function shapeNear(view: readonly Position[], metres: number, random: () => number): Position[] {
  const [from, to] = [view[0]!, view[1]!];
  const share = random();
  const onBorder = alongArc(from, to, share);
  // Most of them so near to the border that an error of a metre would show.
  const away = 10 ** (random() * 5 - 2) * (random() < 0.5 ? -1 : 1);
  const place = at(onBorder, random() * 360, Math.abs(away));
  if (random() < 0.5) return [place];
  return viewAround(place, metres * (0.05 + random()), random);
}

function alongArc(from: Position, to: Position, share: number): Position {
  const [a, b] = [directionOf(from), directionOf(to)];
  const [x, y, z] = [0, 1, 2].map((axis) => a[axis]! * (1 - share) + b[axis]! * share) as [number, number, number];
  return [(Math.atan2(y, x) * 180) / Math.PI, (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI];
}

function directionOf([lon, lat]: Position): [number, number, number] {
  const [east, north] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

function wkt(ring: readonly Position[]): string {
  const text = ([lon, lat]: Position) => `${wrapLon(lon)} ${lat}`;
  if (ring.length === 1) return `POINT(${text(ring[0]!)})`;
  return `POLYGON((${[...ring, ring[0]!].map(text).join()}))`;
}

type Pair = { view: Position[]; shape: Position[] };

/** By hand: over the antimeridian, round a pole, along the equator and a meridian, one within the other, apart. */
const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, north],
  [east, north],
  [east, south],
  [west, south],
];
const byHand: (Pair & { intersecting: boolean })[] = [
  { view: box(179.9, -0.1, -179.9, 0.1), shape: [[180, 0]], intersecting: true },
  { view: box(179.9, -0.1, -179.9, 0.1), shape: box(-179.95, -0.05, -179.5, 0.05), intersecting: true },
  { view: box(179.9, -0.1, -179.9, 0.1), shape: [[179.8, 0]], intersecting: false },
  {
    view: [
      [0, 89],
      [90, 89],
      [180, 89],
      [-90, 89],
    ],
    shape: [[45, 89.9]],
    intersecting: true,
  },
  {
    view: [
      [0, 89],
      [90, 89],
      [180, 89],
      [-90, 89],
    ],
    shape: [[45, 89.2]],
    intersecting: false,
  },
  {
    view: [
      [0, -89],
      [90, -89],
      [180, -89],
      [-90, -89],
    ],
    shape: [[10, -90]],
    intersecting: true,
  },
  // The upper edge of a wide box runs north of its corners.
  { view: box(0, 40, 40, 50), shape: [[20, 50.5]], intersecting: true },
  { view: box(0, 40, 40, 50), shape: [[20, 40.5]], intersecting: false },
  { view: box(10, 10, 11, 11), shape: box(10.4, 10.4, 10.6, 10.6), intersecting: true },
  { view: box(10.4, 10.4, 10.6, 10.6), shape: box(10, 10, 11, 11), intersecting: true },
  { view: box(0, 0, 10, 1), shape: box(4, -5, 5, 5), intersecting: true },
  { view: box(10, 10, 11, 11), shape: box(11.01, 10, 12, 11), intersecting: false },
];

it.skipIf(!hasPostgis())(
  'agrees with PostGIS on what a footprint meets, but within a metre of an edge',
  { tags: 'long', timeout: 600_000 },
  async () => {
    const random = numbers(7);
    const drawn = Array.from({ length: PAIRS }, (): Pair => {
      const metres = 40 * 10 ** (random() * 3.3);
      const centre: Position = [random() * 360 - 180, (Math.asin(random() * 2 - 1) * 180) / Math.PI];
      const view = viewAround(centre, metres, random);
      return { view, shape: shapeNear(view, metres, random) };
    });
    const differences = await withPostgis(async (url) => {
      const client = new pg.Client(url);
      await client.connect();
      try {
        await client.query('create extension postgis');
        const meetsThere = async (pairs: readonly Pair[]): Promise<boolean[]> => {
          const { rows } = await client.query<{ met: boolean }>(
            `select st_intersects(st_geogfromtext(view), st_geogfromtext(shape)) as met
             from unnest($1::text[], $2::text[]) with ordinality as pair(view, shape, place) order by place`,
            [pairs.map(({ view }) => wkt(view)), pairs.map(({ shape }) => wkt(shape))],
          );
          return rows.map(({ met }) => met);
        };
        expect(await meetsThere(byHand)).toEqual(byHand.map(({ intersecting }) => intersecting));
        const there = await meetsThere(drawn);
        const differing = drawn.filter((pair, index) => meetsHere(pair) !== there[index]);
        const { rows } = await client.query<{ m: number }>(
          // From the border of each to the nearest corner of the other, or between them.
          `select least(
             st_distance(st_geogfromtext(view), st_geogfromtext(shape), false) + case
               when st_intersects(st_geogfromtext(view), st_geogfromtext(shape)) then 'infinity'::float8 else 0 end,
             (select min(st_distance(st_boundary(st_geomfromtext(view))::geography, corner.geom::geography, false))
              from st_dumppoints(st_geomfromtext(shape)) corner),
             (select min(st_distance(st_boundary(st_geomfromtext(shape))::geography, corner.geom::geography, false))
              from st_dumppoints(st_geomfromtext(view)) corner)) as m
           from unnest($1::text[], $2::text[]) as pair(view, shape)`,
          [differing.map(({ view }) => wkt(view)), differing.map(({ shape }) => wkt(shape))],
        );
        return rows.map(({ m }) => m);
      } finally {
        await client.end();
      }
    });
    expect(byHand.map(meetsHere)).toEqual(byHand.map(({ intersecting }) => intersecting));
    expect(Math.max(0, ...differences)).toBeLessThan(NEAR_M);
    expect(differences.length).toBeLessThan(PAIRS / 100);
    const near = drawn.filter(({ view, shape }) => distanceM(pointOf(view[0]!), pointOf(shape[0]!)) < 100);
    expect(near.length).toBeGreaterThan(1000);
  },
);

const meetsHere = ({ view, shape }: Pair): boolean => meets(shapeOf(view), shapeOf(shape));
const pointOf = ([lon, lat]: Position) => ({ lon, lat });
