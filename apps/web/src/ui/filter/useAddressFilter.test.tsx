// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Suspense, use } from 'react';
import { createMemoryRouter, useLocation } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, expect, it } from 'vitest';
import type { AddressRules } from './query-filter.ts';
import { useAddressFilter } from './useAddressFilter.ts';

afterEach(cleanup);

type Filter = { tag: string; country: string };

const rules: AddressRules<Filter> = {
  names: ['tag', 'country'],
  toQuery: ({ tag, country }) => ({ ...(tag && { tag }), ...(country && { country }) }),
  fromQuery: (query) => ({ tag: query.get('tag') ?? '', country: query.get('country') ?? '' }),
};

function Filters() {
  const { filter, setFilter } = useAddressFilter(rules);
  return (
    <>
      <button type="button" onClick={() => setFilter({ ...filter, tag: 'ferry' })}>
        Ferry
      </button>
      <button type="button" onClick={() => setFilter({ ...filter, country: 'GR' })}>
        Greece
      </button>
    </>
  );
}

it('builds on the choice before, also while what that one changes is not drawn yet', async () => {
  const never = new Promise<never>(() => {});
  const List = () => (useLocation().search === '' ? 'all' : use(never));
  const page = (
    <>
      <Filters />
      <Suspense>
        <List />
      </Suspense>
    </>
  );
  const router = createMemoryRouter([{ path: '/', element: page }]);
  render(<RouterProvider router={router} />);

  await userEvent.click(screen.getByRole('button', { name: 'Ferry' }));
  await userEvent.click(screen.getByRole('button', { name: 'Greece' }));

  expect(router.state.location.search).toBe('?tag=ferry&country=GR');
});
