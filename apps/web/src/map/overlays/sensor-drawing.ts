import type { Point } from '@osprey/geo';
import type { ShownFrame } from '../../onscreen/frames.ts';
import type { Target } from '../../onscreen/targets.ts';
import { centreOf, outlineOf, pointAt } from '../follow.ts';
import type { FrameChoice } from './frame-switches.ts';
import { setAttributes, show, svgElement } from './svg.ts';

type Pixel = { x: number; y: number };
type SensorState = {
  frame: ShownFrame;
  leads: boolean;
  layers: FrameChoice;
  project: (point: Point) => Pixel;
};

export type SensorDrawing = ReturnType<typeof createSensorDrawing>;

/** Draws the footprint, line of sight, frame centre and targets of one sensor. */
export function createSensorDrawing(sensorId: string) {
  const footprint = svgElement('path', { 'fill-opacity': 0.15, 'stroke-width': 1.5, 'data-part': 'footprint' });
  /**
   * Upper edge of the picture, which shows the orientation of the picture on the map; all edges if the footprint is cut
   * off.
   */
  const top = svgElement('path', { fill: 'none', 'stroke-width': 3, 'data-part': 'footprint-top' });
  /** Line at which the ground is cut off in a view with a horizon. */
  const limit = svgElement('path', {
    fill: 'none',
    'stroke-width': 1.5,
    'stroke-dasharray': '6 6',
    'data-part': 'footprint-limit',
  });
  const sight = svgElement('path', {
    fill: 'none',
    'stroke-width': 1.5,
    'stroke-dasharray': '5 4',
    'data-part': 'sight',
  });
  const centre = svgElement('path', { d: 'M-6 0H6M0-6V6', 'stroke-width': 1.5, 'data-part': 'frame-centre' });
  const target = svgElement('path', { d: 'M0-8 8 0 0 8-8 0Z', fill: 'none', 'stroke-width': 2, 'data-part': 'target' });
  const movers = svgElement('path', { fill: 'none', 'stroke-width': 1.5, 'data-part': 'vmti' });
  const group = svgElement('g', { 'data-sensor-id': sensorId }, [footprint, top, limit, sight, centre, target, movers]);

  return {
    element: group,
    paint({ ink, chosen }: { ink: string; chosen: string }) {
      setAttributes(footprint, { stroke: ink, fill: ink });
      for (const part of [top, limit, sight, centre, movers]) setAttributes(part, { stroke: ink });
      setAttributes(target, { stroke: chosen });
    },
    draw({ frame, leads, layers, project }: SensorState) {
      const { footprint: seen, cut, platform, targets } = frame;
      setAttributes(group, { 'data-record-time-us': frame.record?.timeUs ?? '' });
      setAttributes(footprint, {
        'stroke-dasharray': leads ? 'none' : '3 3',
        'data-source': seen?.source ?? (cut ? 'cut' : ''),
        'stroke-opacity': cut ? 0 : 1,
      });
      setAttributes(top, { 'stroke-width': cut ? 1.5 : 3 });
      const corners = outlineOf(frame).map(project);
      const sides = corners.map((from, at) => lineOf([from, corners[(at + 1) % corners.length]!]));
      const isLimit = (at: number) => cut?.limits.includes(at) ?? false;
      const isShown = layers.footprint && corners.length > 0;
      drawPath(footprint, isShown, () => `${lineOf(corners)}Z`);
      drawPath(top, isShown, () => (cut ? sides.filter((_, at) => !isLimit(at)).join('') : sides[0]!));
      drawPath(limit, isShown && cut !== null, () => sides.filter((_, at) => isLimit(at)).join(''));
      const middle = centreOf(frame);
      drawPath(sight, layers.sight && middle !== null && platform !== null, () =>
        lineOf([project(platform!), project(middle!)]),
      );
      drawAt(centre, layers.sight ? middle : null, project);
      drawAt(target, layers.targets ? pointAt(frame, 40) : null, project);
      const shown = layers.targets ? targets.filter(({ place }) => place !== null) : [];
      drawPath(movers, shown.length > 0, () => shown.map((one) => moverOf(one, project)).join(''));
    },
  };
}

export const lineOf = (pixels: readonly Pixel[]): string =>
  pixels.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/** Returns the path of a moving target: a square at its position, and its track. */
function moverOf({ place, path }: Target, project: (point: Point) => Pixel): string {
  const { x, y } = project(place!);
  const track = path.length > 1 ? lineOf(path.map(project)) : '';
  return `M${(x - 4).toFixed(1)} ${(y - 4).toFixed(1)}h8v8h-8Z${track}`;
}

function drawPath(element: SVGPathElement, shown: boolean, path: () => string) {
  show(element, shown);
  if (shown) setAttributes(element, { d: path() });
}

function drawAt(element: SVGElement, point: Point | null, project: (point: Point) => Pixel) {
  show(element, point !== null);
  if (!point) return;
  const { x, y } = project(point);
  setAttributes(element, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
}
