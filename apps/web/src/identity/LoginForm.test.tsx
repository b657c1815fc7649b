// @vitest-environment jsdom
import { AppError, type Classification } from '@osprey/contract';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Answers, fakeApi } from '../testing/fake-api.ts';
import { info, show } from '../testing/show.tsx';
import { LoginForm } from './LoginForm.tsx';

afterEach(cleanup);

type Options = { answers?: Answers; signedOn?: 'done' | 'failed'; ceiling?: Classification | null };

function open(
  session: Parameters<typeof show>[1]['session'] = {},
  { answers = {}, signedOn, ...retained }: Options = {},
) {
  const onDone = vi.fn();
  const onRegister = vi.fn();
  const form = (
    <LoginForm from={null} signedOn={signedOn ?? null} onDone={onDone} onRegister={onRegister} {...retained} />
  );
  const { api, inputsOf } = fakeApi(answers);
  return { ...show(form, { api, session }), onDone, onRegister, inputsOf };
}

const typeIn = async (name: string, password: string) => {
  await userEvent.type(screen.getByLabelText('Username'), name);
  await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Login' }));
};

it('trims both fields, says who was authenticated and goes on', async () => {
  const { session, onDone } = open();

  await typeIn(' ana ', ' secret ');

  expect(session.login).toHaveBeenCalledWith({ username: 'ana', password: 'secret' });
  expect(await screen.findByText('User ana authenticated.')).toBeDefined();
  expect(onDone).toHaveBeenCalledOnce();
});

it('says that name or password are not valid, next to the field and as a snackbar', async () => {
  const { onDone } = open({ login: vi.fn(async () => Promise.reject(new AppError('unauthorized'))) });

  await typeIn('ana', 'wrong');

  expect(await screen.findAllByText('Username / password not valid')).toHaveLength(2);
  expect(document.activeElement).toBe(screen.getByLabelText('Password'));
  expect(onDone).not.toHaveBeenCalled();
});

it('requires both fields, also when they hold only spaces', async () => {
  const { session } = open();

  await typeIn('  ', '  ');

  expect(await screen.findByText('Username is required')).toBeDefined();
  expect(screen.getByText('Password is required')).toBeDefined();
  expect(session.login).not.toHaveBeenCalled();
});

it('offers registration and guest only where the server has them', async () => {
  const { onRegister } = open({ info: { ...info, guest: true } });
  await userEvent.click(screen.getByRole('button', { name: 'Register' }));
  expect(onRegister).toHaveBeenCalledOnce();
  expect(screen.getByRole('button', { name: 'Continue as guest' })).toBeDefined();
  cleanup();

  open({ info: { ...info, registration: 'off' } });
  expect(screen.queryByRole('button', { name: 'Register' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Continue as guest' })).toBeNull();
});

it('asks for the code of an account with a second factor, and goes on with it', async () => {
  const login = vi.fn(async ({ code }: { code?: string }) => {
    if (code === undefined) throw new AppError('secondFactorNeeded');
    if (code !== '123456') throw new AppError('wrongSecondFactor');
    return {};
  });
  const { onDone } = open({ login });

  await typeIn('ana', 'secret');
  await userEvent.type(await screen.findByLabelText('Code'), '111111{Enter}');
  expect(await screen.findByText('The code is not valid, or was already used.')).toBeDefined();
  await userEvent.clear(screen.getByLabelText('Code'));
  await userEvent.type(screen.getByLabelText('Code'), ' 123456 {Enter}');

  await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(login).toHaveBeenLastCalledWith({ username: 'ana', password: 'secret', code: '123456' });
});

it('sets up the second factor that the role demands, and shows the recovery codes before it goes on', async () => {
  const offer = { secret: 'ABCDEFGH', uri: 'otpauth://totp/x', picture: 'data:image/png;base64,AAAA' };
  const login = vi.fn(async ({ code }: { code?: string }) => {
    if (code === undefined) throw new AppError('secondFactorSetUpNeeded');
    return { recoveryCodes: ['AAAAA-BBBBB', 'CCCCC-DDDDD'] };
  });
  const { onDone, inputsOf } = open({ login }, { answers: { 'POST /login/second-factor': () => offer } });

  await typeIn('ana', 'secret');
  expect(await screen.findByText('ABCD EFGH')).toBeDefined();
  expect(inputsOf('POST /login/second-factor')).toEqual([{ body: { username: 'ana', password: 'secret' } }]);
  await userEvent.type(screen.getByLabelText('Code'), '123456{Enter}');

  expect(await screen.findByText('CCCCC-DDDDD')).toBeDefined();
  expect(onDone).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'I have saved them' }));
  expect(onDone).toHaveBeenCalledOnce();
});

