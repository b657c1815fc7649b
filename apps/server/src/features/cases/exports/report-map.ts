import type { FrozenPart } from './frozen.ts';
import type { Place } from './part-files.ts';

/** What a part has on the map. */
export type Mapped = { number: number; extent: FrozenPart['extent']; tracks: readonly (readonly Place[])[] };

const [WIDTH, HEIGHT, MARGIN] = [700, 380, 46];
/** Degrees between the lines of the grid, widest first. */
const STEPS = [45, 30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
const LINES_MIN = 3;
const SPAN_MIN = 0.004;

/** A drawing of where the parts are, with a grid of degrees; null where none has a place. It names parts by their number. */
export function mapOf(parts: readonly Mapped[]): string | null {
  const boxes = parts.flatMap(({ extent, tracks }) => [
    ...(extent === null ? [] : [extent]),
    ...tracks.flatMap((line) => line.map(({ lon, lat }) => [lon, lat, lon, lat] as const)),
  ]);
  const [first] = boxes;
  if (first === undefined) return null;
  // All longitudes within half a turn of the first, so that the antimeridian cuts nothing.
  const near = (lon: number) => lon - 360 * Math.round((lon - first[0]) / 360);
  const shifted = boxes.map(([west, south, east, north]) => {
    const from = near(west);
    return [from, south, from + ((((east - west) % 360) + 360) % 360), north] as const;
  });
  const ends = shifted.reduce(
    ([w, s, e, n], [west, south, east, north]) => [
      Math.min(w, west),
      Math.min(s, south),
      Math.max(e, east),
      Math.max(n, north),
    ],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY] as const,
  );
  const view = viewOf(ends);
  const shapes = parts.map((part) => drawn(part, view, near)).join('');
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Where the parts are"><rect class="sea" width="${WIDTH}" height="${HEIGHT}"/>${grid(view)}${shapes}</svg>`;
}

type View = {
  x: (lon: number) => number;
  y: (lat: number) => number;
  west: number;
  east: number;
  south: number;
  north: number;
};

/** Equirectangular, with degrees of longitude as short as they are in the middle. */
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

function grid({ x, y, west, east, south, north }: View): string {
  const step = STEPS.find((one) => Math.min(east - west, north - south) / one >= LINES_MIN) ?? STEPS.at(-1)!;
  let text = '';
  for (let lon = Math.ceil(west / step) * step; lon <= east; lon += step) {
    text += `<path class="grid" d="M${px(x(lon))} 0V${HEIGHT}"/><text x="${px(x(lon) + 3)}" y="${HEIGHT - 5}">${degreesText(wrapped(lon), step, 'E', 'W')}</text>`;
  }
  for (let lat = Math.ceil(Math.max(-90, south) / step) * step; lat <= Math.min(90, north); lat += step) {
    text += `<path class="grid" d="M0 ${px(y(lat))}H${WIDTH}"/><text x="4" y="${px(y(lat) - 3)}">${degreesText(lat, step, 'N', 'S')}</text>`;
  }
  return text;
}

function drawn({ number, extent, tracks }: Mapped, { x, y }: View, near: (lon: number) => number): string {
  const lines = tracks
    .filter((line) => line.length > 1)
    .map(
      (line) =>
        `<polyline class="track" points="${line.map(({ lon, lat }) => `${px(x(near(lon)))},${px(y(lat))}`).join(' ')}"/>`,
    );
  const [start] = tracks.flat();
  if (extent === null && start === undefined) return '';
  const [west, south, east, north] = extent ?? [start!.lon, start!.lat, start!.lon, start!.lat];
  const from = near(west);
  const left = x(from);
  const width = x(from + ((((east - west) % 360) + 360) % 360)) - left;
  const [top, height] = [y(north), y(south) - y(north)];
  const isPoint = width < 6 && height < 6;
  const [cx, cy] = [left + width / 2, top + height / 2];
  const shape = isPoint
    ? `<circle class="place" cx="${px(cx)}" cy="${px(cy)}" r="4"/>`
    : `<rect class="area" x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(height)}"/>`;
  return `${lines.join('')}${shape}<text class="number" x="${px(isPoint ? cx + 7 : left + 3)}" y="${px(isPoint ? cy + 4 : top + 13)}">${number}</text>`;
}

const px = (value: number): string => value.toFixed(1);
const wrapped = (lon: number): number => lon - 360 * Math.round(lon / 360);

function degreesText(value: number, step: number, positive: string, negative: string): string {
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const shown = Math.abs(value).toFixed(digits);
  return Number(shown) === 0 ? `${shown}°` : `${shown}° ${value > 0 ? positive : negative}`;
}
