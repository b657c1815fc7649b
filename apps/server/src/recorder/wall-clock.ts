/** By how much somebody set the clock of the machine since it was asked last: milliseconds, below zero for back. */
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
