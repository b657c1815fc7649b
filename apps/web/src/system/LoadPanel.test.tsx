// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { LoadPanel, pathOf } from './LoadPanel.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('has its charts within the first seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  let seconds = 0;
  vi.stubGlobal('fetch', async () => {
    seconds += 1;
    return new Response(`process_cpu_seconds_total ${seconds}\nosprey_http_received_bytes_total ${seconds}\n`);
  });
  show(<LoadPanel />, { api: fakeApi({}).api });
  await vi.advanceTimersByTimeAsync(5000);

  await waitFor(() => {
    const path = screen.getByRole('img', { name: /^Processor/ }).querySelector('path')!;
    expect(path.getAttribute('d')).toMatch(/^M.*L/);
  });
  vi.useRealTimers();
});

it('fills the chart with the first minute, later with ten', () => {
  const at = (atMs: number) => ({ atMs, value: 50 });
  expect(pathOf([at(0), at(30_000), at(60_000)], 100)).toBe('M0.00 50.50L50.00 50.50L100.00 50.50');
  expect(pathOf([at(0), at(1_200_000)], 100)).toBe('M-100.00 50.50L100.00 50.50');
});
