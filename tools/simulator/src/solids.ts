import type { Point, Projector } from '@osprey/geo';
import type { Plane } from './local-plane.ts';
import { type Colour, colour, type Picture } from './picture.ts';
import { fillPolygon, type Pixel, turning } from './polygon.ts';
import type { PlanePoint } from './track.ts';

/** An upright prism: an outline in metres ahead and to the right of the body's centre, between two heights. */
export type Solid = {
  outline: readonly (readonly [ahead: number, right: number])[];
  bottomM: number;
  topM: number;
  /** Daylight colours of the sides and the top, as red, green, blue. */
  side: readonly [number, number, number];
  top: readonly [number, number, number];
  /** Brightness in the infrared, with white as hot. */
  heat: number;
};

/** A body on the ground: the position of its centre, and its heading. */
export type Placed = { east: number; north: number; courseDeg: number };

/** The parts of a frame that are needed for drawing a body. */
export type View = { picture: Picture; camera: Projector; plane: Plane };

/** Direction from which the light comes, in degrees clockwise from north. */
const SUN_DEG = 215;
/** Length of the shadow in metres per metre of height. */
const SHADOW = 0.9;

/** Returns the pixel of a place on the scene's plane at a height; null behind the camera. */
export function pixelOf({ picture, camera, plane }: View, east: number, north: number, heightM: number): Pixel | null {
  const point: Point = plane.toPoint(east, north);
  const image = camera.toImage({ ...point, heightM });
  return image && [image.x * picture.width, image.y * picture.height];
}

/** Converts a body's own coordinates to a place on the plane. */
export function onPlane({ east, north, courseDeg }: Placed, ahead: number, right: number): PlanePoint {
  const [sin, cos] = [Math.sin((courseDeg * Math.PI) / 180), Math.cos((courseDeg * Math.PI) / 180)];
  return [east + ahead * sin + right * cos, north + ahead * cos - right * sin];
}

/** Draws the parts of one body: lower ones first and, at equal height, more distant ones first. */
export function drawBody(view: View, body: Placed, solids: readonly Solid[]): void {
  castShadow(view, body, solids);
  const parts = solids.map((solid) => ({ solid, nearness: nearnessOf(view, body, solid) }));
  parts.sort((a, b) => a.solid.bottomM - b.solid.bottomM || a.nearness - b.nearness);
  for (const { solid } of parts) drawSolid(view, body, solid);
}

/** Returns the vertical position in the picture: lower in the picture means nearer. */
function nearnessOf(view: View, body: Placed, { outline }: Solid): number {
  const middle = outline.reduce(
    ([a, r], [ahead, right]) => [a + ahead / outline.length, r + right / outline.length],
    [0, 0],
  );
  return pixelOf(view, ...onPlane(body, middle[0]!, middle[1]!), 0)?.[1] ?? 0;
}

function castShadow(view: View, body: Placed, solids: readonly Solid[]): void {
  const away = ((SUN_DEG + 180) * Math.PI) / 180;
  for (const { outline, topM } of solids) {
    const [east, north] = [Math.sin(away) * topM * SHADOW, Math.cos(away) * topM * SHADOW];
    const foot = outline.map(([ahead, right]) => onPlane(body, ahead, right));
    const pixels = foot
      .map((place) => pixelOf(view, place[0] + east, place[1] + north, 0))
      .filter((pixel) => pixel !== null);
    if (pixels.length === outline.length) fillPolygon(view.picture, pixels, [22, 132, 126], 0.3);
  }
}

function drawSolid(view: View, body: Placed, solid: Solid): void {
  const { outline, bottomM, topM } = solid;
  const places = outline.map(([ahead, right]) => onPlane(body, ahead, right));
  const low = places.map(([east, north]) => pixelOf(view, east, north, bottomM));
  const high = places.map(([east, north]) => pixelOf(view, east, north, topM));
  places.forEach(([east, north], index) => {
    const other = (index + 1) % places.length;
    const face = [low[index]!, low[other]!, high[other]!, high[index]!];
    if (face.some((pixel) => pixel === null) || turning(face) <= 0) return;
    const [nextEast, nextNorth] = places[other]!;
    fillPolygon(view.picture, face, shaded(view, solid, lightOn(nextEast - east, nextNorth - north)));
  });
  if (high.every((pixel) => pixel !== null)) {
    fillPolygon(view.picture, high, view.picture.isColour ? colour(...solid.top) : [solid.heat, 128, 128]);
  }
}

/**
 * Returns the brightness of a wall in this direction. Outlines run clockwise as seen from above, so its outside is to
 * the left.
 */
function lightOn(east: number, north: number): number {
  const outside = Math.atan2(-north, east);
  const facing = Math.cos(outside - (SUN_DEG * Math.PI) / 180);
  return 0.62 + 0.38 * Math.max(0, facing);
}

function shaded({ picture }: View, { side, heat }: Solid, light: number): Colour {
  if (!picture.isColour) return [heat * (0.86 + 0.14 * light), 128, 128];
  return colour(side[0] * light, side[1] * light, side[2] * light);
}
