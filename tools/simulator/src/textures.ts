import { randomOf } from './random.ts';

/** A square pattern that repeats, with smaller copies for ground seen from further away. */
export type Texture = {
  /** Size of one texel of the finest copy, in metres. */
  texelM: number;
  /** Copies, each half the size of the previous one; values are -128..127. */
  levels: { cells: Int8Array; bits: number }[];
};

/** Returns a texture of the slopes of a wind sea, lit from one side. */
export function waveTexture(seed: number): Texture {
  const bits = 10;
  const size = 1 << bits;
  const heights = new Float32Array(size * size);
  const random = randomOf(seed);
  for (let wave = 0; wave < 90; wave += 1) {
    // Add waves with a whole number of cycles per tile, spread around one direction; longer waves are higher.
    const cycles = 5 + 120 * random() ** 1.7;
    const direction = 0.5 + 1.5 * (random() + random() + random() - 1.5);
    addWave(heights, size, [Math.round(cycles * Math.cos(direction)), Math.round(cycles * Math.sin(direction))], {
      phase: 2 * Math.PI * random(),
      height: 1 / cycles ** 0.95,
    });
  }
  return withLevels(slopes(heights, size), bits, 0.25);
}

/** Returns fractal noise. `roughness` is the strength of each octave relative to the next coarser one. */
export function noiseTexture(options: {
  seed: number;
  bits: number;
  texelM: number;
  coarsest: number;
  roughness: number;
  lit: boolean;
}): Texture {
  const { seed, bits, texelM, coarsest, roughness, lit } = options;
  const size = 1 << bits;
  const heights = new Float32Array(size * size);
  const random = randomOf(seed);
  let strength = 1;
  for (let cells = coarsest; cells <= size; cells *= 2) {
    addOctave(heights, size, cells, strength, random);
    strength *= roughness;
  }
  return withLevels(lit ? slopes(heights, size) : normalised(heights), bits, texelM);
}

function addWave(
  heights: Float32Array,
  size: number,
  [across, up]: [number, number],
  wave: { phase: number; height: number },
): void {
  const angle = (2 * Math.PI) / size;
  const cosX = Float32Array.from({ length: size }, (_, x) => wave.height * Math.cos(across * angle * x + wave.phase));
  const sinX = Float32Array.from({ length: size }, (_, x) => wave.height * Math.sin(across * angle * x + wave.phase));
  for (let y = 0; y < size; y += 1) {
    const [cosY, sinY] = [Math.cos(up * angle * y), Math.sin(up * angle * y)];
    const row = y * size;
    for (let x = 0; x < size; x += 1) heights[row + x]! += cosX[x]! * cosY - sinX[x]! * sinY;
  }
}

/** Adds one octave of value noise on a repeating lattice of `cells` x `cells`, smoothly interpolated. */
function addOctave(heights: Float32Array, size: number, cells: number, strength: number, random: () => number): void {
  const lattice = Float32Array.from({ length: cells * cells }, () => (random() * 2 - 1) * strength);
  const shift = Math.log2(size / cells);
  const mask = (1 << shift) - 1;
  const ease = Float32Array.from({ length: 1 << shift }, (_, step) => {
    const share = step / (1 << shift);
    return share * share * (3 - 2 * share);
  });
  for (let y = 0; y < size; y += 1) {
    const row = (y >> shift) * cells;
    const nextRow = (((y >> shift) + 1) % cells) * cells;
    const down = ease[y & mask]!;
    for (let x = 0; x < size; x += 1) {
      const column = x >> shift;
      const next = (column + 1) % cells;
      const right = ease[x & mask]!;
      const upper = lattice[row + column]! + right * (lattice[row + next]! - lattice[row + column]!);
      const lower = lattice[nextRow + column]! + right * (lattice[nextRow + next]! - lattice[nextRow + column]!);
      heights[y * size + x]! += upper + down * (lower - upper);
    }
  }
}

/** Returns an image of how far each place slopes towards the light. */
function slopes(heights: Float32Array, size: number): Int8Array {
  const lit = new Float32Array(heights.length);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const right = y * size + ((x + 1) & (size - 1));
      const below = ((y + 1) & (size - 1)) * size + x;
      lit[y * size + x] = heights[y * size + x]! * 1.6 - heights[right]! - heights[below]! * 0.6;
    }
  }
  return normalised(lit);
}

/** Scales values to a standard deviation of 32. */
function normalised(values: Float32Array): Int8Array {
  let [sum, squares] = [0, 0];
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  const deviation = Math.sqrt(squares / values.length - mean * mean);
  const cells = new Int8Array(values.length);
  for (let at = 0; at < cells.length; at += 1) {
    cells[at] = Math.max(-127, Math.min(127, ((values[at]! - mean) / deviation) * 32));
  }
  return cells;
}

function withLevels(finest: Int8Array, bits: number, texelM: number): Texture {
  const levels = [{ cells: finest, bits }];
  while (levels[levels.length - 1]!.bits > 2) levels.push(halved(levels[levels.length - 1]!));
  return { texelM, levels };
}

function halved({ cells, bits }: { cells: Int8Array; bits: number }): { cells: Int8Array; bits: number } {
  const size = 1 << (bits - 1);
  const smaller = new Int8Array(size * size);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const at = ((2 * y) << bits) + 2 * x;
      const sum = cells[at]! + cells[at + 1]! + cells[at + (1 << bits)]! + cells[at + (1 << bits) + 1]!;
      // Slightly stronger than the mean, since otherwise the distant sea would be a flat grey.
      smaller[y * size + x] = Math.max(-127, Math.min(127, sum * 0.3));
    }
  }
  return { cells: smaller, bits: bits - 1 };
}
