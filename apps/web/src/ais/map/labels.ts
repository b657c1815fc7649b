import { setAttributes, show, svgElement } from '../../map/overlays/svg.ts';
import type { MapTarget } from './targets.ts';
import { texts } from './texts.ts';

/** A label to be placed. Labels that come earlier in the list have priority. */
export type Requested = { target: MapTarget; x: number; y: number; text: string | null };
type Box = { left: number; top: number; right: number; bottom: number };
type Placed = { target: MapTarget; text: string; dx: number; anchor: 'start' | 'end' };

/** Maximum number of names: more would not be readable, and would be slow to place. */
const MAX_LABELS = 120;
const FONT_PX = 11;
const MINUTE_US = 60_000_000;
const HEIGHT_PX = 14;
const GAP_PX = 12;
/** Half the size of a symbol in pixels; names do not overlap symbols. */
const SYMBOL_PX = 8;

/**
 * Places names to the right or left of their symbol, so that none overlaps another name or symbol.
 *
 * @param taken boxes that are already occupied, such as the label of the selected target
 */
export function placeLabels(
  requested: readonly Requested[],
  widthOf: (text: string) => number,
  size: { width: number; height: number },
  taken: readonly Box[] = [],
): Placed[] {
  const boxes = [...taken];
  const symbols = requested.map(({ x, y }) => ({
    left: x - SYMBOL_PX,
    top: y - SYMBOL_PX,
    right: x + SYMBOL_PX,
    bottom: y + SYMBOL_PX,
  }));
  const placed: Placed[] = [];
  for (const [index, { target, x, y, text }] of requested.entries()) {
    if (placed.length >= MAX_LABELS) break;
    if (text === null || x < 0 || y < 0 || x > size.width || y > size.height) continue;
    const width = widthOf(text);
    for (const anchor of sidesOf(target)) {
      const left = anchor === 'start' ? x + GAP_PX : x - GAP_PX - width;
      const box = { left, top: y - HEIGHT_PX / 2, right: left + width, bottom: y + HEIGHT_PX / 2 };
      if (box.left < 0 || box.right > size.width || boxes.some((other) => meet(box, other))) continue;
      if (symbols.some((symbol, other) => other !== index && meet(box, symbol))) continue;
      boxes.push(box);
      placed.push({ target, text, dx: anchor === 'start' ? GAP_PX : -GAP_PX, anchor });
      break;
    }
  }
  return placed;
}

/** Returns the name of a target; for a lost one, followed by the number of minutes since its last report. */
export function labelOf({ name, lost, timeUs }: MapTarget, nowUs: number): string | null {
  if (name === null || !lost) return name;
  return texts.lost(name, Math.max(0, Math.floor((nowUs - timeUs) / MINUTE_US)));
}

/**
 * Returns the sides to try, beginning with the side opposite to the ship's course, since its vector is on the other
 * side.
 */
const sidesOf = ({ cog, sog }: MapTarget): readonly ('start' | 'end')[] =>
  cog !== null && cog < 180 && (sog ?? 0) > 1 ? ['end', 'start'] : ['start', 'end'];

const meet = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Creates the names next to the targets, as SVG text over the map. */
export function createLabels() {
  const group = svgElement('g', { 'data-part': 'ship-names', 'font-size': FONT_PX, 'paint-order': 'stroke' });
  const pool: SVGTextElement[] = [];
  const widths = new Map<string, number>();
  const context = document.createElement('canvas').getContext('2d');
  let placed: readonly Placed[] = [];

  const widthOf = (text: string): number => {
    let width = widths.get(text);
    if (width === undefined) {
      if (context !== null) context.font = `500 ${FONT_PX}px "Inter Variable", Inter, sans-serif`;
      width = context?.measureText(text).width ?? text.length * 6.5;
      if (widths.size > 20_000) widths.clear();
      widths.set(text, width);
    }
    return width;
  };

  return {
    element: group,
    widthOf,
    paint({ text, ground }: { text: string; ground: string }) {
      setAttributes(group, {
        fill: text,
        stroke: ground,
        'stroke-width': 3,
        'stroke-linejoin': 'round',
        'font-weight': 500,
      });
    },
    /** Chooses which names are shown, and where. */
    choose(requested: readonly Requested[], size: { width: number; height: number }, taken: readonly Box[]) {
      placed = placeLabels(requested, widthOf, size, taken);
      while (pool.length < placed.length) {
        const element = svgElement('text', { 'dominant-baseline': 'central' });
        pool.push(element);
        group.append(element);
      }
      pool.forEach((element, index) => {
        const label = placed[index];
        show(element, label !== undefined);
        if (label === undefined) return;
        // Set as text and never as markup, since names are received by radio and cannot be trusted.
        if (element.textContent !== label.text) element.textContent = label.text;
        setAttributes(element, { 'text-anchor': label.anchor });
      });
    },
    /** Moves the names that are shown when the map moves. */
    move(project: (target: MapTarget) => { x: number; y: number }) {
      placed.forEach(({ target, dx }, index) => {
        const { x, y } = project(target);
        setAttributes(pool[index]!, { x: (x + dx).toFixed(1), y: y.toFixed(1) });
      });
    },
    clear() {
      placed = [];
      for (const element of pool) show(element, false);
    },
    /** Returns the ids of the targets whose names are shown. */
    shown: (): readonly string[] => placed.map(({ target }) => target.id),
  };
}
