/** Returns a generator of numbers in [0, 1) that depend only on the seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a smooth, endless variation between -1 and 1: a sum of waves with periods around `periodS` seconds. */
export function wander(random: () => number, periodS: number): (timeS: number) => number {
  const waves = [1, 0.62, 0.37].map((share) => ({
    speed: (2 * Math.PI) / (periodS * share * (0.9 + 0.2 * random())),
    phase: 2 * Math.PI * random(),
    size: share / 1.99,
  }));
  return (timeS) => waves.reduce((sum, { speed, phase, size }) => sum + size * Math.sin(timeS * speed + phase), 0);
}
