// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { info, show } from '../testing/show.tsx';
import { SupervisorPage } from './SupervisorPage.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('leaves the app for the supervisor whose address the server gives', () => {
  const replace = vi.fn();
  vi.stubGlobal('location', { ...location, replace });

  show(<SupervisorPage />, {
    api: fakeApi({}).api,
    session: { info: { ...info, supervisorUrl: 'https://watch.example:8443/', supervisorPort: 8443 } },
  });

  expect(replace).toHaveBeenCalledExactlyOnceWith('https://watch.example:8443/');
  expect(screen.queryByText('No supervisor is set')).toBeNull();
});
