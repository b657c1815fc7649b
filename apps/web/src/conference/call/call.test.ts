import type { ConferenceMessage } from '@osprey/contract';
import { AppError } from '@osprey/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { type Call, startCall } from './call.ts';

const ROOM = 'b7ab3dc9-4d7c-4284-ba16-202dc748d293';
const SELF = '0d4a6b0e-4f1c-4f44-9a7f-0d6ad9f2a001';
const media = { url: 'wss://lk.example.org', token: 'the.signed.token', page: 'https://meet.example.org/custom' };

// All that it needs of a page.
vi.stubGlobal('window', new EventTarget());
vi.stubGlobal('location', { origin: 'https://osprey.example.org' });

const info = {
  ...{ serverName: 'test', serverVer: '0', company: null, logo: null, registration: 'off', guest: false },
  ...{ singleSignOn: false, iceServers: [] },
};
const calls: Call[] = [];
afterEach(() => {
  for (const call of calls.splice(0)) call.close();
});

type FakeSocket = WebSocket & { sent: string[]; says: (message: ConferenceMessage) => void };

/** A call with the sockets that it opened, and how often a token was asked for. */
function start(token: () => unknown = () => ({ token: 't', room: ROOM })) {
  const sockets: FakeSocket[] = [];
  const asked = vi.fn(token);
  const { api } = fakeApi({ 'GET /info': () => info, 'POST /conference/token': asked });
  const createSocket = () => {
    const sent: string[] = [];
    const socket = {
      sent,
      readyState: WebSocket.OPEN,
      send: (text: string) => sent.push(text),
      close: () => socket.onclose?.({} as CloseEvent),
      says: (message: ConferenceMessage) => socket.onmessage?.({ data: JSON.stringify(message) } as MessageEvent),
    } as unknown as FakeSocket;
    sockets.push(socket);
    queueMicrotask(() => socket.onopen?.({} as Event));
    return socket;
  };
  const call = startCall({ api, room: ROOM, username: 'Birk', createSocket });
  calls.push(call);
  return { call, sockets, asked };
}

/** Says welcome with the key that the page sent. */
async function welcome(socket: FakeSocket, carried: typeof media | null): Promise<void> {
  await expect.poll(() => socket.sent.length).toBeGreaterThan(0);
  const { key } = JSON.parse(socket.sent[0] ?? '') as { key: string };
  const room = { _id: ROOM, name: 'Bridge', securityClassification: 'RESTRICTED' as const };
  socket.says({ kind: 'welcome', self: SELF, room, members: [{ id: SELF, name: 'Birk', key }], media: carried });
}

it('T-097 hands token and passphrase to the page of the site in the fragment, and in nothing that a server sees', async () => {
  const { call, sockets } = start();
  await expect.poll(() => sockets.length).toBe(1);
  await welcome(sockets[0]!, media);
  await expect.poll(() => call.addressOfPage()).not.toBeNull();

  const address = new URL(call.addressOfPage() ?? '');

  expect([address.origin + address.pathname, address.search]).toEqual([media.page, '']);
  const given = new URLSearchParams(address.hash.slice(1));
  expect(given.get('liveKitUrl')).toBe(media.url);
  expect(given.get('token')).toBe(media.token);
  const passphrase = given.get('passphrase') ?? '';
  expect(passphrase).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(sockets.flatMap(({ sent }) => sent).some((text) => text.includes(passphrase))).toBe(false);
});

it('joins again by itself when the connection breaks off, with another key', async () => {
  const { call, sockets, asked } = start();
  await expect.poll(() => sockets.length).toBe(1);
  await welcome(sockets[0]!, null);
  await expect.poll(() => call.view().phase.name).toBe('in');

  sockets[0]!.close();
  await expect.poll(() => call.view().phase.name).toBe('again');
  await expect.poll(() => sockets.length, { timeout: 5000 }).toBe(2);
  await welcome(sockets[1]!, null);

  await expect.poll(() => call.view().phase.name).toBe('in');
  expect(asked).toHaveBeenCalledTimes(2);
  expect(sockets[1]!.sent[0]).not.toBe(sockets[0]!.sent[0]);
});

it('ends with the words of the server, and stays away', async () => {
  const { call, sockets, asked } = start();
  await expect.poll(() => sockets.length).toBe(1);
  await welcome(sockets[0]!, null);
  await expect.poll(() => call.view().phase.name).toBe('in');

  sockets[0]!.says({ kind: 'end', text: 'You may not be in this room any more.', reason: 'removed' });

  await expect
    .poll(() => call.view().phase)
    .toEqual({ name: 'over', text: 'You may not be in this room any more.', mayReturn: false });
  expect(asked).toHaveBeenCalledTimes(1);
});

it('that finds no room says so, and does not try again', async () => {
  const { call, sockets } = start(() => {
    throw new AppError('notFound');
  });

  await expect.poll(() => call.view().phase.name).toBe('over');
  expect(call.view().phase).toMatchObject({ text: 'Not found, or not visible to you.', mayReturn: false });
  expect(sockets).toEqual([]);
});
