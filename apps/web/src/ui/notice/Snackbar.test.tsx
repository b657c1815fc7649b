// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { show } from '../../testing/show.tsx';
import { useSnackbar } from './Snackbar.tsx';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Notes() {
  const { show: note } = useSnackbar();
  return (
    <button type="button" onClick={() => note('Saved')}>
      Save
    </button>
  );
}

it('goes by itself after 4000 ms', async () => {
  show(<Notes />, { api: { call: () => Promise.reject(new Error('Nothing is asked here')) } });
  act(() => screen.getByRole('button', { name: 'Save' }).click());

  await act(() => vi.advanceTimersByTimeAsync(3900));
  expect(screen.queryByText('Saved')).not.toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1000));

  expect(screen.queryByText('Saved')).toBeNull();
});
