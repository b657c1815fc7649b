import type { Ship } from './ships.ts';
import type { Solid } from './solids.ts';

type Rgb = readonly [number, number, number];

const WHITE: Rgb = [226, 226, 220];
const PALE: Rgb = [205, 206, 203];
const GREY: Rgb = [132, 140, 146];
const GLASS: Rgb = [52, 62, 72];
const DECK: Rgb = [150, 96, 74];
const RUST: Rgb = [118, 48, 40];
const BLUE: Rgb = [34, 70, 126];
const CARGO: Rgb = [160, 132, 104];
const YELLOW: Rgb = [214, 176, 66];
const RED: Rgb = [188, 50, 40];
const ORANGE: Rgb = [226, 110, 40];
const TEAK: Rgb = [184, 150, 106];

/** Returns the parts of a ship, scaled to its size. Outlines run clockwise as seen from above. */
export function shipShape({ shipClass, lengthM, beamM }: Ship): Solid[] {
  const at = scaled(lengthM, beamM);
  switch (shipClass) {
    case 'cargo':
      return cargoShip(at);
    case 'ferry':
      return ferry(at);
    case 'patrol':
      return [
        at.hull(0, 3.6, GREY, [116, 122, 126], 112),
        at.box([-0.22, 0.2], 0.36, [3.6, 6.4], GREY, PALE, 150),
        at.box([-0.02, 0.14], 0.3, [6.4, 8.8], GLASS, GREY, 165),
        at.box([0, 0.03], 0.06, [8.8, 15], GREY, GREY, 150),
        at.box([0.28, 0.34], 0.12, [3.6, 5.4], GREY, GREY, 118),
        at.box([-0.4, -0.3], 0.3, [3.6, 4.4], ORANGE, ORANGE, 130),
        at.box([-0.16, -0.09], 0.2, [6.4, 8], GREY, GLASS, 228),
      ];
    case 'trawler':
      return [
        at.hull(0, 2.8, BLUE, TEAK, 118),
        at.box([0.06, 0.26], 0.34, [2.8, 6.6], WHITE, WHITE, 172),
        at.box([0.08, 0.24], 0.3, [6.6, 7.6], GLASS, PALE, 180),
        at.box([-0.4, -0.38], 0.05, [2.8, 8], YELLOW, YELLOW, 140),
        at.box([-0.42, -0.36], 0.42, [7.4, 8], YELLOW, YELLOW, 140),
        at.box([-0.3, -0.06], 0.26, [2.8, 3.8], CARGO, [92, 116, 96], 128),
        at.box([0.02, 0.05], 0.06, [7.6, 12], PALE, PALE, 205),
      ];
    case 'yacht':
      return [
        at.hull(0, 1.5, WHITE, TEAK, 120),
        at.box([-0.18, 0.2], 0.26, [1.5, 2.4], WHITE, WHITE, 142),
        at.box([-0.38, -0.18], 0.22, [1.5, 1.8], TEAK, [116, 84, 58], 168),
        at.box([0.06, 0.085], 0.04, [2.4, 19], PALE, PALE, 126),
        at.box([-0.3, 0.06], 0.05, [3.1, 3.7], BLUE, BLUE, 128),
      ];
    case 'boat':
      return [
        at.hull(0, 0.9, ORANGE, [92, 94, 98], 134),
        at.box([-0.1, 0.08], 0.18, [0.9, 1.9], GLASS, PALE, 170),
        at.box([-0.52, -0.44], 0.2, [0.4, 1.6], [40, 42, 46], [40, 42, 46], 235),
      ];
  }
}

function cargoShip(at: Scaled): Solid[] {
  const hatches = [0, 1, 2, 3, 4].map((index) => {
    const start = -0.25 + index * 0.132;
    return at.box([start, start + 0.1], 0.36, [8, 10.4], CARGO, [176, 146, 116], 122);
  });
  const cranes = [0, 1, 2, 3].map((index) => {
    const start = -0.142 + index * 0.132;
    return at.box([start, start + 0.016], 0.07, [8, 25], YELLOW, YELLOW, 138);
  });
  const jibs = [0, 1, 2, 3].map((index) => {
    const start = -0.13 + index * 0.132;
    return at.box([start, start + 0.1], 0.02, [23, 24], YELLOW, YELLOW, 134);
  });
  return [
    at.hull(0, 8, RUST, DECK, 104),
    ...hatches,
    ...cranes,
    ...jibs,
    at.box([-0.44, -0.3], 0.42, [8, 20], WHITE, PALE, 168),
    at.box([-0.36, -0.29], 0.48, [20, 23], GLASS, WHITE, 178),
    at.box([-0.43, -0.39], 0.14, [20, 28], RED, GLASS, 235),
    at.box([0.42, 0.44], 0.03, [8, 17], PALE, PALE, 120),
  ];
}

function ferry(at: Scaled): Solid[] {
  return [
    at.hull(0, 5, BLUE, WHITE, 112),
    at.box([-0.47, 0.3], 0.47, [5, 11], WHITE, PALE, 150),
    at.box([-0.42, 0.22], 0.44, [11, 14.5], WHITE, PALE, 156),
    at.box([0.12, 0.235], 0.46, [14.5, 17.5], GLASS, WHITE, 170),
    at.box([-0.28, -0.19], 0.16, [14.5, 22], RED, GLASS, 238),
    at.box([0.15, 0.165], 0.04, [17.5, 24], PALE, PALE, 140),
    at.box([-0.14, 0.04], 0.36, [14.5, 15.3], ORANGE, [220, 200, 180], 148),
  ];
}

type Scaled = ReturnType<typeof scaled>;

/** Returns builders that take shares of length and beam; heights are in metres. */
function scaled(lengthM: number, beamM: number) {
  return {
    box: (
      [from, to]: readonly [number, number],
      half: number,
      [bottomM, topM]: readonly [number, number],
      side: Rgb,
      top: Rgb,
      heat: number,
    ): Solid => ({
      outline: [
        [to * lengthM, -half * beamM],
        [to * lengthM, half * beamM],
        [from * lengthM, half * beamM],
        [from * lengthM, -half * beamM],
      ],
      bottomM,
      topM,
      side,
      top,
      heat,
    }),
    hull: (bottomM: number, topM: number, side: Rgb, top: Rgb, heat: number): Solid => {
      const shares: [number, number][] = [
        [0.5, 0],
        [0.44, 0.2],
        [0.34, 0.4],
        [0.2, 0.5],
        [-0.42, 0.5],
        [-0.5, 0.4],
      ];
      const starboard = shares.map(([ahead, right]): [number, number] => [ahead * lengthM, right * beamM]);
      const port = shares
        .slice(1)
        .reverse()
        .map(([ahead, right]): [number, number] => [ahead * lengthM, -right * beamM]);
      return { outline: [...starboard, ...port], bottomM, topM, side, top, heat };
    },
  };
}
