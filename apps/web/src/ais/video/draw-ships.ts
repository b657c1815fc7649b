import type { InPicture, VesselInFrame } from '@osprey/geo';
import { fill, formatNumber } from '../../base/format.ts';
import { formatMeasured } from '../../base/units.ts';
import { svgElement } from '../../map/overlays/svg.ts';
import type { PictureBox, Target } from '../../onscreen/targets.ts';
import { type Box, boxOf, numberPlace } from '../../player/picture/overlay.ts';
import type { PictureRect } from '../../player/picture/picture.ts';
import type { ShipNow } from './in-frame-now.ts';
import { texts } from './texts.ts';

/**
 * Colours for drawing on video of any content. They are the same in both colour schemes, like those of moving targets
 * (see overlay.ts of the player).
 */
const INK = '#F2F5F9';
const CHOSEN = '#F5D76E';
const NO_AIS = '#FF9E94';
const SHADOW = 'rgba(0, 0, 0, 0.75)';

const FONT_PX = 12;
const FONT = `${FONT_PX}px "Inter Variable", system-ui, sans-serif`;
/** Length of the arm of a bracket, as a share of the side of the box, limited to ARM_PX pixels. */
const ARM_SHARE = 0.25;
const ARM_PX = { least: 5, most: 14 };
/** Space in pixels between the number of a target and the text after it. */
const SPACE_PX = 4;
/** Minimum position error, in metres, from which the error is shown and its ellipse drawn. */
const ERROR_M = 50;
const LABEL_HIGH_PX = 16;

export type ShipDrawing = { seen: VesselInFrame; ship: ShipNow };

type Drawn = {
  ships: readonly ShipDrawing[];
  /** Moving targets of the same frame; the player draws their brackets and numbers. */
  targets: readonly Target[];
  /** Whether AIS was received at this time. Only then is a target without a ship marked as having no AIS. */
  heard: boolean;
  chosen: number | null;
  rect: PictureRect;
};

/**
 * Draws the ships in a picture: brackets, name and speed; if a moving target is one of the ships, the name is drawn
 * next to the target's number. Returns the numbers of the targets that cannot be any of the ships.
 */
export function drawShips(layer: SVGGElement, drawn: Drawn): ReadonlySet<number> {
  const { ships, targets, heard, chosen, rect } = drawn;
  const taken: Box[] = [];
  const elements: SVGElement[] = [];
  // The label of the chosen ship is placed first.
  const order = [...ships].sort((a, b) => Number(b.ship.mmsi === chosen) - Number(a.ship.mmsi === chosen));
  for (const { seen, ship } of order) {
    const ink = ship.mmsi === chosen ? CHOSEN : INK;
    const target = targets.find(({ id, box }) => id === ship.target && box !== null);
    const group = svgElement('g', { 'data-mmsi': ship.mmsi, cursor: 'pointer', 'pointer-events': 'all' });
    if (!ship.sure) group.setAttribute('opacity', '0.75');
    if (target?.box) group.append(...beside(target.id, boxOf(rect, target.box), { ship, ink, taken, rect }));
    else {
      const box = inside(boxOf(rect, boundsOf(seen.outline, seen.middle)), rect);
      group.append(
        ...ellipse(seen, rect, ink),
        ...brackets(box, ink, ship.sure),
        ...label(box, { ship, ink, taken, rect }),
      );
    }
    elements.push(group);
  }
  const unheard = heard ? withoutAis(targets, ships) : [];
  elements.push(...unheard.map(({ id, box }) => noAis(id, boxOf(rect, box), rect)));
  layer.replaceChildren(...elements);
  return new Set(unheard.map(({ id }) => id));
}

/** Returns the targets that cannot be any of the ships. Used only if AIS was received at all. */
const withoutAis = (targets: readonly Target[], ships: readonly ShipDrawing[]) =>
  targets.flatMap(({ id, box }) =>
    box === null || ships.some(({ ship, seen }) => ship.target === id || mayBe(seen, box)) ? [] : [{ id, box }],
  );

