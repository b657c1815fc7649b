type Options = {
  firstMs: number;
  everyMs: number;
  /** Performs the work. `isClosed` returns true if it should end soon. */
  work: (isClosed: () => boolean) => Promise<void>;
  failed: (error: unknown) => void;
};

/** Repeats a task at intervals without overlap and without keeping the process alive. */
export function nowAndThen({ firstMs, everyMs, work, failed }: Options) {
  let working: Promise<void> | null = null;
  let closed = false;
  const begin = () => {
    working ??= work(() => closed)
      .catch(failed)
      .finally(() => {
        working = null;
      });
  };
  const first = setTimeout(begin, firstMs);
  const timer = setInterval(begin, everyMs);
  first.unref();
  timer.unref();
  return {
    async close(): Promise<void> {
      closed = true;
      clearTimeout(first);
      clearInterval(timer);
      await working;
    },
  };
}
