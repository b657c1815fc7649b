// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { admin, info, show } from '../testing/show.tsx';
import { PageKeys } from './PageKeys.tsx';

afterEach(cleanup);

function open() {
  const { api } = fakeApi({});
  return show(
    <>
      <input aria-label="Search" />
      <PageKeys />
    </>,
    { api, at: '/documents', session: { actor: admin, info } },
  );
}

it('lists the keys in a dialog over the page, with those of features', async () => {
  open();
  await userEvent.keyboard('?');

  const list = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }, { timeout: 20_000 });
  const groups = within(list).getAllByRole('heading', { level: 3 });
  expect(groups.map(({ textContent }) => textContent)).toEqual(['While a mission is open', 'In a table', 'Everywhere']);
  for (const text of ['Bookmark this moment', 'Play or pause', 'Go to anything']) within(list).getByText(text);
  await userEvent.click(within(list).getByRole('button', { name: 'Close' }));
});

it('leaves the key to a field and to a view that has taken it', async () => {
  open();
  await userEvent.type(screen.getByRole('textbox'), '?');
  const taken = new KeyboardEvent('keydown', { key: '?', bubbles: true, cancelable: true });
  taken.preventDefault();
  document.body.dispatchEvent(taken);

  expect(screen.queryByRole('dialog')).toBeNull();
});
