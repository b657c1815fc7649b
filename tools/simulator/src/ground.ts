import { type Corners, quadrangle } from '@osprey/geo';
import { type Coast, distanceReader } from './coast.ts';
import { createGroundBrush, type GroundBrush } from './ground-brush.ts';
import type { Plane } from './local-plane.ts';
import type { Spectrum } from './options.ts';
import type { Picture } from './picture.ts';
import type { Stretch } from './walk.ts';

/** Paints sea and land of one frame over the whole picture. */
export type Ground = { paint(picture: Picture, corners: Corners, timeS: number): void };

/**
 * Number of pixels between two exactly computed places of a row; between these, the ground is interpolated linearly.
 */
const SPAN = 32;
/** Factor by which distances in the grid may exceed true ones. */
const ROUGH = 1.12;
/** Distances from the coast, in metres, within which each pixel looks up its own distance. */
const SEA_MARGIN_M = 48;
const LAND_MARGIN_M = 64;

export function makeGround(options: { plane: Plane; coast: Coast; spectrum: Spectrum; seed: number }): Ground {
  const { plane, coast } = options;
  const distanceAt = distanceReader(coast);
  const brush = createGroundBrush({ ...options, distanceAt });
  // One object is reused for all stretches, of which a frame has 60,000.
  const stretch: Stretch = { east: 0, north: 0, stepE: 0, stepN: 0 };

  return {
    paint(picture, corners, timeS) {
      const [a, b, c, d] = corners;
      const map = quadrangle([plane.toPlane(a), plane.toPlane(b), plane.toPlane(c), plane.toPlane(d)]);
      if (!map) throw new Error('The camera sees no ground');
      const [rowE, rowN, rowW] = map.matrix;
      const { width, height } = picture;
      brush.begin(picture, timeS);
      for (let py = 0; py < height; py += 1) {
        const y = (py + 0.5) / height;
        const [baseE, baseN, baseW] = [rowE[1] * y + rowE[2], rowN[1] * y + rowN[2], rowW[1] * y + rowW[2]];
        const [middleW, asideW] = [rowW[0] * 0.5 + baseW, rowW[0] * (0.5 + 1 / width) + baseW];
        const acrossE = (rowE[0] * (0.5 + 1 / width) + baseE) / asideW - (rowE[0] * 0.5 + baseE) / middleW;
        const acrossN = (rowN[0] * (0.5 + 1 / width) + baseN) / asideW - (rowN[0] * 0.5 + baseN) / middleW;
        brush.row(Math.hypot(acrossE, acrossN));
        let w = rowW[0] * (0.5 / width) + baseW;
        let east = (rowE[0] * (0.5 / width) + baseE) / w;
        let north = (rowN[0] * (0.5 / width) + baseN) / w;
        for (let start = 0; start < width; start += SPAN) {
          const end = Math.min(width, start + SPAN);
          const x = (end + 0.5) / width;
          w = rowW[0] * x + baseW;
          const [nextE, nextN] = [(rowE[0] * x + baseE) / w, (rowN[0] * x + baseN) / w];
          stretch.east = east;
          stretch.north = north;
          stretch.stepE = (nextE - east) / (end - start);
          stretch.stepN = (nextN - north) / (end - start);
          paintStretch(brush, { py, start, end }, distanceAt(east, north), distanceAt(nextE, nextN));
          east = nextE;
          north = nextN;
        }
      }
    },
  };

  function paintStretch(
    on: GroundBrush,
    pixels: { py: number; start: number; end: number },
    from: number,
    to: number,
  ): void {
    const lengthM = Math.hypot(stretch.stepE, stretch.stepN) * (pixels.end - pixels.start) * ROUGH;
    if (from < -lengthM - SEA_MARGIN_M) on.sea(stretch, pixels, from, to);
    else if (from > lengthM + LAND_MARGIN_M) on.land(stretch, pixels);
    else on.shore(stretch, pixels);
  }
}
