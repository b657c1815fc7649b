import type { Place } from '../../../base/items/content.ts';
import type { FrozenPart } from './frozen.ts';
import type { Land, LandIn } from './land.ts';

/** Geometry of a part on the map. */
export type Mapped = { number: number; extent: FrozenPart['extent']; tracks: readonly (readonly Place[])[] };

const [WIDTH, HEIGHT, MARGIN] = [700, 380, 46];
/** Steps between grid lines, in degrees, largest first. */
const STEPS = [45, 30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
const SPAN_MIN = 0.004;

/** A drawing, and the numbers of the parts in it. */
export type Drawing = { svg: string; numbers: number[] };

/** Parts whose marks are closer than this share a label and are drawn again on a map of their own, in pixels. */
const NEAR_PX = 24;
const DETAILS_MAX = 6;
const NAMED_MAX = 8;

/**
 * Draws maps of the parts with a grid of degrees: one of all parts, and one for each group of parts that lie close
 * together. Empty where no part has a place.
 */
export async function mapsOf(parts: readonly Mapped[], landIn: LandIn): Promise<Drawing[]> {
  const placed = parts.filter(({ extent, tracks }) => extent !== null || tracks.some((line) => line.length > 0));
  if (placed.length === 0) return [];
  const all = await drawing(placed, landIn);
  const close = all.clusters.filter(({ members, isSmall }) => isSmall && members.length < placed.length);
  const details: Drawing[] = [];
  for (const { members } of close.slice(0, DETAILS_MAX)) details.push(await drawing(members, landIn));
  return [all, ...details].map(({ svg, numbers }) => ({ svg, numbers }));
}

type Cluster = {
  members: Mapped[];
  x: number;
  y: number;
  isSmall: boolean;
};

async function drawing(parts: readonly Mapped[], landIn: LandIn): Promise<Drawing & { clusters: Cluster[] }> {
  const boxes = parts.map(boxOf);
  const first = boxes[0]!;
  // Shifts a longitude by full turns to within 180 degrees of the first one, so that the antimeridian cuts no shape.
  const near = (lon: number) => lon - 360 * Math.round((lon - first[0]) / 360);
  const shifted = boxes.map(([west, south, east, north]): Box => {
    const from = near(west);
    return [from, south, from + widthOf(west, east), north];
  });
  const view = viewOf([
    Math.min(...shifted.map(([west]) => west)),
    Math.min(...shifted.map(([, south]) => south)),
    Math.max(...shifted.map(([, , east]) => east)),
    Math.max(...shifted.map(([, , , north]) => north)),
  ]);
  const marks = parts.map((part, at) => markOf(part, shifted[at]!, view));
  const clusters: Cluster[] = [];
  for (const [at, { x, y, isSmall }] of marks.entries()) {
    const part = parts[at]!;
    const known = clusters.find((one) => Math.hypot(one.x - x, one.y - y) < NEAR_PX);
    if (known) known.isSmall &&= isSmall;
    if (known) known.members.push(part);
    else clusters.push({ members: [part], x, y, isSmall });
  }
  // A separate map for a single point would show no more than the first map.
  for (const one of clusters) one.isSmall &&= one.members.some(hasExtent);
  const lines = parts.flatMap(({ tracks }) => tracks.map((line) => lineOf(line, view, near))).join('');
  const shapes = marks.map(({ shape }) => shape).join('');
  const names = clusters.map(({ members, x, y }) => nameOf(members, x, y)).join('');
  const svg = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Where the parts are"><rect class="sea" width="${WIDTH}" height="${HEIGHT}"/>${landOf(await landIn(view), view)}${grid(view)}${lines}${shapes}${names}</svg>`;
  return { svg, numbers: parts.map(({ number }) => number), clusters };
}

/** Whether a part covers more than one point. */
const hasExtent = (part: Mapped): boolean => {
  const [west, south, east, north] = boxOf(part);
  return west !== east || south !== north;
};

type Box = readonly [west: number, south: number, east: number, north: number];

function widthOf(west: number, east: number): number {
  const width = (((east - west) % 360) + 360) % 360;
  return width === 0 && east !== west ? 360 : width;
}

/** Returns the extent of the part, or the box around its tracks if it has none. */
function boxOf({ extent, tracks }: Mapped): Box {
  if (extent !== null) return extent;
  const places = tracks.flat();
  const start = places[0]!;
  const lons = places.map(({ lon }) => lon - 360 * Math.round((lon - start.lon) / 360));
  const lats = places.map(({ lat }) => lat);
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}

type View = {
  x: (lon: number) => number;
  y: (lat: number) => number;
  west: number;
  east: number;
  south: number;
  north: number;
};

/** Equirectangular projection. Degrees of longitude are scaled as in the middle of the map. */
function viewOf([w, s, e, n]: readonly [number, number, number, number]): View {
  const [lon, lat] = [(w + e) / 2, (s + n) / 2];
  const shrink = Math.max(0.05, Math.cos((lat * Math.PI) / 180));
  const perDegree = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max(SPAN_MIN, (e - w) * shrink),
    (HEIGHT - 2 * MARGIN) / Math.max(SPAN_MIN, n - s),
  );
  const [halfLon, halfLat] = [WIDTH / 2 / perDegree / shrink, HEIGHT / 2 / perDegree];
  return {
    x: (at) => WIDTH / 2 + (at - lon) * perDegree * shrink,
    y: (at) => HEIGHT / 2 - (at - lat) * perDegree,
    ...{ west: lon - halfLon, east: lon + halfLon, south: lat - halfLat, north: lat + halfLat },
  };
}

