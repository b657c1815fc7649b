/** Time after which a recorder without connections and sources exits, in milliseconds. */
const IDLE_MS = 30_000;
const CHECK_MS = 1000;

type Options = { isBusy: () => boolean; onEnd: () => void; nowMs: () => number };

/** Checks once a second whether the recorder is idle; returns a function that stops the checks. */
export function endWhenIdle({ isBusy, onEnd, nowMs }: Options): () => void {
  let busyMs = nowMs();
  const timer = setInterval(() => {
    if (isBusy()) busyMs = nowMs();
    else if (nowMs() - busyMs > IDLE_MS) onEnd();
  }, CHECK_MS);
  return () => clearInterval(timer);
}
