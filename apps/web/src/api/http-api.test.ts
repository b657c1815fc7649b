// @vitest-environment jsdom
import { AppError, getInfo, getMission, listMissions, login, logout } from '@osprey/contract';
import { expect, it, vi } from 'vitest';
import { errorText } from '../base/transport-error.ts';
import { addressOf, httpApi } from './http-api.ts';

const answering = (status: number, body: unknown, statusText = '') =>
  vi.fn<typeof fetch>(async () => new Response(JSON.stringify(body), { status, statusText }));
const ana = () => ({ username: 'ana', credential: 'ü:secret' });
const info = {
  serverName: 's',
  serverVer: '1',
  company: null,
  logo: null,
  registration: 'off',
  guest: false,
  singleSignOn: false,
};

it('encodes names in the address once, and joins lists by commas', () => {
  expect(addressOf('/missions/:mission', { params: { mission: 'EO/IR 1' } })).toBe('/api/missions/EO%2FIR%201');
  expect(addressOf('/missions/brief', { query: { tags: ['a', 'b'], search: undefined, count: '1' } })).toBe(
    '/api/missions/brief?tags=a%2Cb&count=1',
  );
});

it('sends the credential as Basic in UTF-8 with every call', async () => {
  const fetch = answering(200, info);

  await httpApi({ credentials: ana, fetch }).call(getInfo, {});

  const headers = fetch.mock.calls[0]?.[1]?.headers as Record<string, string>;
  const bytes = Uint8Array.from(atob(headers.authorization?.slice(6) ?? ''), (char) => char.charCodeAt(0));
  expect(new TextDecoder().decode(bytes)).toBe('ana:ü:secret');
});

it("rejects with the server's own error", async () => {
  const api = httpApi({ credentials: ana, fetch: answering(409, { code: 'missionNameTaken', values: { name: 'A' } }) });

  const error = await api.call(getMission, { params: { mission: 'A' } }).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(AppError);
  expect(errorText(error)).toBe('Mission name A already exists');
});

it('says what happened when there is no answer of our shape', async () => {
  const failing = httpApi({ credentials: ana, fetch: vi.fn(async () => Promise.reject(new TypeError('gone'))) });
  const strange = httpApi({ credentials: ana, fetch: answering(502, 'x', 'Bad Gateway') });
  const wrong = httpApi({ credentials: ana, fetch: answering(200, [{ name: 1 }]) });
  const textOf = (promise: Promise<unknown>) => promise.then(() => '', errorText);

  expect(await textOf(failing.call(getInfo, {}))).toBe('No response received from the server.');
  expect(await textOf(strange.call(getInfo, {}))).toBe('Server Error: 502 - Bad Gateway');
  expect(await textOf(wrong.call(listMissions, { query: {} }))).toBe('An error occurred while making the request.');
});

it('reports a credential that is not good any more, but not a wrong password', async () => {
  const onUnauthorized = vi.fn();
  const api = httpApi({
    credentials: ana,
    onUnauthorized,
    fetch: answering(401, { code: 'unauthorized', values: {} }),
  });

  await api.call(login, { body: { username: 'a', password: 'b' } }).catch(() => null);
  await api.call(logout, {}).catch(() => null);
  expect(onUnauthorized).not.toHaveBeenCalled();

  await api.call(listMissions, { query: {} }).catch(() => null);
  expect(onUnauthorized).toHaveBeenCalledOnce();
});
