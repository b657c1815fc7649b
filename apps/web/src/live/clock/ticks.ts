const TURN = 2 ** 32;

/**
 * Returns by how much `ticks` is later than `from`; negative if earlier. Calculated modulo 2^32, since players count in
 * 33 bits, but RTP in 32.
 */
export function ticksSince(from: number, ticks: number): number {
  const turned = (((ticks - from) % TURN) + TURN) % TURN;
  return turned >= TURN / 2 ? turned - TURN : turned;
}
