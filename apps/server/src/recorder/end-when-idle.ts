/** A recorder without connections and without sources ends itself after this time. */
const IDLE_MS = 30_000;
const CHECK_MS = 1000;

type Options = { isBusy: () => boolean; onEnd: () => void; nowMs: () => number };

/** Looks once a second; returns the function that stops looking. */
export function endWhenIdle({ isBusy, onEnd, nowMs }: Options): () => void {
  let busyMs = nowMs();
  const timer = setInterval(() => {
    if (isBusy()) busyMs = nowMs();
    else if (nowMs() - busyMs > IDLE_MS) onEnd();
  }, CHECK_MS);
  return () => clearInterval(timer);
}