function noAis(id: number, box: Box, rect: PictureRect): SVGElement {
  const parts: Part[] = [{ words: texts.noAis, weight: 600 }];
  return text(besideNumber(id, box, { rect, widthPx: lengthOf(parts) }), parts, NO_AIS);
}

/**
 * Returns the position for a text after the number of a target, which the player draws. If the text would not fit into
 * the picture there, it is placed above or below.
 */
function besideNumber(id: number, box: Box, { rect, widthPx }: { rect: PictureRect; widthPx: number }) {
  const numberPx = widthOf(String(id), 600);
  const { x, y } = numberPlace(rect, box, numberPx);
  const end = rect.left + rect.width - 2;
  const after = x + numberPx + SPACE_PX;
  if (after + widthPx <= end || box.x > end) return { x: after, y };
  const isRoomAbove = y - LABEL_HIGH_PX - FONT_PX >= rect.top;
  return { x: Math.max(rect.left + 2, end - widthPx), y: isRoomAbove ? y - LABEL_HIGH_PX : y + LABEL_HIGH_PX };
}

/** Whether the middle of a box lies within the error ellipse of a ship, as projected into the picture. */
function mayBe({ ellipse: border }: VesselInFrame, { left, right, top, bottom }: PictureBox): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  let isInside = false;
  border.forEach((to, at) => {
    const from = border[at === 0 ? border.length - 1 : at - 1]!;
    if (from.y > y !== to.y > y && x < from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x))
      isInside = !isInside;
  });
  return isInside;
}

type Labelled = { ship: ShipNow; ink: string; taken: Box[]; rect: PictureRect };

/** Draws the name of a ship next to the number of a target, which the player draws. */
function beside(id: number, box: Box, { ship, ink, taken, rect }: Labelled): SVGElement[] {
  const parts = partsOf(ship);
  const at = besideNumber(id, box, { rect, widthPx: lengthOf(parts) });
  taken.push(placeOf(at, parts));
  // Transparent rectangle, so that the whole box can be clicked.
  return [svgElement('rect', { ...box, fill: 'transparent' }), text(at, parts, ink)];
}

/** Draws the label above its box, or otherwise below. It is omitted if there is no room. */
function label(box: Box, { ship, ink, taken, rect }: Labelled): SVGElement[] {
  const parts = partsOf(ship);
  const width = lengthOf(parts);
  const x = Math.max(rect.left + 2, Math.min(box.x, rect.left + rect.width - width - 2));
  for (const y of [
    box.y - 5,
    box.y + box.height + 14,
    box.y - 5 - LABEL_HIGH_PX,
    box.y + box.height + 14 + LABEL_HIGH_PX,
  ]) {
    const place = placeOf({ x, y }, parts);
    const fits = place.y >= rect.top && place.y + place.height <= rect.top + rect.height;
    if (!fits || taken.some((other) => overlap(other, place))) continue;
    taken.push(place);
    return [svgElement('rect', { ...box, fill: 'transparent' }), text({ x, y }, parts, ink)];
  }
  return [svgElement('rect', { ...box, fill: 'transparent' })];
}

type Part = { words: string; weight: 400 | 600 };

function partsOf({ name, sogKnots, errorM }: ShipNow): Part[] {
  const speed = sogKnots === null ? null : formatMeasured(sogKnots, 'kn', 1);
  const error = errorM >= ERROR_M ? fill(texts.error, { metres: formatNumber(roundedMetres(errorM)) }) : null;
  const rest = [speed, error].filter((one) => one !== null).join(', ');
  return [{ words: name, weight: 600 }, ...(rest === '' ? [] : [{ words: ` ${rest}`, weight: 400 as const }])];
}

/** Rounded, since the error is not known to more than about two digits. */
const roundedMetres = (metres: number): number =>
  metres < 100 ? Math.round(metres / 5) * 5 : Math.round(metres / 10) * 10;

