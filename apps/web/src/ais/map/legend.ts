import { darkPalette, lightPalette, type Scheme } from '../../base/colours.ts';
import { setAttributes, svgElement } from '../../map/overlays/svg.ts';
import { type ShipColour, shipColourOf, shipColours } from './ship-colours.ts';
import { TRIANGLE } from './symbols.ts';
import type { MapTarget } from './targets.ts';
import { texts } from './texts.ts';

/** A smaller map has no room for it. */
const LEAST = { width: 640, height: 360 };
const COLOURS = Object.keys(shipColours) as ShipColour[];
const SHIPS: ReadonlySet<MapTarget['kind']> = new Set(['shipA', 'shipB', 'auxiliary']);

/** How many ships have each colour. */
export function countColours(targets: readonly MapTarget[]): Record<ShipColour, number> {
  const counts = Object.fromEntries(COLOURS.map((colour) => [colour, 0])) as Record<ShipColour, number>;
  for (const { kind, shipType } of targets) if (SHIPS.has(kind)) counts[shipColourOf(shipType)] += 1;
  return counts;
}

/** Meaning of the ships' colours, with the number of each, at the lower left of the map. */
export function createLegend() {
  const element = document.createElement('div');
  element.dataset.part = 'ship-legend';
  element.setAttribute('role', 'note');
  element.setAttribute('aria-label', texts.legend);
  Object.assign(element.style, {
    ...{ position: 'absolute', left: '8px', bottom: '48px', zIndex: '1', pointerEvents: 'none', display: 'none' },
    ...{ padding: '8px 12px', borderRadius: '8px', borderWidth: '1px', borderStyle: 'solid', minWidth: '128px' },
    ...{ fontSize: '12px', lineHeight: '20px', fontVariantNumeric: 'tabular-nums' },
  });
  const lines = COLOURS.map((colour) => {
    const line = document.createElement('div');
    Object.assign(line.style, { display: 'flex', alignItems: 'center', gap: '8px' });
    const symbol = svgElement('path', { d: `M${TRIANGLE.map((corner) => corner.join(' ')).join('L')}Z`, fill: 'none' });
    const svg = svgElement('svg', { width: 14, height: 14, viewBox: '-9 -11 18 20', 'aria-hidden': 'true' }, [symbol]);
    setAttributes(symbol, { 'stroke-width': 1.8 });
    const count = document.createElement('span');
    count.style.marginLeft = 'auto';
    count.style.paddingLeft = '16px';
    const name = document.createElement('span');
    name.textContent = texts.colours[colour];
    line.append(svg, name, count);
    element.append(line);
    return { colour, line, symbol, count };
  });
  let counts = countColours([]);
  let isShown = false;
  let isLarge = false;

  function draw() {
    const any = COLOURS.some((colour) => counts[colour] > 0);
    element.style.display = isShown && isLarge && any ? '' : 'none';
    for (const { colour, line, count } of lines) {
      line.style.display = counts[colour] > 0 ? 'flex' : 'none';
      count.textContent = texts.count(counts[colour]);
    }
  }

  return {
    element,
    show(shown: boolean) {
      isShown = shown;
      draw();
    },
    /** The map has this size now. */
    fit({ clientWidth, clientHeight }: { clientWidth: number; clientHeight: number }) {
      isLarge = clientWidth >= LEAST.width && clientHeight >= LEAST.height;
      draw();
    },
    count(targets: readonly MapTarget[]) {
      counts = countColours(targets);
      draw();
    },
    paint(scheme: Scheme) {
      const { surface, text } = scheme === 'dark' ? darkPalette : lightPalette;
      Object.assign(element.style, { color: text.primary, background: surface.panel, borderColor: surface.line });
      for (const { colour, symbol, count } of lines) {
        setAttributes(symbol, { stroke: shipColours[colour][scheme] });
        count.style.color = text.secondary;
      }
    },
  };
}
