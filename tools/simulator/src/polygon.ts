import type { Colour, Picture } from './picture.ts';

/** A corner in pixels; the centre of the first pixel is at 0.5, 0.5. */
export type Pixel = readonly [x: number, y: number];

/** Number of sample lines per row of pixels; along a line, coverage is computed exactly. */
const LINES = 4;

/** Fills a polygon (even-odd rule) with smooth edges; `opacity` is 0 to 1. Parts outside the picture are clipped. */
export function fillPolygon(picture: Picture, points: readonly Pixel[], paint: Colour, opacity = 1): void {
  const { width, height, luma, blue, red } = picture;
  const [y, u, v] = paint;
  eachCoveredRow(points, { width, height, scale: 1 }, (row, left, right, covers) => {
    for (let x = left; x <= right; x += 1) {
      const before = luma[row + x]!;
      luma[row + x] = before + (y - before) * covers[x]! * opacity + 0.5;
    }
  });
  if (!picture.isColour) return;
  eachCoveredRow(points, { width: width >> 1, height: height >> 1, scale: 0.5 }, (row, left, right, covers) => {
    for (let x = left; x <= right; x += 1) {
      const cover = covers[x]! * opacity;
      blue[row + x] = blue[row + x]! + (u - blue[row + x]!) * cover + 0.5;
      red[row + x] = red[row + x]! + (v - red[row + x]!) * cover + 0.5;
    }
  });
}

/**
 * Whitens water to look like foam, most strongly where waves are already bright, so that their pattern remains visible.
 */
export function addFoam(picture: Picture, points: readonly Pixel[], strength: number): void {
  const { width, height, luma, blue, red } = picture;
  eachCoveredRow(points, { width, height, scale: 1 }, (row, left, right, covers) => {
    for (let x = left; x <= right; x += 1) {
      const before = luma[row + x]!;
      luma[row + x] = Math.min(228, before + covers[x]! * strength * (60 + 2 * Math.max(0, before - 50)));
    }
  });
  if (!picture.isColour) return;
  eachCoveredRow(points, { width: width >> 1, height: height >> 1, scale: 0.5 }, (row, left, right, covers) => {
    for (let x = left; x <= right; x += 1) {
      const cover = covers[x]! * strength * 0.7;
      blue[row + x] = blue[row + x]! + (129 - blue[row + x]!) * cover + 0.5;
      red[row + x] = red[row + x]! + (126 - red[row + x]!) * cover + 0.5;
    }
  });
}

/** Returns twice the area, positive if the corners run clockwise on the screen. */
export function turning(points: readonly Pixel[]): number {
  let sum = 0;
  points.forEach(([x, y], index) => {
    const [nextX, nextY] = points[(index + 1) % points.length]!;
    sum += x * nextY - nextX * y;
  });
  return sum;
}

type Plane = { width: number; height: number; scale: number };

/**
 * Called for each row: pixel `x` is at `row + x` in its plane, and `covers[x]` is its covered share (0 to 1), from
 * `left` to `right`.
 */
type RowVisitor = (row: number, left: number, right: number, covers: Float32Array) => void;

/**
 * Buffers reused for all polygons, since a frame has hundreds, most of them small. All `steps` are 0 between two
 * polygons.
 */
let xs = new Float64Array(16);
let ys = new Float64Array(16);
let crossings = new Float64Array(16);
let steps = new Float32Array(1024);

function makeRoom(corners: number, width: number): void {
  if (xs.length < corners) {
    xs = new Float64Array(2 * corners);
    ys = new Float64Array(2 * corners);
    crossings = new Float64Array(2 * corners);
  }
  if (steps.length < width + 4) steps = new Float32Array(width + 4);
}

/** Calls `visit` for each row of the plane that the polygon touches. */
function eachCoveredRow(points: readonly Pixel[], plane: Plane, visit: RowVisitor): void {
  const { width, height, scale } = plane;
  makeRoom(points.length, width);
  let [lowX, highX, lowY, highY] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let index = 0; index < points.length; index += 1) {
    const x = points[index]![0] * scale;
    const y = points[index]![1] * scale;
    xs[index] = x;
    ys[index] = y;
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (y < lowY) lowY = y;
    if (y > highY) highY = y;
  }
  const first = Math.max(0, Math.floor(lowY));
  const last = Math.min(height - 1, Math.floor(highY));
  const west = Math.max(0, Math.floor(lowX));
  const east = Math.min(width - 1, Math.floor(highX));
  if (last < first || east < west) return;
  for (let row = first; row <= last; row += 1) {
    let left = width;
    let right = -1;
    for (let line = 0; line < LINES; line += 1) {
      const count = cross(points.length, row + (line + 0.5) / LINES);
      for (let index = 0; index + 1 < count; index += 2) {
        const from = Math.max(west, crossings[index]!) - west;
        const to = Math.min(width, crossings[index + 1]!) - west;
        // The condition also skips NaN; otherwise this polygon's coverage would remain in the buffer for the next one.
        if (!(to > from)) continue;
        left = Math.min(left, Math.floor(from));
        right = Math.max(right, Math.min(east - west, Math.floor(to)));
        addStretch(from, to);
      }
    }
    if (right < left) continue;
    for (let x = left, sum = 0; x <= right; x += 1) {
      sum += steps[x]!;
      steps[x] = sum < 0 ? 0 : sum;
    }
    visit(row * width + west, left, right, steps);
    steps.fill(0, left, right + 3);
  }
}

/**
 * Stores the positions at which the edges cross the line at `y` in `crossings`, in ascending order; returns their
 * number.
 */
function cross(corners: number, y: number): number {
  let count = 0;
  let before = corners - 1;
  for (let index = 0; index < corners; before = index, index += 1) {
    const y0 = ys[before]!;
    const y1 = ys[index]!;
    if (y0 <= y === y1 <= y) continue;
    const x = xs[before]! + ((y - y0) / (y1 - y0)) * (xs[index]! - xs[before]!);
    let place = count;
    for (; place > 0 && crossings[place - 1]! > x; place -= 1) crossings[place] = crossings[place - 1]!;
    crossings[place] = x;
    count += 1;
  }
  return count;
}

/**
 * Adds a stretch of one line to the changes of coverage between pixels, so that the cost does not depend on the
 * stretch's length.
 */
function addStretch(from: number, to: number): void {
  const first = Math.floor(from);
  const last = Math.floor(to);
  if (first === last) {
    steps[first]! += (to - from) / LINES;
    steps[first + 1]! -= (to - from) / LINES;
    return;
  }
  steps[first]! += (first + 1 - from) / LINES;
  steps[first + 1]! += (from - first) / LINES;
  steps[last]! += (to - last - 1) / LINES;
  steps[last + 1]! -= (to - last) / LINES;
}
