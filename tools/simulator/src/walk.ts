import type { Texture } from './textures.ts';

/** Number of fractional bits of a texel coordinate in the fixed-point walk. */
export const FRACTION = 14;
const ONE = 1 << FRACTION;

/**
 * A straight stretch of ground along one row of the picture: start and step per pixel, in metres east and north of the
 * scene's origin.
 */
export type Stretch = { east: number; north: number; stepE: number; stepN: number };

/**
 * A path through one copy of a texture, pixel by pixel, in integers: the texel is `cells[(((y >> FRACTION) & mask) <<
 * bits) | ((x >> FRACTION) & mask)]`, then x += stepX, y += stepY.
 */
export type Walk = {
  texture: Texture;
  /** Factor by which the texture is enlarged. */
  scale: number;
  cells: Int8Array;
  bits: number;
  mask: number;
  perMetre: number;
  x: number;
  y: number;
  stepX: number;
  stepY: number;
};

export function createWalk(texture: Texture, scale = 1): Walk {
  const { cells, bits } = texture.levels[0]!;
  return { texture, scale, cells, bits, mask: (1 << bits) - 1, perMetre: 1, x: 0, y: 0, stepX: 0, stepY: 0 };
}

/** Selects the copy whose texel size is closest to pixels of `pixelM` metres. */
export function chooseCopy(walk: Walk, pixelM: number): void {
  const { texture, scale } = walk;
  const finestM = texture.texelM * scale;
  const level = Math.max(0, Math.min(texture.levels.length - 1, Math.round(Math.log2(pixelM / finestM))));
  const { cells, bits } = texture.levels[level]!;
  walk.cells = cells;
  walk.bits = bits;
  walk.mask = (1 << bits) - 1;
  walk.perMetre = 1 / (finestM * 2 ** level);
}

/** Starts the walk at the beginning of a stretch, with the texture shifted by metres east and north. */
export function startWalk(walk: Walk, at: Stretch, movedE: number, movedN: number): void {
  const { perMetre } = walk;
  const size = walk.mask + 1;
  const x = (at.east - movedE) * perMetre;
  const y = (at.north - movedN) * perMetre;
  // First reduce the position to one tile, since fixed-point numbers must stay below 2^31.
  walk.x = ((x - Math.floor(x / size) * size) * ONE) | 0;
  walk.y = ((y - Math.floor(y / size) * size) * ONE) | 0;
  walk.stepX = (at.stepE * perMetre * ONE) | 0;
  walk.stepY = (at.stepN * perMetre * ONE) | 0;
}

/** Returns the current texel and advances the walk by one pixel. */
export function next(walk: Walk): number {
  const { cells, bits, mask, x, y } = walk;
  walk.x = (x + walk.stepX) | 0;
  walk.y = (y + walk.stepY) | 0;
  return cells[(((y >> FRACTION) & mask) << bits) | ((x >> FRACTION) & mask)]!;
}

/** Like `next`, but interpolated between four texels, for textures seen larger than their resolution. */
export function nextSmooth(walk: Walk): number {
  const { cells, bits, mask, x, y } = walk;
  walk.x = (x + walk.stepX) | 0;
  walk.y = (y + walk.stepY) | 0;
  const column = (x >> FRACTION) & mask;
  const nextColumn = (column + 1) & mask;
  const row = ((y >> FRACTION) & mask) << bits;
  const nextRow = (((y >> FRACTION) + 1) & mask) << bits;
  const right = (x & (ONE - 1)) >> (FRACTION - 8);
  const down = (y & (ONE - 1)) >> (FRACTION - 8);
  const upper = cells[row | column]! * (256 - right) + cells[row | nextColumn]! * right;
  const lower = cells[nextRow | column]! * (256 - right) + cells[nextRow | nextColumn]! * right;
  return (upper * (256 - down) + lower * down) >> 16;
}
