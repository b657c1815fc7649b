import { emptyInspection, type Inspection } from './inspect.ts';

/**
 * Maximum time to inspect a file, in milliseconds. A slower one, for example on a slow network share, is grouped
 * without its KLV.
 */
const INSPECTION_TIMEOUT_MS = 10_000;

export type Inspector = {
  /** Reads mission, platform and times from the first bytes of the file. Never rejects. */
  inspect(file: File): Promise<Inspection>;
  close(): void;
};

/**
 * Starts a worker that reads the beginnings of transport streams, one after the other. Other files are not read, since
 * they have no KLV at their beginning.
 */
export function openInspector(): Inspector {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  function close(): void {
    worker?.terminate();
    worker = null;
  }

  const ask = (file: File) =>
    new Promise<Inspection>((resolve) => {
      if (closed) return resolve(emptyInspection);
      worker ??= new Worker(new URL('./inspect.worker.ts', import.meta.url), { type: 'module' });
      const own = worker;
      const answer = (inspection: Inspection) => {
        clearTimeout(timer);
        own.onmessage = null;
        own.onerror = null;
        resolve(inspection);
      };
      const giveUp = () => {
        close();
        answer(emptyInspection);
      };
      const timer = setTimeout(giveUp, INSPECTION_TIMEOUT_MS);
      own.onmessage = ({ data }: MessageEvent<Inspection>) => answer(data);
      own.onerror = giveUp;
      own.postMessage(file);
    });

  return {
    inspect(file) {
      if (!/\.(?:ts|m2ts|mts|mpg)$/i.test(file.name)) return Promise.resolve(emptyInspection);
      const inspection = last.then(() => ask(file));
      last = inspection;
      return inspection;
    },
    close() {
      closed = true;
      close();
    },
  };
}

/** Inspects a single file with an inspector of its own, which is closed afterwards. */
export function inspect(file: File): Promise<Inspection> {
  const inspector = openInspector();
  return inspector.inspect(file).finally(inspector.close);
}
