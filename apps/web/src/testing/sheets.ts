import type { PictureSheet } from '@osprey/contract';
import { afterEach, beforeEach, vi } from 'vitest';

/** Test support: a sheet with pictures at these seconds. */
export const sheetAt = (seconds: readonly number[], name = 'one'): PictureSheet => ({
  url: `/api/media/sensor/sheets/${name}.jpg`,
  height: 54,
  times: seconds.map((second) => second * 1_000_000),
});

/**
 * Test support: answers the requests of sheets, and notes them. `refuse`: those that are not found; `refuseLater` returns a
 * function that gives this answer.
 */
export function withSheets() {
  const requested: string[] = [];
  const refused = new Map<string, Promise<void>>();
  beforeEach(() => {
    requested.length = 0;
    refused.clear();
    const error = { code: 'notFound', message: 'Not found.' };
    vi.stubGlobal('fetch', async (url: string) => {
      requested.push(url);
      await refused.get(url);
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
  return {
    requested,
    refuse: (url: string) => void refused.set(url, Promise.resolve()),
    refuseLater(url: string): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      refused.set(url, promise);
      return resolve;
    },
  };
}
