/**
 * Returns a function that limits work to `count` tasks at a time, so that it does not delay other work. Further tasks
 * wait in the order in which they were requested.
 */
export function atMost(count: number): <Answer>(work: () => Promise<Answer>, signal?: AbortSignal) => Promise<Answer> {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function turn(signal: AbortSignal | undefined): Promise<void> {
    if (running < count) {
      running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal?.reason);
      };
      waiting.push(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  return async (work, signal) => {
    signal?.throwIfAborted();
    await turn(signal);
    try {
      return await work();
    } finally {
      // The next waiting task takes over the slot.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
