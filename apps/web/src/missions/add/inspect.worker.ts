import { emptyInspection, INSPECTED_BYTES, inspectBytes } from './inspect.ts';

/** Inspects one file at a time: the inspector posts the next file only after the answer to the previous one. */
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
