import '../base/zod-jitless.ts';
import { type Found, fastestHashing, NotAPackage, readZip, verifyPackage } from '@osprey/case-package';
import type { Chosen, ToPage } from './wire.ts';

/** Interval of progress messages to the page, in milliseconds. */
const NOTIFY_MS = 100;

const slicesOf = (file: File) => ({
  sizeBytes: file.size,
  read: async (start: number, end: number) => new Uint8Array(await file.slice(start, end).arrayBuffer()),
});

const found = (chosen: Chosen): Found | Promise<Found> =>
  'zip' in chosen
    ? readZip(slicesOf(chosen.zip))
    : { files: chosen.files.map(({ path, file }) => ({ path, ...slicesOf(file) })), faults: [] };

const notify = (message: ToPage) => self.postMessage(message);

self.addEventListener('message', async ({ data }: MessageEvent<Chosen>) => {
  let reportedMs = 0;
  try {
    const verdict = await verifyPackage(await found(data), {
      hashing: fastestHashing(),
      progress(doneBytes, totalBytes) {
        if (performance.now() - reportedMs < NOTIFY_MS) return;
        reportedMs = performance.now();
        notify({ kind: 'progress', doneBytes, totalBytes });
      },
    });
    notify({ kind: 'verdict', verdict });
  } catch (error) {
    notify({ kind: 'failed', text: sentenceOf(error) });
  }
});

function sentenceOf(error: unknown): string {
  if (error instanceof NotAPackage) return error.message;
  const why = error instanceof Error ? error.message : String(error);
  return `It could not be read to its end: ${why}. Copy the package to this machine and choose it again.`;
}
