const TURN = 2 ** 32;

/**
 * Returns how much later `ticks` is than `from`, negative if earlier: players count in 33 bits and RTP in 32, so modulo
 * 2^32.
 */
export function ticksSince(from: number, ticks: number): number {
  const turned = (((ticks - from) % TURN) + TURN) % TURN;
  return turned >= TURN / 2 ? turned - TURN : turned;
}
