import { CONFERENCE_TOKEN_MS } from '@osprey/contract';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';

/**
 * Time for which a removed participant is removed again: a LiveKit server renews the token of a participant by itself
 * and revokes none.
 */
export const KEEP_REMOVED_MS = 15 * 60_000;
const AGAIN_MS = 1000;

/** The calls of the SDK that are used; a test has its own. */
export type LivekitRooms = Pick<RoomServiceClient, 'createRoom' | 'deleteRoom' | 'removeParticipant'>;

export type LivekitDeps = {
  /** ws:// or wss://, as browsers reach it. */
  url: string;
  key: string;
  secret: string;
  nowMs: () => number;
  log: { warn: (fields: object, text: string) => void };
  rooms?: LivekitRooms;
};

/** For rooms without any member yet; ours keeps the time of its rooms. Seconds. */
const EMPTY_S = 300;

export type Livekit = ReturnType<typeof livekitServer>;

/**
 * Client of the LiveKit server, which forwards encrypted media. It gets rooms by their ids, and people by their
 * usernames.
 */
export function livekitServer({ url, key, secret, nowMs, log, rooms: given }: LivekitDeps) {
  const rooms = given ?? new RoomServiceClient(url.replace(/^ws/, 'http'), key, secret, { requestTimeout: 5 });
  /** End of each ban from a room, by room and username. */
  const removed = new Map<string, { room: string; username: string; untilMs: number }>();
  let timer: NodeJS.Timeout | null = null;

  async function remove(room: string, username: string): Promise<void> {
    try {
      await rooms.removeParticipant(room, username);
    } catch (error) {
      // An absent participant needs no removing, which is the usual case.
      if (!isAbsent(error)) log.warn({ error, room }, 'the conference server did not remove a participant');
    }
  }

  async function removeAgain(): Promise<void> {
    timer = null;
    for (const [name, { room, username, untilMs }] of removed) {
      if (untilMs <= nowMs()) removed.delete(name);
      else await remove(room, username);
    }
    if (removed.size > 0) begin();
  }

  function begin(): void {
    timer ??= setTimeout(() => void removeAgain(), AGAIN_MS);
    timer.unref();
  }

  const nameOf = (room: string, username: string) => `${room} ${username}`;

  return {
    /** Makes the room where it is not there yet, and a token for it: good for 60 s, for pictures and sound alone. */
    async admit(id: string, maxParticipants: number, username: string): Promise<string> {
      await rooms.createRoom({ name: id, emptyTimeout: EMPTY_S, maxParticipants });
      const token = new AccessToken(key, secret, {
        identity: username,
        name: username,
        ttl: CONFERENCE_TOKEN_MS / 1000,
      });
      token.addGrant({
        ...{ roomJoin: true, room: id, canPublish: true, canSubscribe: true },
        // Chat does not go through LiveKit: its messages go, encrypted end to end, over the socket of Osprey.
        ...{ canPublishData: false, canUpdateOwnMetadata: false },
      });
      return token.toJwt();
    },

    /** Ends an earlier ban of an account that is a member of the room again. */
    allow: (room: string, username: string): void => void removed.delete(nameOf(room, username)),

    /** Now, and again whenever they come back within 15 minutes. */
    keepOut(room: string, username: string): void {
      removed.set(nameOf(room, username), { room, username, untilMs: nowMs() + KEEP_REMOVED_MS });
      void remove(room, username);
      begin();
    },

    async deleteRoom(room: string): Promise<void> {
      try {
        await rooms.deleteRoom(room);
      } catch (error) {
        if (!isAbsent(error)) log.warn({ error, room }, 'the conference server did not delete a room');
      }
    },

    close(): void {
      if (timer) clearTimeout(timer);
    },
  };
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { status?: unknown }).status === 404;
