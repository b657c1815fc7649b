import { type Point, wrapLon } from '@osprey/geo';
import { drawLine } from './line.ts';
import type { Moment } from './model.ts';
import type { View } from './solids.ts';

/**
 * Possible distances between lines in degrees, from fine to coarse; the finest one with at most `MOST` lines in the
 * picture is used.
 */
const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1];
const MOST = 14;
/**
 * Every tenth line is drawn stronger, for example the full hundredths of a degree when lines are a thousandth apart.
 */
const STRONG = 10;

/** Draws parallels and meridians on sea and land; returns the distance between lines in degrees. */
export function drawGraticule(view: View, { corners, centre }: Moment): number {
  const [west, east] = extremes(corners.map(({ lon }) => centre.lon + wrapLon(lon - centre.lon)));
  const [south, north] = extremes(corners.map(({ lat }) => lat));
  const stepDeg = STEPS.find((step) => Math.max(east - west, north - south) / step <= MOST) ?? 1;
  for (const index of between(west, east, stepDeg)) {
    const lon = index * stepDeg;
    line(view, { lon, lat: south }, { lon, lat: north }, index % STRONG === 0);
  }
  for (const index of between(south, north, stepDeg)) {
    const lat = index * stepDeg;
    line(view, { lon: west, lat }, { lon: east, lat }, index % STRONG === 0);
  }
  return stepDeg;
}

const extremes = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)];

function between(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => first + index);
}

function line({ picture, camera }: View, from: Point, to: Point, strong: boolean): void {
  const [a, b] = [camera.toImage({ ...from, heightM: 0 }), camera.toImage({ ...to, heightM: 0 })];
  if (!a || !b) return;
  const { width, height } = picture;
  // Draw lines fainter in a small picture, which has the same number of lines on fewer pixels.
  const faint = Math.min(1, 0.5 + height / 1440);
  const pen = { width: strong ? 1.6 : 1.1, luma: 205, opacity: faint * (strong ? 0.24 : 0.13) };
  drawLine(picture, [a.x * width, a.y * height], [b.x * width, b.y * height], pen);
}
