// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { isTourDue } from '../base/tour.ts';
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
  await userEvent.type(screen.getByLabelText('Confirm password'), repeat);
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
  expect(isTourDue('admin')).toBe(true);
  expect(onDone).toHaveBeenCalledOnce();
});

it('sends another name, and neither guests nor samples where they are unticked', async () => {
  const { inputsOf } = open({ 'POST /setup': () => ({ role: 'superAdmin', credential: 'device', username: 'Nadir' }) });

  const name = screen.getByRole('textbox', { name: 'Username' });
  await userEvent.clear(name);
  await userEvent.type(name, 'Nadir');
  await userEvent.click(screen.getByLabelText(/Let guests view/));
  await userEvent.click(screen.getByLabelText('Add sample missions'));
  await fillIn('good password');

  expect(inputsOf('POST /setup')[0]).toMatchObject({ body: { username: 'Nadir', guests: false, samples: false } });
  expect(isTourDue('Nadir')).toBe(false);
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

it.each([
  ['passwordTooCommon', {}, 'Password', 'This password is too common. Please choose another one.'],
  ['userNameTaken', { name: 'guest' }, 'Username', 'User guest already exists'],
] as const)('says %s at the field that it is about, which has the focus', async (code, values, label, text) => {
  open({ 'POST /setup': refusing(code, values) });

  await fillIn('good password');

  const refused = screen.getByLabelText(label, { selector: 'input' });
  await waitFor(() => expect(document.activeElement).toBe(refused));
  expect(refused.getAttribute('aria-invalid')).toBe('true');
  expect((await screen.findAllByText(text)).some(({ id }) => id === refused.getAttribute('aria-describedby'))).toBe(
    true,
  );
  expect(screen.getByLabelText('Set-up code').getAttribute('aria-invalid')).toBe('false');
});

it('does not ask for guests where that is decided, nor offer samples without ffmpeg', () => {
  open({}, { guestFixed: true, samplesPossible: false });

  expect(screen.queryByLabelText(/Let guests view/)).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Add sample missions').disabled).toBe(true);
});

it('takes the code of a link that is opened while the form is there', () => {
  const form = (code: string) => (
    <SetupForm code={code} guestFixed={false} samplesPossible passwordMin={8} onDone={() => undefined} />
  );
  const { rerender } = show(form(''), { api: fakeApi({}).api });
  const field = screen.getByRole('textbox', { name: 'Set-up code' });
  expect(field).toHaveProperty('value', '');

  rerender(form('c0de'));

  expect(field).toHaveProperty('value', 'c0de');
});
