/** A recorder that nobody asks anything and that has nothing to receive ends itself after so long. */
const IDLE_MS = 30_000;
const CHECK_MS = 1000;

type Options = { isBusy: () => boolean; onEnd: () => void; nowMs: () => number };

/** Looks once a second; answers the function that stops looking. */
export function endWhenIdle({ isBusy, onEnd, nowMs }: Options): () => void {
  let busyMs = nowMs();
  const timer = setInterval(() => {
    if (isBusy()) busyMs = nowMs();
    else if (nowMs() - busyMs > IDLE_MS) onEnd();
  }, CHECK_MS);
  return () => clearInterval(timer);
}
