/** How far the clock of the machine was set since the last call: milliseconds, below zero for back. */
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
