import type { Moment } from './model.ts';
import { addFoam, type Pixel } from './polygon.ts';
import { type ShipState, shipAt } from './ships.ts';
import { onPlane, type Placed, pixelOf, type View } from './solids.ts';

/** Number of pieces in the white water behind a ship. */
const PIECES = 22;
/** Minimum opacity of foam that is drawn; fainter foam would be invisible. */
const FAINTEST = 0.012;
/** Tangent of Kelvin's angle: distance by which the bow waves spread sideways per metre astern of the bow. */
const SPREAD = Math.tan((19.47 * Math.PI) / 180);

/** Draws white water along the way that the ship has actually come, two bow waves, and foam around the bow. */
export function drawWake(view: View, moment: Moment, state: ShipState): void {
  const { ship } = state;
  const slow = Math.min(1, ship.speedMps / 7);
  const pieceM = ship.lengthM * 0.14 + ship.speedMps * 0.9;
  const way = Array.from({ length: PIECES + 1 }, (_, index) => {
    const behindM = index * pieceM + ship.lengthM * 0.42;
    return shipAt(ship, moment.timeS - behindM / ship.speedMps, view.plane);
  });
  for (let index = 0; index < PIECES; index += 1) {
    const fade = (1 - index / PIECES) ** 1.6;
    const [near, far] = [way[index]!, way[index + 1]!];
    const widths = [index, index + 1].map((piece) => ship.beamM * (0.34 + 0.05 * piece)) as [number, number];
    // Draw each strip twice, the second time narrower, so that its edges are soft.
    for (const share of [1.2, 0.75]) {
      const [nearHalf, farHalf] = [widths[0] * share, widths[1] * share];
      strip(view, [near, -nearHalf, nearHalf], [far, -farHalf, farHalf], 0.4 * fade * slow);
    }
    for (const side of [-1, 1]) {
      const from = side * (ship.beamM * 0.45 + index * pieceM * SPREAD);
      const to = side * (ship.beamM * 0.45 + (index + 1) * pieceM * SPREAD);
      const broad = ship.beamM * 0.2 + index * pieceM * 0.02;
      strip(view, [near, from - broad, from + broad], [far, to - broad, to + broad], 0.34 * fade * fade * slow);
    }
  }
  bowWave(view, state, slow);
}

type Edge = readonly [place: Placed, left: number, right: number];

function strip(view: View, [near, nearLeft, nearRight]: Edge, [far, farLeft, farRight]: Edge, strength: number): void {
  const places = [
    onPlane(near, 0, nearLeft),
    onPlane(near, 0, nearRight),
    onPlane(far, 0, farRight),
    onPlane(far, 0, farLeft),
  ];
  foamOn(view, places, strength);
}

function bowWave(view: View, state: ShipState, slow: number): void {
  const { lengthM, beamM } = state.ship;
  for (const side of [-1, 1]) {
    const at = (ahead: number, aside: number) => onPlane(state, ahead * lengthM, side * aside * beamM);
    foamOn(view, [at(0.5, 0), at(0.3, 0.75), at(0.05, 0.72), at(-0.45, 0.6), at(-0.45, 0.4), at(0.3, 0.3)], 0.6 * slow);
  }
}

function foamOn(view: View, places: readonly (readonly [number, number])[], strength: number): void {
  if (strength < FAINTEST) return;
  const pixels = places.map(([east, north]) => pixelOf(view, east, north, 0));
  if (pixels.every((pixel): pixel is Pixel => pixel !== null)) addFoam(view.picture, pixels, strength);
}
