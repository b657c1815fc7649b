import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endWhenIdle } from './end-when-idle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function idle({ isBusy = false } = {}) {
  const state = { isBusy, ended: 0 };
  const stop = endWhenIdle({
    isBusy: () => state.isBusy,
    onEnd: () => {
      state.ended += 1;
    },
    nowMs: () => performance.now(),
  });
  return { state, stop };
}

it('ends a recorder without anybody connected and without a source, after 30 s and not before', () => {
  const { state, stop } = idle();

  vi.advanceTimersByTime(30_000);
  expect(state.ended).toBe(0);
  vi.advanceTimersByTime(1000);

  expect(state.ended).toBe(1);
  stop();
});

it('counts from the last moment in which there was something to do', () => {
  const { state, stop } = idle({ isBusy: true });
  vi.advanceTimersByTime(60_000);
  state.isBusy = false;
  vi.advanceTimersByTime(29_000);
  state.isBusy = true;
  vi.advanceTimersByTime(1000);
  state.isBusy = false;

  vi.advanceTimersByTime(30_000);
  expect(state.ended).toBe(0);
  vi.advanceTimersByTime(1000);

  expect(state.ended).toBe(1);
  stop();
});

it('does not look any more once it is stopped', () => {
  const { state, stop } = idle();
  stop();

  vi.advanceTimersByTime(120_000);

  expect(state.ended).toBe(0);
});
