import { CONFERENCE_TOKEN_MS } from '@osprey/contract';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';

/**
 * Time for which a removed participant is removed again when it returns. A LiveKit server renews a participant's token
 * automatically and cannot revoke tokens.
 */
export const KEEP_REMOVED_MS = 15 * 60_000;
const RETRY_MS = 1000;

/** Calls of the SDK that are used; tests replace them. */
export type LivekitRooms = Pick<RoomServiceClient, 'createRoom' | 'deleteRoom' | 'removeParticipant'>;

export type LivekitDeps = {
  /** URL as used by browsers: ws:// or wss://. */
  url: string;
  key: string;
  secret: string;
  nowMs: () => number;
  log: { warn: (fields: object, text: string) => void };
  rooms?: LivekitRooms;
};

/**
 * Time after which the conference server removes a room that no member has entered, in seconds. Idle rooms are
 * otherwise removed by this server.
 */
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
      // Removing an absent participant fails, which is the usual case and needs no log entry.
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
    timer ??= setTimeout(() => void removeAgain(), RETRY_MS);
    timer.unref();
  }

  const nameOf = (room: string, username: string) => `${room} ${username}`;

  return {
    /**
     * Creates the room if it does not exist, and returns a token for it. The token is valid for 60 s and only for
     * pictures and sound.
     */
    async admit(id: string, maxParticipants: number, username: string): Promise<string> {
      await rooms.createRoom({ name: id, emptyTimeout: EMPTY_S, maxParticipants });
      const token = new AccessToken(key, secret, {
        identity: username,
        name: username,
        ttl: CONFERENCE_TOKEN_MS / 1000,
      });
      token.addGrant({
        ...{ roomJoin: true, room: id, canPublish: true, canSubscribe: true },
        // Chat does not use LiveKit: its messages are sent over Osprey's own socket, encrypted end to end.
        ...{ canPublishData: false, canUpdateOwnMetadata: false },
      });
      return token.toJwt();
    },

    /** Ends an earlier ban of an account that is a member of the room again. */
    allow: (room: string, username: string): void => void removed.delete(nameOf(room, username)),

    /** Removes a participant now, and again whenever they return within 15 minutes. */
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
