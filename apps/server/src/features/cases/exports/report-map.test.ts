import { resolve } from 'node:path';
import { isInside } from '@osprey/geo';
import { describe, expect, it } from 'vitest';
import { landReader } from './land.ts';
import { type Mapped, mapsOf } from './report-map.ts';

/** Base map of the built web app. */
const BASE_MAP = resolve(import.meta.dirname, '../../../../../../dist/web/base-map');

const part = (number: number, extent: Mapped['extent'], tracks: Mapped['tracks'] = []): Mapped => ({
  ...{ number, extent, tracks },
});
const closed = (ring: readonly { lon: number; lat: number }[]) =>
  [...ring, ...ring.slice(0, 1)].map(({ lon, lat }) => [lon, lat]);
const sea = async () => ({ areas: [], coast: [] });
const drawn = (parts: Mapped[]) => mapsOf(parts, sea);
const numbersIn = (svg: string): number[] =>
  [...svg.matchAll(/(?:[xy]|cx|cy|width|height)="(-?[\d.]+)"/g)].map(([, n]) => Number(n));

describe('the map of a report', () => {
  it('is left out where no part has a place', async () => {
    expect(await drawn([part(1, null), part(2, null, [[]])])).toEqual([]);
  });

  it('names parts at one place together, and draws them once more by themselves', async () => {
    const [all, detail, ...more] = await drawn([
      part(1, [12, 55, 12.01, 55.01]),
      part(2, [12, 55, 12, 55]),
      part(3, [24, 37, 24, 37]),
    ]);

    expect(all?.svg).toContain('>1, 2</text>');
    expect(all?.svg).toContain('>3</text>');
    expect(detail?.numbers).toEqual([1, 2]);
    expect(detail?.svg).toContain('class="area"');
    expect(more).toEqual([]);
  });

  it('draws nothing outside itself, over the antimeridian and at the poles too', async () => {
    for (const extent of [
      [179, -10, -179, 10],
      [-180, -90, 180, 90],
      [0, 89.9, 1, 90],
      [12, 55, 12, 55],
    ] as const) {
      const track = [
        { lon: extent[0], lat: extent[1] },
        { lon: extent[2], lat: extent[3] },
      ];
      for (const { svg } of await drawn([part(1, [...extent]), part(2, null, [track])])) {
        expect(svg).not.toContain('NaN');
        expect(Math.min(...numbersIn(svg))).toBeGreaterThanOrEqual(0);
        expect(Math.max(...numbersIn(svg))).toBeLessThanOrEqual(700);
      }
    }
  });

  it('has the land of the base map, cut at its edges, on both sides of the antimeridian and of an island', async () => {
    const landIn = landReader(BASE_MAP);
    const view = { west: 24.2, south: 37.5, east: 24.5, north: 37.75 };
    const isLand = async (lon: number, lat: number, within = view) =>
      (await landIn(within)).areas.some(
        (rings) => rings.filter((ring) => isInside([lon, lat], closed(ring))).length % 2 === 1,
      );

    expect(await isLand(24.34, 37.61)).toBe(true);
    expect(await isLand(24.22, 37.55)).toBe(false);
    const { areas, coast } = await landIn(view);
    const places = areas.flat(2);
    expect(Math.min(...places.map(({ lon }) => lon))).toBeGreaterThanOrEqual(view.west);
    expect(Math.max(...places.map(({ lat }) => lat))).toBeLessThanOrEqual(view.north);
    expect(coast.flat().length).toBeGreaterThan(20);
    // The Sahara, where four tiles meet: their edges are no coast.
    const desert = await landIn({ west: 22, south: 21, east: 23, north: 22.5 });
    expect([desert.areas.length > 0, desert.coast]).toEqual([true, []]);
    // Chukotka, seen from the east and from the west of the antimeridian.
    const across = { west: 175, south: 60, east: 190, north: 72 };
    expect(await isLand(186, 66, across)).toBe(true);
    expect(await isLand(-174, 66, { ...across, west: -185, east: -170 })).toBe(true);
    const [map] = await mapsOf([part(1, [24.3, 37.55, 24.4, 37.7])], landIn);
    expect(map?.svg).toMatch(/<path class="land" d="M/);
    expect(map?.svg).toMatch(/<path class="coast" d="M/);
    expect(map!.svg.length).toBeLessThan(60_000);
  });
});
