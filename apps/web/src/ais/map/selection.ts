import type { Scheme } from '../../base/colours.ts';
import { formatMeasured } from '../../base/units.ts';
import { setAttributes, show, svgElement } from '../../map/overlays/svg.ts';
import { shipColours, targetInk } from './ship-colours.ts';
import { symbolOf, TRIANGLE, TURNING } from './symbols.ts';
import type { MapTarget } from './targets.ts';
import { texts } from './texts.ts';

const BRACKETS = 'M-13-7v-6h6M7-13h6v6M13 7v6h-6M-7 13h-6v-6';
const FONT_PX = 11;
/** Maximum width of the second line of text, in pixels. */
const TEXT_PX = 190;
const MINUTE_US = 60_000_000;

/** Returns the text of the second line, below the name of the selected target. */
export function detailOf(target: MapTarget, nowUs: number): string {
  const mmsi = String(target.mmsi)
    .padStart(9, '0')
    .replace(/(...)(?=.)/g, '$1 ');
  const kind = target.kind === 'aton' ? texts.aid : target.kind === 'base' ? texts.base : null;
  const silentMinutes = Math.floor((nowUs - target.timeUs) / MINUTE_US);
  const parts = [
    mmsi,
    kind,
    kind === null && target.sog !== null ? formatMeasured(target.sog, 'kn', 1) : null,
    kind === null && target.cog !== null ? texts.course(target.cog) : null,
    target.lost && silentMinutes > 0 ? texts.silent(silentMinutes) : null,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** Creates the drawing of the selected target: brackets, the filled symbol, the name and a line with details. */
export function createSelection() {
  const brackets = svgElement('path', { d: BRACKETS, fill: 'none', 'stroke-width': 2 });
  const fill = svgElement('path', { d: `M${TRIANGLE.map((corner) => corner.join(' ')).join('L')}Z` });
  const name = svgElement('text', { 'font-size': FONT_PX, 'font-weight': 600, y: -4 });
  const detail = svgElement('text', { 'font-size': FONT_PX, y: 10 });
  for (const text of [name, detail])
    setAttributes(text, { 'paint-order': 'stroke', 'stroke-width': 3, 'stroke-linejoin': 'round' });
  const group = svgElement('g', { 'data-part': 'chosen-ship' }, [fill, brackets, name, detail]);
  show(group, false);
  let scheme: Scheme = 'dark';

  return {
    element: group,
    paint(next: { scheme: Scheme; text: string; ground: string }) {
      scheme = next.scheme;
      setAttributes(brackets, { stroke: shipColours.authority[scheme] });
      setAttributes(name, { fill: next.text, stroke: next.ground });
      setAttributes(detail, { fill: next.text, stroke: next.ground });
    },
    draw(target: MapTarget | null, bearing: number, nowUs: number) {
      show(group, target !== null);
      if (target === null) return;
      const symbol = symbolOf(target.kind, target.virtual);
      show(fill, TURNING.has(symbol) && symbol !== 'sarAircraft');
      const scale = symbol === 'shipB' ? 0.78 : 1;
      const heading = (target.heading ?? target.cog ?? 0) - bearing;
      setAttributes(fill, {
        fill: targetInk(target, scheme),
        transform: `rotate(${heading.toFixed(1)}) scale(${scale})`,
      });
      const first = target.name ?? String(target.mmsi).padStart(9, '0');
      const second = detailOf(target, nowUs);
      if (name.textContent !== first) name.textContent = first;
      if (detail.textContent !== second) detail.textContent = second;
    },
    /** @param width width of the map in pixels; near the right edge, the text is placed to the left of the target */
    move({ x, y }: { x: number; y: number }, width: number) {
      const isLeft = x > width - TEXT_PX && x > TEXT_PX;
      for (const text of [name, detail]) {
        setAttributes(text, { 'text-anchor': isLeft ? 'end' : 'start', x: isLeft ? -18 : 18 });
      }
      setAttributes(group, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    },
  };
}
