import type { Point } from '@osprey/geo';
import { lineOf } from './sensor-drawing.ts';
import { setAttributes, show, svgElement } from './svg.ts';

/** Maximum jump in time, in microseconds, over which a trail is drawn (specification 2, section 9). */
const CLEAR_TRAIL_US = 2_000_000;

/** Number of pieces in which the trail is drawn; older pieces are fainter. */
const TRAIL_PIECES = 8;

/** Maximum number of points that one piece needs. */
const PIECE_POINTS = 40;

export type TrailPlace = Point & { timeUs: number };
type TrailOptions = { untilUs: number; lengthUs: number; project: (point: Point) => { x: number; y: number } };

/** Creates the path of a platform up to the present, which fades with age. */
export function createTrail() {
  const pieces = Array.from({ length: TRAIL_PIECES }, (_, index) =>
    svgElement('path', { fill: 'none', 'stroke-width': 2, 'stroke-opacity': ((index + 1) / TRAIL_PIECES).toFixed(2) }),
  );
  const group = svgElement('g', { 'data-part': 'trail', 'stroke-linecap': 'round' }, pieces);
  show(group, false);
  return {
    element: group,
    paint(ink: string) {
      setAttributes(group, { stroke: ink });
    },
    hide() {
      show(group, false);
    },
    /** Draws the trail. `places`: positions from the oldest to that at `untilUs`. */
    draw(places: Iterable<TrailPlace>, { untilUs, lengthUs, project }: TrailOptions) {
      show(group, true);
      const points: Point[][] = pieces.map(() => []);
      let last = Number.NEGATIVE_INFINITY;
      const stepUs = lengthUs / TRAIL_PIECES / PIECE_POINTS;
      for (const { timeUs, lat, lon } of places) {
        if (timeUs - last < stepUs && timeUs !== untilUs) continue;
        if (timeUs - last > Math.max(CLEAR_TRAIL_US, stepUs * 2)) for (const piece of points) piece.length = 0;
        last = timeUs;
        const age = (untilUs - timeUs) / lengthUs;
        const at = Math.min(TRAIL_PIECES - 1, Math.floor((1 - age) * TRAIL_PIECES));
        points[at]!.push({ lat, lon });
      }
      let before: Point | undefined;
      points.forEach((piece, index) => {
        const line = before && piece.length > 0 ? [before, ...piece] : piece;
        setAttributes(pieces[index]!, { d: line.length > 1 ? lineOf(line.map(project)) : '' });
        before = piece.at(-1) ?? before;
      });
    },
  };
}
