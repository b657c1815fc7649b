import { splitAtAntimeridian } from './antimeridian.ts';
import { beltAreaSqKm } from './area.ts';
import { type MultiPolygon, outlineOf } from './coverage-outline.ts';
import { createRowSet } from './coverage-rows.ts';
import { alongGreatCircles } from './great-circle.ts';
import { type Point, type Position, ringOf } from './point.ts';

/** Level of the finest rows. Rows are 180 / 3^level degrees high; at level 15 that is 1.4 m. */
const FINEST_LEVEL = 15;

/**
 * Maximum number of longitude ranges in a traced outline: tracing takes about 10 µs per range, and a map does not need
 * more.
 */
const MAX_DRAWN_STRETCHES = 20_000;

export type CoverageOptions = {
  /** Maximum number of footprints used per second; further ones are skipped. Default 2. */
  perSecond?: number;
  /**
   * Maximum number of rows into which the tallest footprint is cut; determines the resolution and the cost of one
   * `add`. Default 1024.
   */
  rowsPerFootprint?: number;
  /**
   * Maximum number of longitude ranges to keep, about 20 bytes each; if it is exceeded, rows become three times as
   * high. Default 100,000.
   */
  maxStretches?: number;
};

/** The ground that was seen, with its area on the ellipsoid in square kilometres. */
export type CoveredArea = { areaSqKm: number; geometry: MultiPolygon };

/** Accumulates the union of footprints. */
export type Coverage = {
  /** `second` is the time of the footprint in seconds, on any clock; only differences matter. */
  add(footprint: { corners: readonly Point[] }, second: number): void;
  /** Returns the union so far; before the first footprint, 0 and an empty MultiPolygon. */
  area(): CoveredArea;
};

/**
 * Accumulates the union of footprints in bounded memory, as rows of latitude, each with the ranges of longitude seen at
 * its middle latitude. The ends of ranges are exact; only the height of a row limits the resolution. When a mission
 * exceeds the limit, two of every three rows are dropped, and the remaining one stands for the height of all three.
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
