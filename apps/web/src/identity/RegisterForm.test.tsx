// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { type Answers, fakeApi, newId, refusing } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { RegisterForm } from './RegisterForm.tsx';

afterEach(cleanup);

function open(answers: Answers = {}) {
  const onDone = vi.fn();
  const fake = fakeApi({
    'GET /users/exists/:username': ({ params }) => ({ exists: params?.username === 'ana' }),
    ...answers,
  });
  const shown = show(<RegisterForm onDone={onDone} onBack={vi.fn()} />, { api: fake.api });
  return { ...fake, ...shown, onDone };
}

const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);
const register = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Register' });

/** All at once: every letter would draw the form and the list of countries again. */
async function paste(label: string, text: string) {
  await userEvent.click(screen.getByLabelText(label));
  await userEvent.paste(text);
}

async function fillIn(username: string) {
  await paste('Username', username);
  await paste('First name', 'Bo');
  await paste('Last name', 'Berg');
  await paste('Email', 'bo@example.org');
  await paste('Country', 'Greece');
  await userEvent.keyboard('{Enter}');
  await paste('Password', 'long enough');
  await paste('Organization', 'Coast');
}

it('sends the seven fields and goes on with the name', async () => {
  const { inputsOf, onDone } = open({
    'POST /users': () => ({ _id: newId(), username: 'bo', disabled: false, message: '' }),
  });

  await fillIn(' bo ');
  await userEvent.click(register());

  await waitFor(() => expect(onDone).toHaveBeenCalledWith('bo'));
  expect(inputsOf('POST /users')[0]).toEqual({
    body: {
      username: 'bo',
      password: 'long enough',
      email: 'bo@example.org',
      country: 'Greece',
      first_name: 'Bo',
      last_name: 'Berg',
      company: 'Coast',
    },
  });
  expect(screen.getByText('User bo added.')).toBeDefined();
});

it('says that a name is taken and disables Register', async () => {
  open();

  await type('Username', ' ana ');

  expect(await screen.findByText('User ana already exists')).toBeDefined();
  expect(register().disabled).toBe(true);
});

it('judges address and password while typing, but not an empty password', async () => {
  open();

  await type('Email', 'bo@');
  await type('Password', 'abc');
  expect(await screen.findByText('Not a valid email address')).toBeDefined();
  expect(screen.getByText('Password too short')).toBeDefined();

  await userEvent.clear(screen.getByLabelText('Password'));
  await waitFor(() => expect(screen.queryByText('Password too short')).toBeNull());
  expect(screen.queryByText('Password is required')).toBeNull();
});

it('requires all fields', async () => {
  const { calls } = open();

  await userEvent.click(register());

  for (const what of ['Username', 'First name', 'Last name', 'Email', 'Country', 'Password', 'Organization']) {
    expect(await screen.findByText(`${what} is required`)).toBeDefined();
  }
  expect(calls.filter(({ name }) => name === 'POST /users')).toEqual([]);
});

it("shows the server's refusal", async () => {
  open({ 'POST /users': refusing('passwordTooCommon') });

  await fillIn('bo');
  await userEvent.click(register());

  expect(
    await screen.findByText('Error adding user bo: This password is too common. Please choose another one.'),
  ).toBeDefined();
});

it('has no serious accessibility finding', async () => {
  const { container } = open();

  expect(await seriousFindings(container)).toEqual([]);
});
