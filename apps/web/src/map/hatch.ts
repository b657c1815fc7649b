import type { Map as MapLibreMap } from 'maplibre-gl';

const SIDE = 16;
/** Width of a line of the hatching, measured along the side of the image; its pixels are half as large as those of the map. */
const LINE = 4;

/** Returns the id of an image of diagonal lines in this colour (#rrggbb), for `fill-pattern`. */
export function hatchFor(map: Pick<MapLibreMap, 'hasImage' | 'addImage'>, colour: string): string {
  const id = `hatch ${colour}`;
  if (!map.hasImage(id)) map.addImage(id, hatchOf(colour), { pixelRatio: 2 });
  return id;
}

function hatchOf(colour: string): { width: number; height: number; data: Uint8Array } {
  const ink = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const data = new Uint8Array(SIDE * SIDE * 4);
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      if ((x + y) % SIDE < LINE) data.set([...ink, 255], (y * SIDE + x) * 4);
    }
  }
  return { width: SIDE, height: SIDE, data };
}

/** The same lines as a background of an element. */
export const hatchCss = (colour: string): string =>
  `repeating-linear-gradient(-45deg, ${colour} 0 1.5px, transparent 1.5px 5px)`;
