import type { Spectrum } from './options.ts';
import { type Colour, colour } from './picture.ts';

/** Colour of the ground by distance to the coast, at index `(distanceM + REACH_M) * STEPS_PER_M`. */
export type Palette = {
  luma: Uint8Array;
  blue: Uint8Array;
  red: Uint8Array;
  /** Strength of wave and land patterns; 256 is full strength. */
  wave: Int16Array;
  land: Int16Array;
  /** Brightness of waves by the sum of their two layers; the index is offset by 256. */
  crest: Int16Array;
};

/** Distance from the coast in metres, in both directions, beyond which the colour no longer changes. */
export const REACH_M = 256;
export const STEPS_PER_M = 2;
const ENTRIES = 2 * REACH_M * STEPS_PER_M;

type Stop = readonly [distanceM: number, colour: Colour];

/** Colours from open sea over shallows, wet and dry beach and rock to scrub. */
const DAYLIGHT: readonly Stop[] = [
  [-256, colour(20, 53, 74)],
  [-120, colour(22, 62, 82)],
  [-45, colour(27, 86, 100)],
  [-14, colour(58, 128, 130)],
  [-4, colour(104, 160, 154)],
  [-1.5, colour(196, 208, 202)],
  [0.5, colour(150, 138, 112)],
  [3, colour(198, 182, 150)],
  [9, colour(170, 150, 120)],
  [22, colour(134, 122, 92)],
  [60, colour(116, 110, 80)],
];

/** Infrared levels with white as hot: in the sun, dry ground is warmer than the sea. */
const HEAT: readonly Stop[] = [
  [-256, [58, 128, 128]],
  [-30, [63, 128, 128]],
  [-3, [78, 128, 128]],
  [-1, [96, 128, 128]],
  [1, [126, 128, 128]],
  [6, [158, 128, 128]],
  [20, [138, 128, 128]],
  [60, [126, 128, 128]],
];

/** Appearance of waves: contrast, and the sum of both layers from which on they break into foam. */
const CRESTS: Record<Spectrum, { gain: number; breaksAt: number; foam: number }> = {
  EO: { gain: 0.2, breaksAt: 118, foam: 1.5 },
  IR: { gain: 0.13, breaksAt: 130, foam: 0.5 },
};

export function paletteOf(spectrum: Spectrum): Palette {
  const stops = spectrum === 'EO' ? DAYLIGHT : HEAT;
  const entries = Array.from({ length: ENTRIES }, (_, index) => colourAt(stops, index / STEPS_PER_M - REACH_M));
  const distances = Array.from({ length: ENTRIES }, (_, index) => index / STEPS_PER_M - REACH_M);
  const { gain, breaksAt, foam } = CRESTS[spectrum];
  return {
    luma: Uint8Array.from(entries, ([luma]) => luma),
    blue: Uint8Array.from(entries, ([, blue]) => blue),
    red: Uint8Array.from(entries, ([, , red]) => red),
    wave: Int16Array.from(distances, (distance) => 256 * share(-distance, 0.5, 40, 0.45)),
    land: Int16Array.from(distances, (distance) => 256 * share(distance, 1, 25, 0.2)),
    crest: Int16Array.from({ length: 512 }, (_, index) => {
      const sum = index - 256;
      return sum * gain + Math.max(0, sum - breaksAt) * foam;
    }),
  };
}

/** Returns 0 below `from`, rises from `first` at `from`, and reaches 1 at `to`. */
function share(value: number, from: number, to: number, first: number): number {
  if (value < from) return 0;
  return Math.min(1, first + ((1 - first) * (value - from)) / (to - from));
}

function colourAt(stops: readonly Stop[], distanceM: number): Colour {
  const next = stops.findIndex(([distance]) => distance >= distanceM);
  if (next <= 0) return (next === 0 ? stops[0]! : stops[stops.length - 1]!)[1];
  const [[fromM, from], [toM, to]] = [stops[next - 1]!, stops[next]!];
  const part = (distanceM - fromM) / (toM - fromM);
  const mix = (a: number, b: number) => a + part * (b - a);
  return [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2])];
}
