import type { PictureBox, Target } from '../../onscreen/targets.ts';
import type { PictureRect } from './picture.ts';

/** Colours that are visible on any picture: a light line on a dark shadow. The same in both schemes. */
const INK = '#F2F5F9';
const CHOSEN = '#F5D76E';
const SHADOW = 'rgba(0, 0, 0, 0.75)';

/** Length of a bracket's arm as a share of the box's side, and its limits in px. */
const ARM_SHARE = 0.25;
const ARM_PX = { least: 5, most: 14 };

/** Minimum side of a box as drawn, in px. */
const SIDE_MIN_PX = 14;

type Overlay = {
  canvas: HTMLCanvasElement;
  /** Size of the canvas on the page; read from the layout only when it changes. */
  size: { width: number; height: number };
  rect: PictureRect;
  targets: readonly Target[];
  chosen: number | null;
  /**
   * Marked place as shares of the picture from its upper left; null if it is outside the picture, omitted if none is
   * marked.
   */
  place?: { x: number; y: number } | null;
};

/** Clears the canvas and draws the targets as corner brackets with their numbers. */
export function drawOverlay({ canvas, size, rect, targets, chosen, place }: Overlay): void {
  if (!place && !targets.some(({ box }) => box)) {
    // The browser composites a canvas over each picture even if all of its pixels are transparent, so it is emptied.
    resize(canvas, 0, 0);
    return;
  }
  const context = canvas.getContext('2d');
  if (!context) return;
  const ratio = window.devicePixelRatio || 1;
  resize(canvas, Math.round(size.width * ratio), Math.round(size.height * ratio));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.font = '600 12px "Inter Variable", system-ui, sans-serif';
  for (const target of targets) drawTarget(context, rect, target, target.id === chosen);
  if (place) drawPlace(context, rect.left + place.x * rect.width, rect.top + place.y * rect.height);
}

function resize(canvas: HTMLCanvasElement, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

export type Box = { x: number; y: number; width: number; height: number };

/** Returns the box of a target in px of the element. */
export function boxOf(rect: PictureRect, box: PictureBox): Box {
  const [width, height] = [(box.right - box.left) * rect.width, (box.bottom - box.top) * rect.height];
  const [wide, high] = [Math.max(width, SIDE_MIN_PX), Math.max(height, SIDE_MIN_PX)];
  const x = rect.left + box.left * rect.width - (wide - width) / 2;
  const y = rect.top + box.top * rect.height - (high - height) / 2;
  return { x, y, width: wide, height: high };
}

/** Height of text over a picture, and minimum distance from its edges, in px. */
const LETTER_PX = 12;
const EDGE_PX = 2;

/**
 * Returns the position of a target's number: at its box, but completely inside the picture if the box is partly
 * outside.
 */
export function numberPlace(rect: PictureRect, box: Box, widthPx: number): { x: number; y: number } {
  const isOutside = box.x + box.width < rect.left || box.x > rect.left + rect.width;
  const y = box.y > LETTER_PX + 6 ? box.y - 5 : box.y + box.height + 14;
  if (isOutside) return { x: box.x, y };
  return {
    x: Math.max(rect.left + EDGE_PX, Math.min(box.x, rect.left + rect.width - widthPx - EDGE_PX)),
    y: Math.max(rect.top + LETTER_PX, Math.min(y, rect.top + rect.height - 2 * EDGE_PX)),
  };
}

function drawTarget(context: CanvasRenderingContext2D, rect: PictureRect, target: Target, isChosen: boolean) {
  if (!target.box) return;
  const box = boxOf(rect, target.box);
  const colour = isChosen ? CHOSEN : (target.colour ?? INK);
  for (const [style, width] of [
    [SHADOW, 4],
    [colour, isChosen ? 2 : 1.5],
  ] as const) {
    context.strokeStyle = style;
    context.lineWidth = width;
    context.stroke(brackets(box));
  }
  const text = String(target.id);
  const { x, y } = numberPlace(rect, box, context.measureText(text).width);
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.strokeStyle = SHADOW;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

/** Draws a ring with a dot in its middle. */
function drawPlace(context: CanvasRenderingContext2D, x: number, y: number) {
  for (const [style, width] of [
    [SHADOW, 4],
    [CHOSEN, 2],
  ] as const) {
    context.strokeStyle = style;
    context.lineWidth = width;
    context.beginPath();
    context.arc(x, y, 12, 0, 2 * Math.PI);
    context.moveTo(x + 2, y);
    context.arc(x, y, 2, 0, 2 * Math.PI);
    context.stroke();
  }
}

function brackets({ x, y, width, height }: Box): Path2D {
  const arm = Math.min(ARM_PX.most, Math.max(ARM_PX.least, Math.min(width, height) * ARM_SHARE));
  const path = new Path2D();
  for (const [cornerX, cornerY, right, down] of [
    [x, y, 1, 1],
    [x + width, y, -1, 1],
    [x + width, y + height, -1, -1],
    [x, y + height, 1, -1],
  ] as const) {
    path.moveTo(cornerX + right * arm, cornerY);
    path.lineTo(cornerX, cornerY);
    path.lineTo(cornerX, cornerY + down * arm);
  }
  return path;
}
