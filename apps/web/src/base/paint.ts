/** Calls `run` once the current animation frame has been painted. Returns a function that cancels the call. */
export function afterPaint(run: () => void): () => void {
  let handle = requestAnimationFrame(() => {
    handle = requestAnimationFrame(run);
  });
  return () => cancelAnimationFrame(handle);
}
