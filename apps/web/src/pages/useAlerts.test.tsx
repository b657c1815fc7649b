// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { useAlerts } from './useAlerts.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Alerts() {
  useAlerts();
  return null;
}

it('keeps the alerts of the license open until they are answered', async () => {
  vi.useFakeTimers();
  const { bus } = show(<Alerts />, { api: fakeApi({}).api });
  const named = (name: string) => screen.getByRole('alertdialog', { name });
  const longerThanAnyNote = () => act(() => vi.advanceTimersByTimeAsync(60_000));

  act(() => bus.emit('concurrent_users_limit_reached', { message: '3 of 3 places are taken' }));
  act(() => bus.emit('demoexpired', {}));
  await longerThanAnyNote();
  named('Too many concurrent users - 3 of 3 places are taken');
  act(() => screen.getByRole('button', { name: 'OK' }).click());
  await longerThanAnyNote();

  expect(named('Demo Expired').textContent).toContain('Please check your license.');
});
