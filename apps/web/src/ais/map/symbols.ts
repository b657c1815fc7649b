import type { TargetKind } from '@osprey/ais/names';

/**
 * Shapes of targets according to IMO SN.1/Circ.243/Rev.2, in pixels relative to the position; y increases downwards,
 * and shapes that turn with the ship point up. A shape is a list of lines.
 */
export type Line = readonly [x0: number, y0: number, x1: number, y1: number];

/** Returns the lines of a closed shape with these corners. */
const closed = (...corners: readonly (readonly [number, number])[]): Line[] =>
  corners.map(([x, y], index): Line => {
    const [nextX, nextY] = corners[(index + 1) % corners.length]!;
    return [x, y, nextX, nextY];
  });

const circle = (radius: number, sides = 16): Line[] =>
  closed(
    ...Array.from({ length: sides }, (_, index): [number, number] => {
      const angle = (index / sides) * 2 * Math.PI;
      return [radius * Math.sin(angle), -radius * Math.cos(angle)];
    }),
  );

/** Isosceles triangle of an active target; half of its base is a third of its height. */
export const TRIANGLE: readonly (readonly [number, number])[] = [
  [0, -9],
  [5, 6],
  [-5, 6],
];
const scaled = (factor: number) => TRIANGLE.map(([x, y]): [number, number] => [x * factor, y * factor]);

export const SYMBOLS = {
  shipA: closed(...TRIANGLE),
  /** The same triangle, but smaller. */
  shipB: closed(...scaled(0.78)),
  base: [...closed([0, -7], [7, 0], [0, 7], [-7, 0]), ...circle(1.2, 6)],
  /** Aid to navigation: a diamond with a cross at the charted position. */
  aton: [...closed([0, -8], [8, 0], [0, 8], [-8, 0]), [-4, 0, 4, 0], [0, -4, 0, 4]],
  /** Virtual aid to navigation: only the corners of the diamond, with a cross, since there is no physical object. */
  virtualAton: [
    ...([
      [0, -8, 3, -5],
      [0, -8, -3, -5],
      [0, 8, 3, 5],
      [0, 8, -3, 5],
    ] as const),
    ...([
      [8, 0, 5, 3],
      [8, 0, 5, -3],
      [-8, 0, -5, 3],
      [-8, 0, -5, -3],
    ] as const),
    ...([
      [-4, 0, 4, 0],
      [0, -4, 0, 4],
    ] as const),
  ],
  sarAircraft: [
    ...([
      [0, -9, 0, 8],
      [-9, 0, 0, -3],
      [9, 0, 0, -3],
      [-9, 0, 9, 0],
    ] as const),
    ...([
      [-4, 8, 0, 6],
      [4, 8, 0, 6],
    ] as const),
  ],
  /** Distress transmitter: a circle with a cross. */
  distress: [...circle(8), [-5.7, -5.7, 5.7, 5.7], [5.7, -5.7, -5.7, 5.7]],
} as const satisfies Record<string, readonly Line[]>;
export type SymbolName = keyof typeof SYMBOLS;

/** Two crossed lines over the symbol of a lost target. */
export const LOST_CROSS: readonly Line[] = [
  [-9, -9, 9, 9],
  [9, -9, -9, 9],
];

/** Symbols that are rotated to the heading. */
export const TURNING: ReadonlySet<SymbolName> = new Set<SymbolName>(['shipA', 'shipB', 'sarAircraft']);

export function symbolOf(kind: TargetKind, virtual: boolean | undefined): SymbolName {
  switch (kind) {
    case 'shipA':
    case 'base':
    case 'sarAircraft':
      return kind;
    case 'aton':
      return virtual ? 'virtualAton' : 'aton';
    case 'sart':
    case 'mob':
    case 'epirb':
      return 'distress';
    default:
      return 'shipB';
  }
}
