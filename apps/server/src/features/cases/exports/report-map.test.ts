import { describe, expect, it } from 'vitest';
import { type Mapped, mapsOf } from './report-map.ts';

const part = (number: number, extent: Mapped['extent'], tracks: Mapped['tracks'] = []): Mapped => ({
  ...{ number, extent, tracks },
});
const numbersIn = (svg: string): number[] =>
  [...svg.matchAll(/(?:[xy]|cx|cy|width|height)="(-?[\d.]+)"/g)].map(([, n]) => Number(n));

describe('the map of a report', () => {
  it('is left out where no part has a place', () => {
    expect(mapsOf([part(1, null), part(2, null, [[]])])).toEqual([]);
  });

  it('names parts at one place together, and draws them once more by themselves', () => {
    const [all, detail, ...more] = mapsOf([
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

  it('draws nothing outside itself, over the antimeridian and at the poles too', () => {
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
      for (const { svg } of mapsOf([part(1, [...extent]), part(2, null, [track])])) {
        expect(svg).not.toContain('NaN');
        expect(Math.min(...numbersIn(svg))).toBeGreaterThanOrEqual(0);
        expect(Math.max(...numbersIn(svg))).toBeLessThanOrEqual(700);
      }
    }
  });
});
