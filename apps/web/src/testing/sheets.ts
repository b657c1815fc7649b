import type { PictureSheet } from '@osprey/contract';
import { afterEach, beforeEach, vi } from 'vitest';

/** Test support: a sheet with pictures at these seconds. */
export const sheetAt = (seconds: readonly number[], name = 'one'): PictureSheet => ({
  url: `/api/media/sensor/sheets/${name}.jpg`,
  height: 54,
  times: seconds.map((second) => second * 1_000_000),
});

/** Test support: answers the requests of sheets, and counts them. `refuse`: those that are then not found. */
export function withSheets() {
  const requested: string[] = [];
  const refused = new Set<string>();
  beforeEach(() => {
    requested.length = 0;
    refused.clear();
    const error = { code: 'notFound', message: 'Not found.' };
    vi.stubGlobal('fetch', async (url: string) => {
      requested.push(url);
      return refused.has(url) ? Response.json(error, { status: 404 }) : new Response(new Blob(['jpeg']));
    });
    let made = 0;
    vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
      made += 1;
      return `blob:${made}`;
    });
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  return { requested, refuse: (url: string) => refused.add(url) };
}
