import { AppError, type ConferenceMember, type ConferenceMessage } from '@osprey/contract';
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
function start(token: () => unknown = () => ({ token: 't', room: ROOM }), username = 'Birk') {
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
  const call = startCall({ api, room: ROOM, username, createSocket });
  calls.push(call);
  return { call, sockets, asked };
}

/** Says welcome with the key that the page sent. */
async function welcome(
  socket: FakeSocket,
  carried: typeof media | null,
  self = { id: SELF, name: 'Birk' },
  earlier: ConferenceMember[] = [],
): Promise<ConferenceMember> {
  await expect.poll(() => socket.sent.length).toBeGreaterThan(0);
  const { key } = JSON.parse(socket.sent[0] ?? '') as { key: string };
  const room = { _id: ROOM, name: 'Bridge', securityClassification: 'RESTRICTED' as const };
  const member = { ...self, key };
  socket.says({ kind: 'welcome', self: self.id, room, members: [...earlier, member], media: carried });
  return member;
}

/**
 * Passes the messages of each of two members on to the other, as the server does. The passphrase comes after the first
 * message that is sealed with it: sealing takes either longer.
 */
function relay(one: { socket: FakeSocket; id: string }, two: { socket: FakeSocket; id: string }): void {
  const pass = (from: typeof one, to: typeof one) => {
    let held: string[] = [];
    let spoke = false;
    from.socket.send = (text) => {
      const { data } = JSON.parse(String(text)) as { data: string };
      if (data.startsWith('key.') && !spoke) {
        held.push(data);
        return;
      }
      spoke = true;
      for (const each of [data, ...held]) to.socket.says({ kind: 'relay', from: from.id, data: each });
      held = [];
    };
  };
  pass(one, two);
  pass(two, one);
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

it('over a conference server shows a newcomer who has the camera on, and the other way round', async () => {
  const on = { camera: { enabled: true } as MediaStreamTrack };
  const [first, second] = [start(), start(undefined, 'Arvid')];
  const other = '5b8ce9de-6d52-4b8f-9a0c-5a8c4a1f7a02';
  for (const { call } of [first, second]) call.setTracks(on);
  await expect.poll(() => [first, second].map(({ sockets }) => sockets.length)).toEqual([1, 1]);
  const birk = await welcome(first.sockets[0]!, media);
  await expect.poll(() => first.call.addressOfPage()).not.toBeNull();
  const arvid = await welcome(second.sockets[0]!, media, { id: other, name: 'Arvid' }, [birk]);
  relay({ socket: first.sockets[0]!, id: SELF }, { socket: second.sockets[0]!, id: other });

  first.sockets[0]!.says({ kind: 'joined', member: arvid });

  const seen = () =>
    [first, second].map(({ call }) => call.view().people.map(({ name, state }) => [name, state.camera]));
  await expect.poll(seen).toEqual([[['Arvid', true]], [['Birk', true]]]);
});
