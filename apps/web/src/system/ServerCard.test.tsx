// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { NONE } from '../base/format.ts';
import type { ServerState } from '../events/events.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { info, show } from '../testing/show.tsx';
import { ServerCard } from './ServerCard.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const DAY_SECONDS = 86_400;
const factOf = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** The card of a server that has run for so long, on a machine that `api` describes. */
function started(secondsAgo: number, state: ServerState = 'Online') {
  vi.useFakeTimers();
  let systemUptime = 41 * DAY_SECONDS;
  const fake = fakeApi({ 'GET /systeminfo': () => ({ systemUptime: systemUptime++ }) });
  const serverStartTime = (Date.now() - secondsAgo * 1000) * 1000;
  const session = { info: { ...info, serverName: 'Harbour', serverStartTime } };
  show(<ServerCard figures={null} backups={undefined} />, { api: fake.api, session, state });
  return fake;
}

it('names the server, and counts the seconds since its start', async () => {
  started(59);

  expect(factOf('Name')).toBe('Harbour');
  expect(factOf('Server uptime')).toBe('00:00:59');
  await pass(1000);
  expect(factOf('Server uptime')).toBe('00:01:00');
});

it('counts days of a server that runs for longer than one', async () => {
  started(3 * DAY_SECONDS - 1);

  expect(factOf('Server uptime')).toBe('2 days, 23:59:59');
  await pass(1000);
  expect(factOf('Server uptime')).toBe('3 days, 00:00:00');
});

it('asks every 5 s for how long the machine runs', async () => {
  const { inputsOf } = started(59);

  await pass(0);
  expect(factOf('System uptime')).toBe('41 days');
  await pass(4999);
  expect(inputsOf('GET /systeminfo')).toHaveLength(1);
  await pass(1);
  expect(inputsOf('GET /systeminfo')).toHaveLength(2);
});

it('claims no times of a server that it does not reach', async () => {
  started(59, 'Offline');

  await pass(0);
  expect([factOf('Server uptime'), factOf('System uptime')]).toEqual([NONE, NONE]);
});

it.each([
  [true, 'in use'],
  [false, 'not in use'],
])('says whether a proxy stands in front (%s)', async (useReverseProxy, text) => {
  show(<ServerCard figures={null} backups={undefined} />, {
    api: fakeApi({}).api,
    session: { info: { ...info, useReverseProxy } },
  });

  const term = await screen.findByText('Reverse proxy');
  expect(term.nextElementSibling?.textContent).toBe(text);
});
