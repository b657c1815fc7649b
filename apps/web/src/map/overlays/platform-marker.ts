import { symbolOf } from '../../onscreen/symbols.ts';
import { setAttributes, show, svgElement } from './svg.ts';

const RADIUS = 13;

type MarkerState = {
  x: number;
  y: number;
  headingDeg: number | null;
  /** True if no more telemetry arrives; the marker then stays at the last position, as an outline. */
  stale: boolean;
  recordTimeUs: number;
};

type Platform = {
  type: string;
  name: string;
  /** Makes the marker a button with this name. */
  button?: { label: string; onPress: () => void };
};

/**
 * Creates the marker: a disc with the symbol of the platform and, if the heading is known, a pointer in its direction.
 */
export function createPlatformMarker({ type, name, button }: Platform) {
  const symbol = symbolOf(type);
  const disc = svgElement('circle', { r: RADIUS, 'stroke-width': 2 });
  const icon = svgElement('path', { d: symbol.path });
  const pointer = svgElement('path', { d: `M0 ${-RADIUS - 9} l5 7 h-10 z` });
  const label = svgElement('text', {
    x: RADIUS + 7,
    y: 4,
    'font-size': 12,
    'font-weight': 600,
    'paint-order': 'stroke',
  });
  label.textContent = shortName(name);
  const title = svgElement('title');
  title.textContent = name;
  const group = svgElement('g', { 'data-part': 'platform-marker', role: 'img', 'aria-label': name }, [
    title,
    pointer,
    disc,
    icon,
    label,
  ]);
  if (button) makeButton(group, button);
  show(group, false);
  return {
    element: group,
    paint(colours: { ink: string; ground: string; text: string }) {
      setAttributes(disc, { stroke: colours.ink, fill: colours.ground });
      setAttributes(icon, { fill: colours.text });
      setAttributes(pointer, { fill: colours.ink });
      setAttributes(label, { fill: colours.text, stroke: colours.ground, 'stroke-width': 3 });
    },
    draw({ x, y, headingDeg, stale, recordTimeUs }: MarkerState) {
      show(group, true);
      setAttributes(group, {
        transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
        'data-record-time-us': recordTimeUs,
        'data-stale': String(stale),
      });
      const turn = symbol.turns && headingDeg !== null ? `rotate(${headingDeg.toFixed(1)}) ` : '';
      setAttributes(icon, { transform: `${turn}scale(0.75) translate(-12 -12)`, opacity: stale ? 0.45 : 1 });
      setAttributes(disc, { 'stroke-dasharray': stale ? '3 3' : 'none' });
      show(pointer, headingDeg !== null);
      setAttributes(pointer, { transform: `rotate(${(headingDeg ?? 0).toFixed(1)})` });
    },
    hide() {
      show(group, false);
    },
  };
}

/**
 * Maximum number of letters of the name next to the symbol; longer names would extend beyond the map, and over the
 * labels at its edge.
 */
const NAME_MAX = 24;

/** Shortens a name in its middle, since the names of a series differ at the beginning or the end. */
function shortName(name: string): string {
  const letters = [...name];
  if (letters.length <= NAME_MAX) return name;
  const half = (NAME_MAX - 1) / 2;
  return `${letters.slice(0, Math.ceil(half)).join('')}…${letters.slice(-Math.floor(half)).join('')}`;
}

function makeButton(group: SVGGElement, { label, onPress }: NonNullable<Platform['button']>) {
  setAttributes(group, { role: 'button', 'aria-label': label, tabindex: 0 });
  // The SVG over the map ignores the pointer, so pointer events are enabled for the marker.
  group.style.pointerEvents = 'auto';
  group.style.cursor = 'pointer';
  group.addEventListener('click', onPress);
  group.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') onPress();
  });
}
