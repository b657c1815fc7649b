// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { admin, show } from '../testing/show.tsx';
import { PlatformsPage } from './PlatformsPage.tsx';

afterEach(cleanup);

it.each(['user', 'guest'] as const)('tells a %s that platforms are not theirs to control', (role) => {
  const { api, calls } = fakeApi({});

  show(<PlatformsPage />, { api, at: '/platforms', session: { actor: { ...admin, role } } });

  expect(screen.getByText("Please note, you don't have Admin rights to control platforms.")).toBeDefined();
  expect(calls).toEqual([]);
});
