// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { viewServices } from '../testing/view-services.ts';
import { useFirstFrame } from './useMissionServices.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const services = viewServices();
  const onFirstFrame = vi.fn();
  const { result } = renderHook(() => useFirstFrame(services, onFirstFrame));
  return { services, onFirstFrame, due: () => result.current };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('draws the surroundings after the picture, and then notifies the page', async () => {
  const { services, onFirstFrame, due } = open();
  expect(due()).toBe(false);

  act(() => services.firstFrame.set(true));

  expect(due()).toBe(true);
  expect(onFirstFrame).not.toHaveBeenCalled();
  await pass(100);
  expect(onFirstFrame).toHaveBeenCalledOnce();
});

it('does not let the buttons wait for a picture that takes its time; the rest of the page does', async () => {
  const { services, onFirstFrame, due } = open();

  await pass(800);

  expect(due()).toBe(true);
  expect(onFirstFrame).not.toHaveBeenCalled();
  act(() => services.firstFrame.set(true));
  await pass(100);
  expect(onFirstFrame).toHaveBeenCalledOnce();
});

it('waits for nothing where the picture is there already', () => {
  const services = viewServices();
  services.firstFrame.set(true);

  expect(renderHook(() => useFirstFrame(services, undefined)).result.current).toBe(true);
});
