/** Calls once what is drawn in this animation frame is on screen; what it returns takes that back. */
export function afterPaint(run: () => void): () => void {
  let handle = requestAnimationFrame(() => {
    handle = requestAnimationFrame(run);
  });
  return () => cancelAnimationFrame(handle);
}
