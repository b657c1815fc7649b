import { formatDms } from '@osprey/geo';
import { LETTER_HEIGHT, LETTER_WIDTH, letterRows } from './font.ts';
import { drawLine } from './line.ts';
import type { Moment } from './model.ts';
import type { ResolvedOptions } from './options.ts';
import type { Picture } from './picture.ts';
import type { Pixel } from './polygon.ts';
import { TIME_CODE_COLUMNS, TIME_CODE_ROW_HEIGHT, timeCodeCells } from './time-code.ts';

const INK = 218;
const SHADE = 30;
const METRES_PER_FOOT = 0.3048;
/**
 * Luma of the code's two kinds of cells: far enough apart for a decoder, but less harsh to the eye than black and
 * white.
 */
const CODE_LUMA = [38, 196] as const;

/** Draws the burnt-in overlay: label, time, frame number, frame centre, ranges and a crosshair. */
export function drawOverlay(picture: Picture, options: ResolvedOptions, moment: Moment, frame: number): void {
  const size = Math.max(1, Math.round(picture.height / 320));
  const line = (LETTER_HEIGHT + 4) * size;
  const middle = picture.width / 2;
  const bottom = picture.height * (1 - 2 * TIME_CODE_ROW_HEIGHT) - 5 * size;

  const { platform, centre, view, attitude, slantRangeM } = moment;
  const zone = new Date(Math.floor(moment.timeUs / 1000)).toISOString();
  const time = `${zone.slice(0, 10)} ${zone.slice(11, 23)}Z  #${String(frame).padStart(6, '0')}`;
  const bearing = (attitude.headingDeg + attitude.azimuthDeg) % 360;
  const camera = `${options.platform} ${options.spectrum}  FOV ${view.horizontalDeg.toFixed(1)}°  BRG ${bearing.toFixed(0).padStart(3, '0')}°`;
  const height = `ALT ${(platform.heightM / METRES_PER_FOOT).toFixed(0)} FT`;

  drawText(picture, { text: options.classification, x: middle, y: 4 * size, size });
  drawText(picture, { text: time, x: middle, y: 4 * size + line, size });
  drawText(picture, { text: `${camera}  ${height}`, x: middle, y: bottom - 2 * line, size });
  const place = `FRM ${formatDms(centre)}  SLT ${slantRangeM.toFixed(0)} M`;
  drawText(picture, { text: place, x: middle, y: bottom - line, size });
  drawCrosshair(picture);
}

/** Draws the machine-readable code along the lower edge; see time-code.ts. */
export function drawTimeCode(picture: Picture, timeUs: number, frame: number): void {
  const { width, height, luma, blue, red } = picture;
  const cells = timeCodeCells({ timeUs, frame });
  const top = Math.round(height * (1 - 2 * TIME_CODE_ROW_HEIGHT));
  const middle = Math.round(height * (1 - TIME_CODE_ROW_HEIGHT));
  [top, middle].forEach((start, row) => {
    for (let x = 0; x < width; x += 1) {
      const column = Math.floor(((x + 0.5) * TIME_CODE_COLUMNS) / width);
      luma[start * width + x] = CODE_LUMA[cells[row * TIME_CODE_COLUMNS + column] === 1 ? 1 : 0];
    }
    const end = row === 0 ? middle : height;
    for (let y = start + 1; y < end; y += 1) luma.copyWithin(y * width, start * width, (start + 1) * width);
  });
  const first = (top >> 1) * (width >> 1);
  blue.fill(128, first);
  red.fill(128, first);
}

/** Draws text centred at `x`, with its upper edge at `y`, dots `size` pixels wide, and a dark rim. */
function drawText(picture: Picture, { text, x, y, size }: { text: string; x: number; y: number; size: number }): void {
  const letters = [...text].map(letterRows);
  const advance = (LETTER_WIDTH + 1) * size;
  const left = Math.round(x - (text.length * advance - size) / 2);
  const top = Math.round(y);
  const rim = Math.max(1, size >> 1);
  const eachDot = (draw: (dotX: number, dotY: number) => void) =>
    letters.forEach((rows, index) => {
      for (let down = 0; down < rows.length; down += 1) {
        for (let across = 0; across < LETTER_WIDTH; across += 1) {
          if (((rows[down]! >> (LETTER_WIDTH - 1 - across)) & 1) === 0) continue;
          draw(left + index * advance + across * size, top + down * size);
        }
      }
    });
  eachDot((dotX, dotY) => darken(picture, dotX - rim, dotY - rim, size + 2 * rim));
  eachDot((dotX, dotY) => block(picture, dotX, dotY, size));
}

function block({ width, height, luma, blue, red }: Picture, x: number, y: number, size: number): void {
  for (let py = Math.max(0, y); py < Math.min(height, y + size); py += 1) {
    for (let px = Math.max(0, x); px < Math.min(width, x + size); px += 1) {
      luma[py * width + px] = INK;
      const at = (py >> 1) * (width >> 1) + (px >> 1);
      blue[at] = 128;
      red[at] = 128;
    }
  }
}

/** Darkens pixels that are lighter than the shade. */
function darken({ width, height, luma }: Picture, x: number, y: number, size: number): void {
  for (let py = Math.max(0, y); py < Math.min(height, y + size); py += 1) {
    for (let px = Math.max(0, x); px < Math.min(width, x + size); px += 1) {
      const at = py * width + px;
      luma[at] = Math.min(luma[at]!, SHADE + (luma[at]! >> 3));
    }
  }
}

/** Draws four strokes that leave the centre free. */
function drawCrosshair(picture: Picture): void {
  const { width, height } = picture;
  const [x, y] = [width / 2, height / 2];
  const [gap, reach] = [height / 40, height / 13];
  for (const [dx, dy] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    const from: Pixel = [x + dx * gap, y + dy * gap];
    const to: Pixel = [x + dx * reach, y + dy * reach];
    const thick = Math.max(1, height / 420);
    drawLine(picture, from, to, { width: thick + 2, luma: SHADE, opacity: 0.45 });
    drawLine(picture, from, to, { width: thick, luma: INK, opacity: 0.9 });
  }
}
