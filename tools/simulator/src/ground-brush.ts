import type { Spectrum } from './options.ts';
import { paletteOf, REACH_M, STEPS_PER_M } from './palette.ts';
import type { Picture } from './picture.ts';
import { noiseTexture, type Texture, waveTexture } from './textures.ts';
import { chooseCopy, createWalk, FRACTION, next, nextSmooth, type Stretch, startWalk } from './walk.ts';

/** Pixels `start` to `end` of row `py`. */
type Pixels = { py: number; start: number; end: number };

/** Paints rows of the picture stretch by stretch. */
export type GroundBrush = {
  begin(picture: Picture, timeS: number): void;
  /**
   * Must be called before the stretches of each row; a pixel in the middle of the row is `pixelM` metres wide on the
   * ground.
   */
  row(pixelM: number): void;
  /** Paints open water; `from` and `to` are the (negative) distances to the coast at both ends. */
  sea(stretch: Stretch, pixels: Pixels, from: number, to: number): void;
  /** Paints land away from the coast. */
  land(stretch: Stretch, pixels: Pixels): void;
  /** Paints a stretch that includes the coastline: each pixel according to its own distance from the coast. */
  shore(stretch: Stretch, pixels: Pixels): void;
};

/**
 * Drift of the waves as [east, north] in metres per second: `near` for the small waves, `far` for the swell beneath
 * them.
 */
const DRIFT = { near: [1.9, 1.2], far: [4.1, 1.6] } as const;
/** Size of the long waves, as a multiple of the small ones. */
const SWELL = 3.7;
/** Factor for choosing textures: the ground under a pixel is longer than wide, so a size in between is used. */
const OBLIQUE = 1.5;
/** Luma added at the upper edge, since the more distant sea reflects more of the sky. */
const HAZE = { EO: 9, IR: 3 } as const;

type Land = { hills: Texture; bushes: Texture; soil: Texture };

/**
 * The land textures and those of the last sea are cached, since making them takes longer than rendering seconds of a
 * flight.
 */
let land: Land | null = null;
let sea: { seed: number; waves: Texture } | null = null;

const makeLand = (): Land => ({
  hills: noiseTexture({ seed: 77, bits: 9, texelM: 6, coarsest: 8, roughness: 0.6, lit: true }),
  bushes: noiseTexture({ seed: 78, bits: 10, texelM: 0.5, coarsest: 64, roughness: 0.85, lit: true }),
  soil: noiseTexture({ seed: 79, bits: 9, texelM: 6, coarsest: 16, roughness: 0.7, lit: false }),
});

function wavesOf(seed: number): Texture {
  if (sea?.seed !== seed) sea = { seed, waves: waveTexture(seed * 31 + 7) };
  return sea.waves;
}