function text({ x, y }: { x: number; y: number }, parts: readonly Part[], ink: string): SVGElement {
  const element = svgElement('text', {
    ...{ x: x.toFixed(1), y: y.toFixed(1), fill: ink, stroke: SHADOW, 'stroke-width': 3, 'stroke-linejoin': 'round' },
    'paint-order': 'stroke',
  });
  Object.assign(element.style, { font: FONT, whiteSpace: 'pre' });
  for (const { words, weight } of parts) {
    const part = svgElement('tspan', { 'font-weight': weight });
    part.textContent = words;
    element.append(part);
  }
  return element;
}

function ellipse({ ellipse: border, errorM }: VesselInFrame, rect: PictureRect, ink: string): SVGElement[] {
  if (errorM < ERROR_M || border.length < 3) return [];
  const points = border.map((at) => pixel(at, rect)).join('L');
  return [
    svgElement('path', {
      ...{ d: `M${points}Z`, fill: 'none', stroke: ink, 'stroke-opacity': 0.6, 'stroke-dasharray': '2 5' },
      'pointer-events': 'none',
    }),
  ];
}

function brackets({ x, y, width, height }: Box, ink: string, sure: boolean): SVGElement[] {
  const arm = Math.min(ARM_PX.most, Math.max(ARM_PX.least, Math.min(width, height) * ARM_SHARE));
  const corners = [
    [x, y, 1, 1],
    [x + width, y, -1, 1],
    [x + width, y + height, -1, -1],
    [x, y + height, 1, -1],
  ] as const;
  const d = corners
    .map(
      ([cornerX, cornerY, right, down]) =>
        `M${(cornerX + right * arm).toFixed(1)} ${cornerY.toFixed(1)}H${cornerX.toFixed(1)}V${(cornerY + down * arm).toFixed(1)}`,
    )
    .join('');
  const dashes = sure ? {} : { 'stroke-dasharray': '3 3' };
  return [
    svgElement('path', { d, fill: 'none', stroke: SHADOW, 'stroke-width': 4 }),
    svgElement('path', { d, fill: 'none', stroke: ink, 'stroke-width': 1.5, ...dashes }),
  ];
}

function boundsOf(outline: readonly InPicture[], middle: InPicture): PictureBox {
  const [xs, ys] = [
    [middle.x, ...outline.map(({ x }) => x)],
    [middle.y, ...outline.map(({ y }) => y)],
  ];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** Returns the part of a box that is within the picture; for a box outside of it, a box at the nearest edge. */
function inside({ x, y, width, height }: Box, rect: PictureRect): Box {
  const clamp = (value: number, from: number, size: number) => Math.max(from, Math.min(value, from + size));
  const [left, right] = [clamp(x, rect.left, rect.width), clamp(x + width, rect.left, rect.width)];
  const [top, bottom] = [clamp(y, rect.top, rect.height), clamp(y + height, rect.top, rect.height)];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

const pixel = ({ x, y }: InPicture, { left, top, width, height }: PictureRect): string =>
  `${(left + x * width).toFixed(1)} ${(top + y * height).toFixed(1)}`;

/** Returns the width of a line of text, in pixels. */
const lengthOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { words, weight }) => sum + widthOf(words, weight), 0);

const placeOf = ({ x, y }: { x: number; y: number }, parts: readonly Part[]): Box => ({
  x,
  y: y - FONT_PX,
  width: lengthOf(parts),
  height: LABEL_HIGH_PX,
});

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

let measuring: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();
const WIDTHS_MAX = 2000;

function widthOf(words: string, weight: 400 | 600): number {
  const key = `${weight} ${words}`;
  const existing = widths.get(key);
  if (existing !== undefined) return existing;
  measuring ??= document.createElement('canvas').getContext('2d');
  if (measuring) measuring.font = `${weight} ${FONT}`;
  const width = measuring?.measureText(words).width ?? words.length * FONT_PX * 0.55;
  if (widths.size >= WIDTHS_MAX) widths.clear();
  widths.set(key, width);
  return width;
}
