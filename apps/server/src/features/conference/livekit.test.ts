import { TokenVerifier } from 'livekit-server-sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KEEP_REMOVED_MS, type LivekitRooms, livekitServer } from './livekit.ts';

const KEY = 'osprey-test';
const SECRET = 'a secret of at least thirty-two characters';
const ROOM = 'b7ab3dc9-4d7c-4284-ba16-202dc748d293';

beforeEach(() => vi.useFakeTimers({ now: Date.now() }));
afterEach(() => vi.useRealTimers());

/** Requests to the server; `absent`: the participant to remove is not there. */
function server({ absent = false } = {}) {
  const asked: unknown[] = [];
  const warned: string[] = [];
  const answer =
    (name: string) =>
    async (...given: unknown[]) => {
      asked.push([name, ...given]);
      if (absent) throw Object.assign(new Error('participant does not exist'), { status: 404 });
      return {} as never;
    };
  const rooms: LivekitRooms = {
    createRoom: answer('createRoom'),
    deleteRoom: answer('deleteRoom'),
    removeParticipant: answer('removeParticipant'),
  };
  const livekit = livekitServer({
    ...{ url: 'wss://lk.example.org', key: KEY, secret: SECRET, rooms },
    nowMs: () => Date.now(),
    log: { warn: (_fields, text) => warned.push(text) },
  });
  return { livekit, asked, warned };
}

it('gives a token that the verifier of the SDK takes for 60 s, for one room and one account', async () => {
  const { livekit, asked } = server();

  const token = await livekit.admit(ROOM, 12, 'Birk');

  const claims = await new TokenVerifier(KEY, SECRET).verify(token, 0);
  expect(claims).toMatchObject({
    ...{ sub: 'Birk', name: 'Birk', iss: KEY },
    video: { roomJoin: true, room: ROOM, canPublish: true, canSubscribe: true, canPublishData: false },
  });
  expect(claims.video).not.toHaveProperty('roomAdmin');
  expect(asked).toEqual([['createRoom', { name: ROOM, emptyTimeout: 300, maxParticipants: 12 }]]);
  await expect(new TokenVerifier(KEY, `${SECRET}!`).verify(token, 0)).rejects.toThrow();
  vi.setSystemTime(Date.now() + 61_000);
  await expect(new TokenVerifier(KEY, SECRET).verify(token, 0)).rejects.toThrow();
});

it('T-097 removes who lost the right now and again, until 15 minutes have passed or the right is back', async () => {
  const { livekit, asked, warned } = server({ absent: true });
  const removals = () => asked.filter((call) => (call as unknown[])[0] === 'removeParticipant').length;

  livekit.keepOut(ROOM, 'Birk');
  expect(asked).toEqual([['removeParticipant', ROOM, 'Birk']]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(removals()).toBe(11);
  await vi.advanceTimersByTimeAsync(KEEP_REMOVED_MS);
  const last = removals();
  expect(last).toBeGreaterThan(800);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(removals()).toBe(last);

  livekit.keepOut(ROOM, 'Birk');
  livekit.allow(ROOM, 'Birk');
  const back = removals();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(removals()).toBe(back);
  // An absent participant is no failure.
  expect(warned).toEqual([]);
  livekit.close();
});
