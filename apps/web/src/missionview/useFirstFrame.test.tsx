// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { viewParts } from '../onscreen/test-parts.ts';
import { useFirstFrame } from './useMissionParts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const parts = viewParts();
  const onFirstFrame = vi.fn();
  const { result } = renderHook(() => useFirstFrame(parts, onFirstFrame));
  return { parts, onFirstFrame, due: () => result.current };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('draws the surroundings after the picture, and then notifies the page', async () => {
  const { parts, onFirstFrame, due } = open();
  expect(due()).toBe(false);

  act(() => parts.firstFrame.set(true));

  expect(due()).toBe(true);
  expect(onFirstFrame).not.toHaveBeenCalled();
  await pass(100);
  expect(onFirstFrame).toHaveBeenCalledOnce();
});

it('does not let the buttons wait for a picture that takes its time; the rest of the page does', async () => {
  const { parts, onFirstFrame, due } = open();

  await pass(800);

  expect(due()).toBe(true);
  expect(onFirstFrame).not.toHaveBeenCalled();
  act(() => parts.firstFrame.set(true));
  await pass(100);
  expect(onFirstFrame).toHaveBeenCalledOnce();
});

it('waits for nothing where the picture is there already', () => {
  const parts = viewParts();
  parts.firstFrame.set(true);

  expect(renderHook(() => useFirstFrame(parts, undefined)).result.current).toBe(true);
});
