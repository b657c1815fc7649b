// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { admin, show } from '../testing/show.tsx';
import { StoragePage } from './StoragePage.tsx';

afterEach(cleanup);

it.each(['user', 'guest'] as const)(
  'says to a %s who types its address whom to ask, and asks the server nothing',
  (role) => {
    const { api, calls } = fakeApi({});

    show(<StoragePage />, { api, at: '/storage', session: { actor: { ...admin, role } } });

    expect(screen.getByText('This page is for administrators')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Go to the missions' }).getAttribute('href')).toBe('/missions');
    expect(calls).toEqual([]);
  },
);
