import { localPlane } from './local-plane.ts';
import type { Moment } from './model.ts';
import type { ResolvedOptions } from './options.ts';
import { shipShape } from './ship-shapes.ts';
import type { ShipState } from './ships.ts';
import { onPlane } from './solids.ts';

/** A rectangle in the picture, in pixels; 0,0 is the upper left corner of the first pixel. */
type Box = { left: number; top: number; right: number; bottom: number };

/**
 * Returns the ships in the picture as ST 0903 targets: number of the ship, its box and centre in pixels, and its
 * position.
 */
export function targetsIn(options: ResolvedOptions, moment: Moment) {
  const { width, height } = options;
  return moment.ships.flatMap((state) => {
    const middle = moment.camera.toImage({ ...state.point, heightM: 0 });
    const box = middle && boxOf(options, moment, state);
    if (!middle || !box || middle.x < 0 || middle.x >= 1 || middle.y < 0 || middle.y >= 1) return [];
    const [row, column] = [Math.floor(middle.y * height) + 1, Math.floor(middle.x * width) + 1];
    return [
      {
        id: state.ship.id,
        // Pixels are numbered row by row, starting with 1.
        1: (row - 1) * width + column,
        2: pixelNumber(box.left, box.top, width, height),
        3: pixelNumber(box.right, box.bottom, width, height),
        4: state.ship.id === moment.trackedId ? 1 : 2,
        5: 95,
        17: { latitude: state.point.lat, longitude: state.point.lon, height: 0 },
        19: row,
        20: column,
      },
    ];
  });
}

function pixelNumber(x: number, y: number, width: number, height: number): number {
  const column = Math.max(0, Math.min(width - 1, Math.floor(x)));
  return Math.max(0, Math.min(height - 1, Math.floor(y))) * width + column + 1;
}

/** Returns the smallest box around a ship as drawn in the picture. */
function boxOf({ width, height, origin }: ResolvedOptions, { camera }: Moment, state: ShipState): Box | null {
  const plane = localPlane(origin);
  const box: Box = { left: width, top: height, right: 0, bottom: 0 };
  for (const { outline, bottomM, topM } of shipShape(state.ship)) {
    for (const [ahead, right] of outline) {
      const [east, north] = onPlane(state, ahead, right);
      for (const heightM of [bottomM, topM]) {
        const image = camera.toImage({ ...plane.toPoint(east, north), heightM });
        if (!image) return null;
        box.left = Math.min(box.left, image.x * width);
        box.right = Math.max(box.right, image.x * width);
        box.top = Math.min(box.top, image.y * height);
        box.bottom = Math.max(box.bottom, image.y * height);
      }
    }
  }
  return box;
}
