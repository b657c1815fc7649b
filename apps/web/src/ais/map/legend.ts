import { darkPalette, lightPalette, platformInk, type Scheme } from '../../base/colours.ts';
import { plainText } from '../../base/format.ts';
import { setAttributes, svgElement } from '../../map/overlays/svg.ts';
import { type ShipColour, shipColourOf, shipColours } from './ship-colours.ts';
import { TRIANGLE } from './symbols.ts';
import type { ListLine, MapTarget } from './targets.ts';
import { texts } from './texts.ts';

/** Minimum size of the map in pixels for which the legend is shown; a smaller map has no room for it. */
const MAP_MIN_PX = { width: 640, height: 360 };
const COLOURS = Object.keys(shipColours) as ShipColour[];
const SHIPS: ReadonlySet<MapTarget['kind']> = new Set(['shipA', 'shipB', 'auxiliary']);

/** Returns the number of ships in the colour of each type. */
export function countColours(targets: readonly MapTarget[]): Record<ShipColour, number> {
  const counts = Object.fromEntries(COLOURS.map((colour) => [colour, 0])) as Record<ShipColour, number>;
  for (const { kind, shipType, colour } of targets) {
    if (colour === null && SHIPS.has(kind)) counts[shipColourOf(shipType)] += 1;
  }
  return counts;
}

/** Maximum number of ship lists that the legend names. */
const LISTS_MAX = 6;

/** Creates the legend at the lower left of the map, with the colours of ships and the number of ships in each. */
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
  const makeLine = (text: string) => {
    const line = document.createElement('div');
    Object.assign(line.style, { display: 'flex', alignItems: 'center', gap: '8px', maxWidth: '220px' });
    const symbol = svgElement('path', { d: `M${TRIANGLE.map((corner) => corner.join(' ')).join('L')}Z`, fill: 'none' });
    const svg = svgElement('svg', { width: 14, height: 14, viewBox: '-9 -11 18 20', 'aria-hidden': 'true' }, [symbol]);
    svg.style.flex = 'none';
    setAttributes(symbol, { 'stroke-width': 1.8 });
    const count = document.createElement('span');
    count.style.marginLeft = 'auto';
    count.style.paddingLeft = '16px';
    const name = document.createElement('span');
    name.textContent = text;
    Object.assign(name.style, { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' });
    line.append(svg, name, count);
    element.append(line);
    return { line, symbol, count };
  };
  const lines = COLOURS.map((colour) => ({ colour, ...makeLine(texts.colours[colour]) }));
  let scheme: Scheme = 'dark';
  /** Legend lines of the ship lists, rebuilt when the lists change. */
  let listLines: { colour: string; ships: number; line: HTMLElement; symbol: SVGElement; count: HTMLElement }[] = [];
  let lists: readonly ListLine[] = [];

  let counts = countColours([]);
  let isShown = false;
  let isLarge = false;

  function draw() {
    const any = COLOURS.some((colour) => counts[colour] > 0) || listLines.some(({ ships }) => ships > 0);
    element.style.display = isShown && isLarge && any ? '' : 'none';
    for (const { colour, line, count } of lines) {
      line.style.display = counts[colour] > 0 ? 'flex' : 'none';
      count.textContent = texts.count(counts[colour]);
    }
    for (const { ships, line, count } of listLines) {
      line.style.display = ships > 0 ? 'flex' : 'none';
      count.textContent = texts.count(ships);
    }
  }

  function nameLists(next: readonly ListLine[]) {
    if (next === lists) return;
    lists = next;
    for (const { line } of listLines) line.remove();
    listLines = next
      .slice(0, LISTS_MAX)
      .flatMap(({ name, colour }) => (colour === null ? [] : [{ name, colour }]))
      .map(({ name, colour }) => ({ colour, ships: 0, ...makeLine(plainText(name)) }));
    paintLists();
  }

  function paintLists() {
    for (const { colour, symbol, count } of listLines) {
      setAttributes(symbol, { stroke: platformInk(colour, scheme) });
      count.style.color = (scheme === 'dark' ? darkPalette : lightPalette).text.secondary;
    }
  }

  return {
    element,
    show(shown: boolean) {
      isShown = shown;
      draw();
    },
    /** Called with the map element when its size has changed. */
    fit({ clientWidth, clientHeight }: { clientWidth: number; clientHeight: number }) {
      isLarge = clientWidth >= MAP_MIN_PX.width && clientHeight >= MAP_MIN_PX.height;
      draw();
    },
    count(targets: readonly MapTarget[], ofLists: readonly ListLine[]) {
      counts = countColours(targets);
      nameLists(ofLists);
      for (const one of listLines) one.ships = targets.filter(({ colour }) => colour === one.colour).length;
      draw();
    },
    paint(next: Scheme) {
      scheme = next;
      paintLists();
      const { surface, text } = scheme === 'dark' ? darkPalette : lightPalette;
      Object.assign(element.style, { color: text.primary, background: surface.panel, borderColor: surface.line });
      for (const { colour, symbol, count } of lines) {
        setAttributes(symbol, { stroke: shipColours[colour][scheme] });
        count.style.color = text.secondary;
      }
    },
  };
}
