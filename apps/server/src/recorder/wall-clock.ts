/**
 * Returns a function that returns by how many milliseconds the system clock was set since the previous call; negative
 * if it was set back.
 */
export function wallClockMoves(clocks: { nowUs(): number; nowMs(): number }): () => number {
  const lead = () => clocks.nowUs() / 1000 - clocks.nowMs();
  let before = lead();
  return () => {
    const now = lead();
    const moved = now - before;
    before = now;
    return moved;
  };
}