it('takes over the session of a single sign-on, and leads where the person wanted to go', async () => {
  const session = { role: 'user', credential: 'osd_x', username: 'ana', from: '/missions?sort=name' };
  const answers: Answers = { 'POST /single-sign-on/session': () => session };
  const { onDone, session: shown } = open({}, { answers, signedOn: 'done' });

  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith('/missions?sort=name'));
  expect(shown.adopt).toHaveBeenCalledWith({ role: 'user', credential: 'osd_x', username: 'ana' });
});

it('offers single sign-on by its name where the server has it, and says when it did not work', async () => {
  open({ info: { ...info, singleSignOn: true, singleSignOnName: 'Harbour ID' } }, { signedOn: 'failed' });

  expect(screen.getByRole('button', { name: 'Sign in with Harbour ID' })).toBeDefined();
  expect(screen.getByText('Single sign-on did not work. Try again, or ask an administrator.')).toBeDefined();
});

describe('a limit of the session', () => {
  const opener = () => screen.getByRole('button', { name: 'Limit this session' });
  const choose = async (label: string) => {
    await userEvent.click(screen.getByRole('combobox', { name: 'Work at most at' }));
    await userEvent.click(await screen.findByRole('option', { name: label }));
  };

  it('is offered closed, and sent with the log-in where one is chosen', async () => {
    const { session } = open();
    expect(opener().getAttribute('aria-expanded')).toBe('false');
    expect(screen.queryByRole('combobox')).toBeNull();

    await userEvent.click(opener());
    expect(screen.getByText(/^This session shows nothing above it/)).toBeDefined();
    await choose('RESTRICTED');
    await typeIn('ana', 'secret');

    expect(session.login).toHaveBeenCalledWith({ username: 'ana', password: 'secret', ceiling: 'RESTRICTED' });
  });

  it('is none where it was closed again, and none at the highest label', async () => {
    const { session } = open();
    await userEvent.click(opener());
    await userEvent.click(screen.getByRole('combobox', { name: 'Work at most at' }));
    expect(screen.queryByRole('option', { name: 'TOP SECRET' })).toBeNull();
    await userEvent.click(screen.getByRole('option', { name: 'UNCLASSIFIED' }));

    await userEvent.click(opener());
    await typeIn('ana', 'secret');

    expect(session.login).toHaveBeenCalledWith({ username: 'ana', password: 'secret' });
  });

  it('is sent with the code of the second factor, and to the provider of a single sign-on', async () => {
    const login = vi.fn(async ({ code }: { code?: string }) => {
      if (code === undefined) throw new AppError('secondFactorNeeded');
      return {};
    });
    const assign = vi.fn();
    vi.stubGlobal('location', { ...location, assign });
    open({ login, info: { ...info, singleSignOn: true, singleSignOnName: 'Harbour' } });
    await userEvent.click(opener());
    await choose('SECRET');
    await userEvent.click(screen.getByRole('button', { name: 'Sign in with Harbour' }));
    vi.unstubAllGlobals();
    await typeIn('ana', 'secret');
    await userEvent.type(await screen.findByLabelText('Code'), '123456{Enter}');

    await vi.waitFor(() => expect(login).toHaveBeenCalledTimes(2));
    expect(login).toHaveBeenLastCalledWith({ username: 'ana', password: 'secret', code: '123456', ceiling: 'SECRET' });
    expect(assign).toHaveBeenCalledWith('/api/single-sign-on/start?ceiling=SECRET');
  });

  it('is that of the session which goes on, with no other choice', async () => {
    const { session } = open({}, { ceiling: 'CONFIDENTIAL' });
    expect(screen.queryByRole('button', { name: 'Limit this session' })).toBeNull();

    await typeIn('ana', 'secret');

    expect(session.login).toHaveBeenCalledWith({ username: 'ana', password: 'secret', ceiling: 'CONFIDENTIAL' });
  });
});
