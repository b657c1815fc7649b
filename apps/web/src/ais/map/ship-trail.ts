import { setAttributes, show, svgElement } from '../../map/overlays/svg.ts';
import type { TrailPoint } from './targets.ts';

const PIECES = 6;
const MINUTE_US = 60_000_000;
/**
 * Possible intervals in minutes between the time labels on a trail; the smallest one that leaves enough room between
 * labels is used.
 */
const STEPS_MIN = [1, 2, 5, 10, 30, 60, 180, 360, 720, 1440];
const POINT_SPACING_PX = 64;
const MAX_TIMES = 40;
const CLEAR_PX = 24;

type Pixel = { x: number; y: number };
type Project = (point: { latitude: number; longitude: number }) => Pixel;

/**
 * Returns the times at whole multiples of the step, each with its position interpolated between the neighbouring points
 * of the trail.
 */
export function timesOn(points: readonly (TrailPoint | null)[], stepUs: number): TrailPoint[] {
  const times: TrailPoint[] = [];
  for (let i = 1; i < points.length; i++) {
    const [from, to] = [points[i - 1], points[i]];
    if (!from || !to) continue;
    for (let timeUs = Math.ceil(from.timeUs / stepUs) * stepUs; timeUs <= to.timeUs; timeUs += stepUs) {
      if (timeUs === from.timeUs && times.at(-1)?.timeUs === timeUs) continue;
      const share = to.timeUs === from.timeUs ? 0 : (timeUs - from.timeUs) / (to.timeUs - from.timeUs);
      const latitude = from.latitude + (to.latitude - from.latitude) * share;
      times.push({ latitude, longitude: from.longitude + (to.longitude - from.longitude) * share, timeUs });
      if (times.length > 2000) return times;
    }
  }
  return times;
}

/** Returns the smallest step for which the time labels are far enough apart on the screen, in microseconds. */
export function stepFor(points: readonly (TrailPoint | null)[], project: Project): number {
  const known = points.filter((point) => point !== null);
  const lengthPx = known.slice(1).reduce((sum, point, index) => {
    const [a, b] = [project(known[index]!), project(point)];
    return sum + Math.hypot(a.x - b.x, a.y - b.y);
  }, 0);
  const spanUs = (known.at(-1)?.timeUs ?? 0) - (known[0]?.timeUs ?? 0);
  const requested = Math.max(1, Math.min(MAX_TIMES, lengthPx / POINT_SPACING_PX));
  return (STEPS_MIN.find((minutes) => spanUs / (minutes * MINUTE_US) <= requested) ?? 1440) * MINUTE_US;
}

const clock = (timeUs: number): string => new Date(timeUs / 1000).toISOString().slice(11, 16);

/** Creates the trail of the selected target, which fades with age and has time labels. */
export function createShipTrail() {
  const pieces = Array.from({ length: PIECES }, (_, index) =>
    svgElement('path', { fill: 'none', 'stroke-width': 2, 'stroke-opacity': ((index + 2) / (PIECES + 1)).toFixed(2) }),
  );
  const ticks = svgElement('path', { 'stroke-width': 1.5, fill: 'none' });
  const texts = svgElement('g', {
    'font-size': 11,
    'paint-order': 'stroke',
    'stroke-width': 3,
    'stroke-linejoin': 'round',
  });
  const group = svgElement('g', { 'data-part': 'ship-trail', 'stroke-linecap': 'round' }, [...pieces, ticks, texts]);
  const pool: SVGTextElement[] = [];
  show(group, false);

  return {
    element: group,
    paint({ text, ground }: { text: string; ground: string }) {
      setAttributes(texts, { fill: text, stroke: ground });
    },
    draw(points: readonly (TrailPoint | null)[], ink: string, project: Project) {
      const known = points.filter((point) => point !== null);
      show(group, known.length > 1);
      if (known.length < 2) return;
      const [firstUs, lastUs] = [known[0]!.timeUs, known.at(-1)!.timeUs];
      const paths = pieces.map(() => '');
      let before: TrailPoint | null = null;
      for (const point of points) {
        if (point !== null && before !== null) {
          const age = lastUs === firstUs ? 1 : (point.timeUs - firstUs) / (lastUs - firstUs);
          const piece = Math.max(0, Math.min(PIECES - 1, Math.ceil(age * PIECES) - 1));
          const [from, to] = [project(before), project(point)];
          paths[piece] += `M${from.x.toFixed(1)} ${from.y.toFixed(1)}L${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
        }
        before = point;
      }
      for (const [index, piece] of pieces.entries()) setAttributes(piece, { d: paths[index]!, stroke: ink });
      const end = project(known.at(-1)!);
      const times = timesOn(points, stepFor(points, project))
        .slice(-MAX_TIMES)
        // Omit labels near the end of the trail, since the name of the ship is there.
        .filter((time) => Math.hypot(project(time).x - end.x, project(time).y - end.y) > CLEAR_PX);
      let marks = '';
      while (pool.length < times.length)
        pool.push(texts.appendChild(svgElement('text', { 'dominant-baseline': 'central' })));
      pool.forEach((element, index) => {
        const time = times[index];
        show(element, time !== undefined);
        if (time === undefined) return;
        const { x, y } = project(time);
        marks += `M${(x - 3).toFixed(1)} ${y.toFixed(1)}h6`;
        const label = clock(time.timeUs);
        if (element.textContent !== label) element.textContent = label;
        setAttributes(element, { x: (x + 7).toFixed(1), y: y.toFixed(1) });
      });
      setAttributes(ticks, { d: marks, stroke: ink });
    },
    hide: () => show(group, false),
  };
}
