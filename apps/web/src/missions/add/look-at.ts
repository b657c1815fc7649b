import { type FirstLook, unknownLook } from './look.ts';

/** A file that takes longer, as on a slow share, is grouped without its KLV. */
const PATIENCE_MS = 10_000;

export type Viewers = {
  /** Reads mission, platform and times from the first bytes of the file. Never rejects. */
  lookAt(file: File): Promise<FirstLook>;
  close(): void;
};

/**
 * Starts a worker that reads the beginning of one transport stream after the other; other files have no KLV at their
 * beginning.
 */
export function openViewers(): Viewers {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  function close(): void {
    worker?.terminate();
    worker = null;
  }

  const ask = (file: File) =>
    new Promise<FirstLook>((resolve) => {
      if (closed) return resolve(unknownLook);
      worker ??= new Worker(new URL('./look.worker.ts', import.meta.url), { type: 'module' });
      const own = worker;
      const answer = (look: FirstLook) => {
        clearTimeout(timer);
        own.onmessage = null;
        own.onerror = null;
        resolve(look);
      };
      const giveUp = () => {
        close();
        answer(unknownLook);
      };
      const timer = setTimeout(giveUp, PATIENCE_MS);
      own.onmessage = ({ data }: MessageEvent<FirstLook>) => answer(data);
      own.onerror = giveUp;
      own.postMessage(file);
    });

  return {
    lookAt(file) {
      if (!/\.(?:ts|m2ts|mts|mpg)$/i.test(file.name)) return Promise.resolve(unknownLook);
      const look = last.then(() => ask(file));
      last = look;
      return look;
    },
    close() {
      closed = true;
      close();
    },
  };
}

/** The same for a single file. */
export function lookAt(file: File): Promise<FirstLook> {
  const viewers = openViewers();
  return viewers.lookAt(file).finally(viewers.close);
}