/** Smallest step, in degrees, whose lines are at least `apart` pixels from each other. */
const stepOf = (degrees: number, pixels: number, apart: number): number =>
  STEPS.findLast((one) => (one * pixels) / degrees >= apart) ?? STEPS[0]!;

function grid({ x, y, west, east, south, north }: View): string {
  const wide = stepOf(east - west, WIDTH, 80);
  const high = stepOf(north - south, HEIGHT, 45);
  let text = '';
  for (let lon = Math.ceil(west / wide) * wide; lon <= east; lon += wide) {
    const left = x(lon);
    text += `<path class="grid" d="M${px(left)} 0V${HEIGHT}"/>`;
    if (left > WIDTH - 50) continue;
    text += `<text x="${px(left + 3)}" y="${HEIGHT - 5}">${degreesText(wrapped(lon), wide, 'E', 'W')}</text>`;
  }
  for (let lat = Math.ceil(Math.max(-90, south) / high) * high; lat <= Math.min(90, north); lat += high) {
    text += `<path class="grid" d="M0 ${px(y(lat))}H${WIDTH}"/>`;
    // The bottom corner is kept free for the longitude labels.
    if (y(lat) < HEIGHT - 20) text += `<text x="4" y="${px(y(lat) - 3)}">${degreesText(lat, high, 'N', 'S')}</text>`;
  }
  return text;
}

/** Returns a path with coordinates rounded to a tenth of a pixel. Points that equal the previous one are omitted. */
function pathOf(places: readonly Place[], { x, y }: View, end: string): string {
  const points = places.map(({ lon, lat }) => `${px(x(lon))} ${px(y(lat))}`);
  const retained = points.filter((point, at) => point !== points[at - 1]);
  return retained.length < 2 ? '' : `M${retained.join('L')}${end}`;
}

function landOf({ areas, coast }: Land, view: View): string {
  const filled = areas.map((rings) => rings.map((ring) => pathOf(ring, view, 'Z')).join('')).filter((d) => d !== '');
  const shore = coast.map((line) => pathOf(line, view, '')).join('');
  return `${filled.map((d) => `<path class="land" d="${d}"/>`).join('')}${shore === '' ? '' : `<path class="coast" d="${shore}"/>`}`;
}

function markOf({ extent }: Mapped, [west, south, east, north]: Box, { x, y }: View) {
  const [left, top] = [x(west), y(north)];
  const [width, height] = [x(east) - left, y(south) - top];
  const isPoint = width < 6 && height < 6;
  const area = `<rect class="area" x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(height)}"/>`;
  const place = `<circle class="place" cx="${px(left + width / 2)}" cy="${px(top + height / 2)}" r="4"/>`;
  return {
    shape: isPoint ? place : extent === null ? '' : area,
    ...(isPoint ? { x: left + width / 2 + 7, y: top + height / 2 + 4 } : { x: left + 3, y: top + 13 }),
    isSmall: width < NEAR_PX && height < NEAR_PX,
  };
}

function lineOf(line: readonly Place[], { x, y }: View, near: (lon: number) => number): string {
  if (line.length < 2) return '';
  const points = line.map(({ lon, lat }) => `${px(x(near(lon)))},${px(y(lat))}`);
  return `<polyline class="track" points="${points.join(' ')}"/>`;
}

function nameOf(members: readonly Mapped[], x: number, y: number): string {
  const numbers = members.map(({ number }) => number);
  const more = numbers.length > NAMED_MAX ? ` and ${numbers.length - NAMED_MAX} more` : '';
  return `<text class="number" x="${px(x)}" y="${px(y)}">${numbers.slice(0, NAMED_MAX).join(', ')}${more}</text>`;
}

const px = (value: number): string => value.toFixed(1);
const wrapped = (lon: number): number => lon - 360 * Math.round(lon / 360);

function degreesText(value: number, step: number, positive: string, negative: string): string {
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const shown = Math.abs(value).toFixed(digits);
  return Number(shown) === 0 ? `${shown}°` : `${shown}° ${value > 0 ? positive : negative}`;
}
