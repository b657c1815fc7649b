import { distanceReader, makeCoast } from './coast.ts';
import { drawGraticule } from './graticule.ts';
import { makeGround } from './ground.ts';
import type { Model, Moment } from './model.ts';
import type { ResolvedOptions } from './options.ts';
import { drawOverlay, drawTimeCode } from './overlay.ts';
import type { Picture } from './picture.ts';
import { shipShape } from './ship-shapes.ts';
import { drawBody, type Placed, pixelOf, type View } from './solids.ts';
import { makeVillage } from './village.ts';
import { drawWake } from './wake.ts';

/** Draws the frame for a moment over a whole picture of the size in the options. */
export type Renderer = { render(picture: Picture, moment: Moment, frame: number): void };

/**
 * Distance of a body's centre from the picture's edge, in picture widths, up to which the body may still extend into
 * the picture.
 */
const MARGIN = 0.6;

export function makeRenderer(options: ResolvedOptions, { plane, ships }: Model): Renderer {
  const { spectrum, seed } = options;
  const coast = makeCoast(plane);
  const distanceAt = distanceReader(coast);
  const ground = makeGround({ plane, coast, spectrum, seed });
  const shapes = new Map(ships.map((ship) => [ship.id, shipShape(ship)]));
  const houses = coast.hasLand ? makeVillage(distanceAt) : [];

  return {
    render(picture, moment, frame) {
      const view: View = { picture, camera: moment.camera, plane };
      const near = (body: Placed) => isNear(view, body);
      ground.paint(picture, moment.corners, moment.timeS);
      if (options.overlay) drawGraticule(view, moment);
      const afloat = moment.ships.filter(near);
      for (const ship of afloat) drawWake(view, moment, ship);
      for (const { body, solids } of houses.filter((house) => near(house.body))) drawBody(view, body, solids);
      for (const ship of afloat) drawBody(view, ship, shapes.get(ship.ship.id)!);
      if (options.overlay) drawOverlay(picture, options, moment, frame);
      drawTimeCode(picture, moment.timeUs, frame);
    },
  };
}

function isNear(view: View, { east, north }: Placed): boolean {
  const pixel = pixelOf(view, east, north, 0);
  if (!pixel) return false;
  const [x, y] = [pixel[0] / view.picture.width, pixel[1] / view.picture.height];
  return x > -MARGIN && x < 1 + MARGIN && y > -MARGIN && y < 1 + MARGIN;
}
