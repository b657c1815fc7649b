import { splitAtAntimeridian } from './antimeridian.ts';
import { beltAreaSqKm } from './area.ts';
import { type MultiPolygon, outlineOf } from './coverage-outline.ts';
import { createRowSet } from './coverage-rows.ts';
import { alongGreatCircles } from './great-circle.ts';
import { type Point, type Position, ringOf } from './point.ts';

/** Rows over the whole earth are 180 / 3^level degrees high; 3^15 of them are 1.4 m. */
const FINEST_LEVEL = 15;

/** Tracing an outline takes some 10 µs a stretch; a map shows no more than these. */
const MAX_DRAWN_STRETCHES = 20_000;

export type CoverageOptions = {
  /** Footprints counted in each second; further ones are passed over. Default 2. */
  perSecond?: number;
  /** Rows the tallest footprint is cut into at most: the resolution, and the work of one `add`. Default 1024. */
  rowsPerFootprint?: number;
  /** Stretches kept at most, some 20 bytes each; beyond it the rows become three times as high. Default 100,000. */
  maxStretches?: number;
};

/** The ground that was seen, with its area on the ellipsoid in square kilometres. */
export type CoveredArea = { areaSqKm: number; geometry: MultiPolygon };

/** Joins footprints as they come. */
export type Coverage = {
  /** `second`: the time of the footprint in seconds, on any clock; only its steps matter. */
  add(footprint: { corners: readonly Point[] }, second: number): void;
  /** The union so far; an empty MultiPolygon and 0 before the first footprint. */
  area(): CoveredArea;
};

/**
 * The union of footprints in bounded memory: rows of latitude, each with the stretches of longitude seen in its middle.
 * Ends of stretches are exact; only the height of a row limits the resolution. When a mission outgrows the memory, two
 * rows of three are dropped and the third covers their height.
 */
export function createCoverage(options: CoverageOptions = {}): Coverage {
  const { perSecond = 2, rowsPerFootprint = 1024, maxStretches = 100_000 } = options;
  let rows = createRowSet(FINEST_LEVEL);
  let lastSlot = Number.NaN;

  const addRing = (ring: readonly Position[]) => {
    const lats = ring.map(([, lat]) => lat);
    const heightDeg = Math.max(...lats) - Math.min(...lats);
    while (heightDeg / rows.heightDeg > rowsPerFootprint) rows = rows.coarser();
    rows.fill(ring);
    while (rows.stretches() > maxStretches && rows.level > 1) rows = rows.coarser();
  };

  return {
    add({ corners }, second) {
      const slot = Math.floor(second * perSecond);
      if (slot === lastSlot) return;
      lastSlot = slot;
      for (const ring of splitAtAntimeridian(alongGreatCircles(ringOf(corners)))) addRing(ring);
    },
    area() {
      let areaSqKm = 0;
      rows.forEach((index, ends) => {
        const south = rows.southOf(index);
        let lonDeg = 0;
        for (let at = 0; at < ends.length; at += 2) lonDeg += ends[at + 1]! - ends[at]!;
        areaSqKm += beltAreaSqKm(south, south + rows.heightDeg, lonDeg);
      });
      let drawn = rows;
      while (drawn.stretches() > MAX_DRAWN_STRETCHES) drawn = drawn.coarser();
      return { areaSqKm, geometry: outlineOf(drawn) };
    },
  };
}
