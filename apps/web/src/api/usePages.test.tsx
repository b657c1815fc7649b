// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { usePages } from './usePages.ts';

const EVERY_MS = 5000;

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('reads a list again while its first rows are on screen and the page is visible, and else leaves it alone', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const seen = vi.spyOn(document, 'visibilityState', 'get');
  let reads = 0;
  let scrollTo: (lastIndex: number) => void = () => undefined;
  function List() {
    const { rows, onVisible } = usePages<number>({
      queryKey: ['list'],
      read: async () => {
        reads += 1;
        return [reads];
      },
      everyMs: EVERY_MS,
    });
    scrollTo = onVisible;
    return <p>{`read ${rows.join()}`}</p>;
  }
  show(<List />, { api: fakeApi({}).api });
  await screen.findByText('read 1');

  vi.advanceTimersByTime(EVERY_MS);
  await screen.findByText('read 2');
  scrollTo(150);
  vi.advanceTimersByTime(10 * EVERY_MS);
  seen.mockReturnValue('hidden');
  scrollTo(20);
  vi.advanceTimersByTime(10 * EVERY_MS);
  seen.mockReturnValue('visible');
  vi.advanceTimersByTime(EVERY_MS);

  await screen.findByText('read 3');
  cleanup();
  vi.advanceTimersByTime(10 * EVERY_MS);
  expect(reads).toBe(3);
});

it('counts the rows themselves once all are read: one may have come while the others were counted', async () => {
  let page = { rows: [1, 2], headers: { 'x-total-count': '3', 'x-next-after': 'cursor' } as Record<string, string> };
  function List() {
    const { rows, total } = usePages<number>({
      queryKey: ['counted'],
      read: async (_api, { after }, { onHeaders }) => {
        if (after !== undefined) page = { rows: [3, 4], headers: {} };
        onHeaders?.(new Headers(page.headers));
        // The second page is waited for.
        if (after !== undefined) await released;
        return page.rows;
      },
    });
    return <p>{`${rows.length} of ${total}`}</p>;
  }
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  show(<List />, { api: fakeApi({}).api });

  await screen.findByText('2 of 3');
  release();
  await screen.findByText('4 of 4');
});
