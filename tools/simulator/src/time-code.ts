/**
 * Format of the machine-readable time code of a simulated frame: two rows of 56 light and dark cells along the lower
 * edge of the picture. Each row begins and ends with two known cells that provide the levels. The 104 cells between
 * them contain, most significant bit first, 7 bytes of UTC microseconds, 4 bytes of frame number and a CRC-16 over
 * both. Positions are fractions of width and height, so that the code survives scaling; a cell is 11 x 6 pixels at 640
 * x 360 and survives H.264.
 */
export type TimeCode = { timeUs: number; frame: number };

/** Number of cells in one row, including the two known ones at each end. */
export const TIME_CODE_COLUMNS = 56;
/** Height of one row as a fraction of the picture's height. */
export const TIME_CODE_ROW_HEIGHT = 1 / 60;

const ROWS = 2;
const DATA_PER_ROW = TIME_CODE_COLUMNS - 4;
const BYTES = (ROWS * DATA_PER_ROW) / 8;
/** First two and last two cells of the upper row and of the lower row. */
const EDGES = [
  [1, 0, 0, 1],
  [0, 1, 1, 0],
] as const;
/** Minimum difference in luma between light and dark; below it, there is no code. */
const LEAST_CONTRAST = 30;

/** Returns the cells of both rows, the upper one first; 1 is light. */
export function timeCodeCells({ timeUs, frame }: TimeCode): Uint8Array {
  const bytes = new Uint8Array(BYTES);
  // Divide instead of shifting, since the time has 51 bits.
  for (let index = 6, rest = timeUs; index >= 0; index -= 1, rest = Math.floor(rest / 256)) bytes[index] = rest % 256;
  new DataView(bytes.buffer).setUint32(7, frame);
  new DataView(bytes.buffer).setUint16(11, crc16(bytes.subarray(0, 11)));

  const cells = new Uint8Array(ROWS * TIME_CODE_COLUMNS);
  EDGES.forEach(([first, second, third, last], row) => {
    const start = row * TIME_CODE_COLUMNS;
    cells.set([first, second], start);
    cells.set([third, last], start + TIME_CODE_COLUMNS - 2);
    for (let column = 0; column < DATA_PER_ROW; column += 1) {
      const bit = row * DATA_PER_ROW + column;
      cells[start + 2 + column] = (bytes[bit >> 3]! >> (7 - (bit & 7))) & 1;
    }
  });
  return cells;
}

/**
 * Reads the time code of a picture, given as RGBA from a canvas or as luma (or the first plane of planar YUV); the
 * length distinguishes the two.
 *
 * @returns null if there is no code or its checksum fails.
 */
export function readTimeCode(pixels: ArrayLike<number>, width: number, height: number): TimeCode | null {
  const step = pixels.length >= width * height * 4 ? 4 : 1;
  if (width < TIME_CODE_COLUMNS || height < 60 || pixels.length < width * height * step) return null;
  const levels = cellLevels(pixels, width, height, step);
  const threshold = thresholdOf(levels);
  return threshold === null ? null : decode(levels.map((level) => (level > threshold ? 1 : 0)));
}

/** Returns the mean luma in the middle half of each cell. */
function cellLevels(pixels: ArrayLike<number>, width: number, height: number, step: number): number[] {
  const levels: number[] = [];
  for (let row = 0; row < ROWS; row += 1) {
    const top = height * (1 - (ROWS - row) * TIME_CODE_ROW_HEIGHT);
    const [y0, y1] = middleHalf(top, height * TIME_CODE_ROW_HEIGHT);
    for (let column = 0; column < TIME_CODE_COLUMNS; column += 1) {
      const [x0, x1] = middleHalf((column * width) / TIME_CODE_COLUMNS, width / TIME_CODE_COLUMNS);
      let sum = 0;
      for (let y = y0; y < y1; y += 1) {
        for (let x = x0; x < x1; x += 1) {
          const at = (y * width + x) * step;
          // Green is the largest part of luma. One channel would suffice, since the code is grey, but three are less
          // noisy.
          sum += step === 1 ? pixels[at]! : (pixels[at]! + pixels[at + 1]! * 2 + pixels[at + 2]!) / 4;
        }
      }
      levels.push(sum / ((x1 - x0) * (y1 - y0)));
    }
  }
  return levels;
}

/** Returns the whole pixels in the middle half of a range, at least one. */
function middleHalf(start: number, length: number): [from: number, to: number] {
  const from = Math.floor(start + length / 4 + 0.5);
  return [from, Math.max(from + 1, Math.floor(start + (length * 3) / 4 + 0.5))];
}

/** Returns the level half way between the known light and dark cells; null if these do not have the expected values. */
function thresholdOf(levels: readonly number[]): number | null {
  let [dark, light] = [0, 255];
  EDGES.forEach((edge, row) => {
    const start = row * TIME_CODE_COLUMNS;
    const known = [start, start + 1, start + TIME_CODE_COLUMNS - 2, start + TIME_CODE_COLUMNS - 1];
    known.forEach((cell, index) => {
      if (edge[index] === 1) light = Math.min(light, levels[cell]!);
      else dark = Math.max(dark, levels[cell]!);
    });
  });
  return light - dark < LEAST_CONTRAST ? null : (light + dark) / 2;
}

function decode(cells: readonly number[]): TimeCode | null {
  const bytes = new Uint8Array(BYTES);
  for (let bit = 0; bit < BYTES * 8; bit += 1) {
    const row = Math.floor(bit / DATA_PER_ROW);
    const cell = cells[row * TIME_CODE_COLUMNS + 2 + (bit % DATA_PER_ROW)]!;
    bytes[bit >> 3] = bytes[bit >> 3]! | (cell << (7 - (bit & 7)));
  }
  const view = new DataView(bytes.buffer);
  if (view.getUint16(11) !== crc16(bytes.subarray(0, 11))) return null;
  const timeUs = bytes.subarray(0, 7).reduce((sum, byte) => sum * 256 + byte, 0);
  return { timeUs, frame: view.getUint32(7) };
}

/** CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xffff. */
function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc;
}
