import { emptyInspection, INSPECTED_BYTES, inspectBytes } from './inspect.ts';

/** One file at a time: the next is posted when the answer to the one before has come. */
self.addEventListener('message', async ({ data }: MessageEvent<File>) => {
  const bytes = await data
    .slice(0, INSPECTED_BYTES)
    .arrayBuffer()
    .catch(() => null);
  let inspection = emptyInspection;
  try {
    if (bytes !== null) inspection = inspectBytes(new Uint8Array(bytes));
  } catch {
    // A file that cannot be read is grouped by its name and folder alone.
  }
  self.postMessage(inspection);
});
