// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { type Answers, fakeApi, refusing } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { SetupForm } from './SetupForm.tsx';

afterEach(cleanup);

function open(answers: Answers, props: Partial<Parameters<typeof SetupForm>[0]> = {}) {
  const onDone = vi.fn();
  const fake = fakeApi(answers);
  const shown = show(
    <SetupForm code="c0de" guestFixed={false} samplesPossible passwordMin={8} onDone={onDone} {...props} />,
    { api: fake.api },
  );
  return { ...fake, ...shown, onDone };
}

async function fillIn(password: string, repeat = password) {
  await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.type(screen.getByLabelText('Repeat the password'), repeat);
  await userEvent.click(screen.getByRole('button', { name: 'Set up' }));
}

it('makes the first account with guests and samples ticked, and signs in with its credential', async () => {
  const answer = { role: 'superAdmin', credential: 'device', username: 'admin' };
  const { inputsOf, session, onDone } = open({ 'POST /setup': () => answer });

  await fillIn('good password');

  expect(inputsOf('POST /setup')[0]).toEqual({
    body: { code: 'c0de', username: 'admin', password: 'good password', guests: true, samples: true },
  });
  expect(session.adopt).toHaveBeenCalledWith(answer);
  expect(onDone).toHaveBeenCalledOnce();
});

it('sends another name, and neither guests nor samples where they are unticked', async () => {
  const { inputsOf } = open({ 'POST /setup': () => ({ role: 'superAdmin', credential: 'device', username: 'Nadir' }) });

  const name = screen.getByRole('textbox', { name: 'Username' });
  await userEvent.clear(name);
  await userEvent.type(name, 'Nadir');
  await userEvent.click(screen.getByLabelText(/Guests may see/));
  await userEvent.click(screen.getByLabelText('Add sample missions'));
  await fillIn('good password');

  expect(inputsOf('POST /setup')[0]).toMatchObject({ body: { username: 'Nadir', guests: false, samples: false } });
});

it('refuses a short password and two that differ', async () => {
  const { calls } = open({});

  await fillIn('short', 'other');

  expect(await screen.findByText('The two passwords differ')).toBeDefined();
  expect(calls).toEqual([]);
});

it('says that the code is wrong', async () => {
  open({ 'POST /setup': refusing('wrongSetupCode') });

  await fillIn('good password');

  expect(await screen.findAllByText(/The set-up code is not valid/)).toHaveLength(2);
});

it('does not ask for guests where that is decided, nor offer samples without ffmpeg', () => {
  open({}, { guestFixed: true, samplesPossible: false });

  expect(screen.queryByLabelText(/Guests may see/)).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Add sample missions').disabled).toBe(true);
});