export function createGroundBrush(options: {
  spectrum: Spectrum;
  seed: number;
  distanceAt: (east: number, north: number) => number;
}): GroundBrush {
  const { spectrum, seed, distanceAt } = options;
  const palette = paletteOf(spectrum);
  const waves = wavesOf(seed);
  const [near, far] = [createWalk(waves), createWalk(waves, SWELL)];
  land ??= makeLand();
  const [hills, bushes, soil] = [createWalk(land.hills), createWalk(land.bushes), createWalk(land.soil)];
  const walks = [near, far, hills, bushes, soil];
  let picture: Picture;
  let timeS = 0;
  let swashM = 0;
  // Luma of the sea without its waves, with 8 fractional bits, and its change from pixel to pixel.
  let level = 0;
  let levelStep = 0;

  /** Paints most pixels of most frames, so both walks are unpacked into local variables for speed. */
  const paintWaves = (luma: Uint8Array, start: number, end: number) => {
    const { crest } = palette;
    const { cells: nearCells, bits: nearBits, mask: nearMask, stepX: nearStepX, stepY: nearStepY } = near;
    const { cells: farCells, bits: farBits, mask: farMask, stepX: farStepX, stepY: farStepY } = far;
    let nearX = near.x;
    let nearY = near.y;
    let farX = far.x;
    let farY = far.y;
    let shade = level;
    // Two pixels share a texel of the swell, which is longer by about that factor. Stretches have an even number of
    // pixels.
    for (let at = start; at < end; at += 2) {
      const swell = farCells[(((farY >> FRACTION) & farMask) << farBits) | ((farX >> FRACTION) & farMask)]! + 256;
      const first = nearCells[(((nearY >> FRACTION) & nearMask) << nearBits) | ((nearX >> FRACTION) & nearMask)]!;
      luma[at] = (shade >> 8) + crest[swell + first]!;
      nearX = (nearX + nearStepX) | 0;
      nearY = (nearY + nearStepY) | 0;
      const second = nearCells[(((nearY >> FRACTION) & nearMask) << nearBits) | ((nearX >> FRACTION) & nearMask)]!;
      luma[at + 1] = (shade >> 8) + crest[swell + second]!;
      nearX = (nearX + nearStepX) | 0;
      nearY = (nearY + nearStepY) | 0;
      farX = (farX + 2 * farStepX) | 0;
      farY = (farY + 2 * farStepY) | 0;
      shade = (shade + 2 * levelStep) | 0;
    }
  };

  const hazeAt = (py: number) => HAZE[spectrum] * (1 - py / picture.height);
  const entryOf = (distanceM: number) =>
    Math.max(0, Math.min(2 * REACH_M * STEPS_PER_M - 1, ((distanceM + REACH_M) * STEPS_PER_M) | 0));

  const startWaves = (stretch: Stretch) => {
    startWalk(near, stretch, DRIFT.near[0] * timeS, DRIFT.near[1] * timeS);
    startWalk(far, stretch, DRIFT.far[0] * timeS, DRIFT.far[1] * timeS);
  };
  const startLand = (stretch: Stretch) => {
    startWalk(hills, stretch, 0, 0);
    startWalk(bushes, stretch, 0, 0);
    startWalk(soil, stretch, 0, 0);
  };

  return {
    begin(next, seconds) {
      picture = next;
      timeS = seconds;
      swashM = 1.3 * Math.sin(seconds * 0.9);
    },

    row(pixelM) {
      for (const walk of walks) chooseCopy(walk, pixelM * OBLIQUE);
    },

    sea(stretch, { py, start, end }, from, to) {
      const { luma, width } = picture;
      startWaves(stretch);
      const [first, last] = [entryOf(from), entryOf(to)];
      const haze = hazeAt(py);
      const base = Math.round((palette.luma[first]! + haze) * 256);
      const step = Math.round(((palette.luma[last]! - palette.luma[first]!) * 256) / (end - start));
      level = base;
      levelStep = step;
      paintWaves(luma, py * width + start, py * width + end);
      if (!picture.isColour || (py & 1) === 1) return;
      const row = (py >> 1) * (width >> 1);
      const middle = (first + last) >> 1;
      picture.blue.fill(palette.blue[middle]!, row + (start >> 1), row + (end >> 1));
      picture.red.fill(palette.red[middle]!, row + (start >> 1), row + (end >> 1));
    },

    land(stretch, { py, start, end }) {
      const { luma, blue, red, width } = picture;
      startLand(stretch);
      const inland = entryOf(REACH_M);
      const base = palette.luma[inland]! + (hazeAt(py) | 0);
      const row = py * width;
      for (let px = start; px < end; px += 1) {
        const value = base + ((nextSmooth(hills) * 11 + next(bushes) * 7) >> 4);
        luma[row + px] = value < 24 ? 24 : value;
      }
      if (!picture.isColour || (py & 1) === 1) return;
      const half = (py >> 1) * (width >> 1);
      for (let at = half + (start >> 1); at < half + (end >> 1); at += 1) {
        const dry = nextSmooth(soil);
        next(soil);
        blue[at] = palette.blue[inland]! - (dry >> 4);
        red[at] = palette.red[inland]! + (dry >> 3);
      }
    },

    shore(stretch, { py, start, end }) {
      const { luma, blue, red, width } = picture;
      startWaves(stretch);
      startLand(stretch);
      const haze = hazeAt(py) | 0;
      const half = (py >> 1) * (width >> 1);
      const colours = picture.isColour && (py & 1) === 0;
      for (let px = start; px < end; px += 1) {
        const steps = px - start;
        const distanceM = distanceAt(stretch.east + steps * stretch.stepE, stretch.north + steps * stretch.stepN);
        const [bush, dry] = [next(bushes), nextSmooth(soil)];
        const wave = next(near) + next(far);
        const water = distanceM < 0 ? swashM + wave * 0.02 : 0;
        const entry = entryOf(distanceM + bush * 0.03 + water);
        const waved = palette.wave[entry]! * palette.crest[wave + 256]!;
        const grown = palette.land[entry]! * ((nextSmooth(hills) * 11 + bush * 7) >> 4);
        luma[py * width + px] = Math.max(24, palette.luma[entry]! + haze + ((waved + grown) >> 8));
        if (!colours || (px & 1) === 1) continue;
        const at = half + (px >> 1);
        const inland = palette.land[entry]! >> 4;
        blue[at] = palette.blue[entry]! - ((dry * inland) >> 8);
        red[at] = palette.red[entry]! + ((dry * inland) >> 7);
      }
    },
  };
}
