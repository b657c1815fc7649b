import { chartColours } from '../../base/colours.ts';
import type { Overlay, OverlayDeps, RunningOverlay } from '../overlay.ts';
import { texts } from '../texts.ts';
import { lineLabel, linesBetween, stepFor } from './graticule.ts';
import { svgElement } from './svg.ts';

/** Distance between the lines in pixels. */
const LINE_PX = 170;

/** Distance of labels from the edge in pixels, which keeps them clear of the scale and the toolbar. */
const LABEL_INSET = 6;

const FONT_PX = 11;
const PLATE_PX = 4;

/** Approximate width of one character of a label, in pixels. */
const CHARACTER_PX = 7;

/** Edges at which the labels are, and the pixels at the ends of these edges that controls of the map cover. */
type Edges = {
  parallels: { at: 'left' | 'right'; top: number; bottom: number };
  meridians: { at: 'top' | 'bottom'; left: number; right: number };
};

/**
 * Edges on a normal map. At the top of the left edge, the menu of what the map follows covers the labels (also on a
 * touch screen); the meridians have their labels at the bottom.
 */
const FREE_EDGES: Edges = {
  parallels: { at: 'left', top: 68, bottom: 20 },
  meridians: { at: 'bottom', left: 0, right: 0 },
};

/** Overlay with meridians and parallels, and their degrees at the left and the bottom edge. */
export const graticuleOverlay: Overlay = {
  id: 'graticule',
  title: texts.layers.graticule,
  group: '',
  start: (deps) => startGraticule(deps, FREE_EDGES),
};

/** Draws the lines over a map, with their degrees at two of its edges. */
export function startGraticule({ map, svg }: Pick<OverlayDeps, 'map' | 'svg'>, edges: Edges): RunningOverlay {
  const { parallels, meridians } = edges;
  const group = svgElement('g', { 'data-part': 'graticule', 'aria-hidden': 'true' });
  svg.append(group);
  let shown = false;
  let colours: { grid: string; text: string; sea: string } = chartColours.dark;

  function redraw() {
    group.replaceChildren();
    if (!shown) return;
    const { clientWidth: width, clientHeight: height } = map.getContainer();
    if (width === 0 || height === 0) return;
    const bounds = map.getBounds();
    const [west, east, south, north] = [bounds.getWest(), bounds.getEast(), bounds.getSouth(), bounds.getNorth()];
    const lonStep = stepFor(east - west, Math.max(2, width / LINE_PX));
    const latStep = stepFor(north - south, Math.max(2, height / LINE_PX));
    const middle = map.getCenter();
    for (const lon of linesBetween(west, east, lonStep)) {
      const { x } = map.project([lon, middle.lat]);
      group.append(line({ x1: x, x2: x, y1: 0, y2: height }));
      const text = lineLabel(lon, lonStep, ['E', 'W']);
      const half = (text.length * CHARACTER_PX) / 2;
      // A label that is cut off at an edge would show a different place, so it is omitted.
      const isFree = x >= meridians.left + half && x <= width - meridians.right - half;
      const y = meridians.at === 'top' ? LABEL_INSET + FONT_PX : height - LABEL_INSET;
      if (isFree)
        group.append(plate(x - half - PLATE_PX, y - FONT_PX, 2 * (half + PLATE_PX)), label(text, x, y, 'middle'));
    }
    for (const lat of linesBetween(Math.max(south, -85), Math.min(north, 85), latStep)) {
      const { y } = map.project([middle.lng, lat]);
      group.append(line({ x1: 0, x2: width, y1: y, y2: y }));
      const isFree = y >= parallels.top && y <= height - parallels.bottom;
      const [x, anchor] = parallels.at === 'left' ? [LABEL_INSET, 'start'] : [width - LABEL_INSET, 'end'];
      if (!isFree) continue;
      const text = lineLabel(lat, latStep, ['N', 'S']);
      const wide = text.length * CHARACTER_PX + LABEL_INSET + PLATE_PX;
      group.append(plate(anchor === 'start' ? 0 : width - wide, y - FONT_PX - 4, wide), label(text, x, y - 4, anchor));
    }
  }

  const line = (ends: { x1: number; x2: number; y1: number; y2: number }) =>
    svgElement('line', { ...ends, stroke: colours.grid, 'stroke-width': 1 });

  /** Ground of a label in the margin: what is drawn below it does not run through its letters. */
  const plate = (x: number, y: number, width: number) =>
    svgElement('rect', { x, y, width, height: FONT_PX + 4, rx: 2, fill: colours.sea, 'fill-opacity': 0.85 });

  function label(text: string, x: number, y: number, anchor: string) {
    const element = svgElement('text', {
      x,
      y,
      'font-size': FONT_PX,
      'text-anchor': anchor,
      fill: colours.text,
      stroke: colours.sea,
      'stroke-width': 3,
      'paint-order': 'stroke',
    });
    element.textContent = text;
    return element;
  }

  map.on('move', redraw);
  map.on('resize', redraw);
  return {
    show(next) {
      shown = next;
      redraw();
    },
    paint({ scheme }) {
      colours = chartColours[scheme];
      redraw();
    },
    stop() {
      map.off('move', redraw);
      map.off('resize', redraw);
    },
  };
}
