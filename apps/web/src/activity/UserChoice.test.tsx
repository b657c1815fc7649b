// @vitest-environment jsdom
import type { User } from '@osprey/contract';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { UserChoice } from './FilterParts.tsx';

afterEach(cleanup);

const people: User[] = ['Anna', 'Berit', 'Bertil'].map((username, place) => ({
  _id: `00000000-0000-4000-8000-00000000000${place}`,
  username,
  firstName: '',
  lastName: '',
  company: '',
  email: '',
  country: '',
  authorizationRole: 'user',
  securityClearance: 'UNCLASSIFIED',
  usergroups: [],
  usergroupsAdmin: [],
  disabled: false,
  state: 'active',
  secondFactor: false,
  onlineCount: 0,
  registered: 1,
  lastAccess: null,
}));
const names = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

it('offers no other account while the answer to the typed text is under way', async () => {
  const { api } = fakeApi({
    'GET /users': ({ query }) => (query?.search === undefined ? people : new Promise(() => undefined)),
  });
  const onChange = vi.fn();
  show(<UserChoice value={[]} onChange={onChange} several onDone={() => undefined} />, { api });
  await expect.poll(names).toEqual(['Anna', 'Berit', 'Bertil']);

  const field = screen.getByRole('combobox');
  fireEvent.change(field, { target: { value: 'bert' } });

  expect(names()).toEqual(['Bertil']);
  fireEvent.keyDown(field, { key: 'ArrowDown' });
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onChange).toHaveBeenCalledExactlyOnceWith([people[2]!._id]);
});
