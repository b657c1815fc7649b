// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi, usergroupOf } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { CreateRoom } from './CreateRoom.tsx';

afterEach(cleanup);

it('A room is idle for at least 5 minutes, which are sent in seconds, and holds at least 1 person', async () => {
  const refused = () => {
    throw new Error('Only what is sent counts here');
  };
  const groups = [usergroupOf({ name: 'Demo' })];
  const { api, inputsOf } = fakeApi({ 'GET /usergroups': () => groups, 'POST /conference/rooms': refused });
  show(<CreateRoom rooms={[]} />, { api });
  const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const create = screen.getByRole<HTMLButtonElement>('button', { name: 'Create' });
  type('Name', 'bridge');
  await expect.poll(() => create.disabled).toBe(false);

  type('Idle timeout (minutes)', '4');
  expect(screen.getByText('At least 5 minutes, at most a week')).toBeDefined();
  expect(create.disabled).toBe(true);
  type('Idle timeout (minutes)', '5');
  type('Max participants', '0');
  expect(screen.getByText(/^At least 1, at most \d+$/)).toBeDefined();
  expect(create.disabled).toBe(true);
  type('Max participants', '1');
  fireEvent.click(create);

  await screen.findByText(/^Error creating room bridge: /);
  expect(inputsOf('POST /conference/rooms')).toEqual([
    { body: { name: 'bridge', usergroups: ['Demo'], emptyTimeout: 300, maxParticipants: 1 } },
  ]);
});
