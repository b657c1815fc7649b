// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { info, show } from '../testing/show.tsx';
import { AboutPage } from './AboutPage.tsx';

afterEach(cleanup);

it('says since when the server runs, and forgets it while the server is offline', () => {
  const open = (state: 'Online' | 'Offline') =>
    show(<AboutPage />, {
      api: fakeApi({}).api,
      state,
      session: { info: { ...info, serverStartTime: 1_700_000_000_000_000 } },
    });

  open('Online');
  expect(screen.getByText('Nov 14 2023, 22:13 Z')).toBeDefined();
  cleanup();
  open('Offline');

  expect(screen.queryByText('Nov 14 2023, 22:13 Z')).toBeNull();
});

it('leaves a fact open until the first answer, and then says that it is not available', () => {
  const open = (state: 'Connecting' | 'Online') =>
    show(<AboutPage />, { api: fakeApi({}).api, state, session: { info: null } });

  open('Connecting');
  expect(screen.queryByText('Not available')).toBeNull();
  cleanup();
  open('Online');

  expect(screen.getAllByText('Not available')).toHaveLength(3);
});
