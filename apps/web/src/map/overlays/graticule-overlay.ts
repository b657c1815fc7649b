import { chartColours } from '../../base/colours.ts';
import type { Overlay, OverlayDeps, RunningOverlay } from '../overlay.ts';
import { texts } from '../texts.ts';
import { lineLabel, linesBetween, stepFor } from './graticule.ts';
import { svgElement } from './svg.ts';

/** Distance of the lines, px. */
const LINE_PX = 170;

/** Labels stay clear of the scale and the toolbar, px. */
const LABEL_INSET = 6;

/** About what one character of a label takes, px. */
const CHARACTER_PX = 7;

/** At the left edge the choice of what is followed covers the top, on a touch screen too, and meridians have their labels below, px. */
const LEFT_EDGE = { top: 68, bottom: 20 } as const;

/** Meridians and parallels with their degrees at the left and the bottom edge, drawn over the map. */
export const graticuleOverlay: Overlay = {
  id: 'graticule',
  title: texts.layers.graticule,
  group: '',
  start: startGraticule,
};

function startGraticule({ map, svg }: Pick<OverlayDeps, 'map' | 'svg'>): RunningOverlay {
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
      // Cut at an edge it would show another place.
      if (x >= half && x <= width - half) group.append(label(text, x, height - LABEL_INSET, 'middle'));
    }
    for (const lat of linesBetween(Math.max(south, -85), Math.min(north, 85), latStep)) {
      const { y } = map.project([middle.lng, lat]);
      group.append(line({ x1: 0, x2: width, y1: y, y2: y }));
      const isFree = y >= LEFT_EDGE.top && y <= height - LEFT_EDGE.bottom;
      if (isFree) group.append(label(lineLabel(lat, latStep, ['N', 'S']), LABEL_INSET, y - 4, 'start'));
    }
  }

  const line = (ends: { x1: number; x2: number; y1: number; y2: number }) =>
    svgElement('line', { ...ends, stroke: colours.grid, 'stroke-width': 1 });

  function label(text: string, x: number, y: number, anchor: string) {
    const element = svgElement('text', {
      x,
      y,
      'font-size': 11,
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
