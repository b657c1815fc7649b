import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  type Classification,
  CONFERENCE_TOKEN_MS,
  type ConferenceMember,
  type ConferenceMessage,
} from '@osprey/contract';

/** Maximum number of unused tokens. If it is exceeded, the oldest is discarded. */
const TOKENS_MAX = 10_000;

/** Room and account that a token admits. */
export type Admission = {
  roomId: string;
  userId: string;
  credentialId: string | null;
  userEpoch: number;
  /** Ceiling of the session that requested the token. */
  ceiling: Classification;
  address: string;
  maxParticipants: number;
};

export type Member = ConferenceMember & {
  userId: string;
  roomId: string;
  send: (message: ConferenceMessage) => void;
  /** Ends the connection; `text` is the reason for the user. */
  end: (reason: 'elsewhere' | 'removed', text: string) => void;
};

/** Fields sent to a newcomer in addition to the list of members. */
type Welcome = Pick<Extract<ConferenceMessage, { kind: 'welcome' }>, 'room' | 'media'>;

export type Presence = ReturnType<typeof conferencePresence>;

export type PresenceDeps = {
  nowMs: () => number;
  /** Called when a member joined or left a room, with the number of people in it. */
  moved: (roomId: string, people: number) => void;
};

/**
 * Keeps the members of each room and forwards their messages without reading or storing them. A member is a single
 * connection: none can act for another, and a departure is announced to all others immediately.
 */
export function conferencePresence({ nowMs, moved }: PresenceDeps) {
  const tokens = new Map<string, Admission & { expires: number }>();
  const rooms = new Map<string, Map<string, Member>>();
  const keyOf = (token: string) => createHash('sha256').update(token).digest('base64');
  const membersOf = (roomId: string): Member[] => [...(rooms.get(roomId)?.values() ?? [])];

  /** Removes a member. Returns whether it was still present. */
  function leave(member: Member, reason: 'left' | 'removed' | 'elsewhere'): boolean {
    const own = rooms.get(member.roomId);
    if (!own?.delete(member.id)) return false;
    if (own.size === 0) rooms.delete(member.roomId);
    for (const other of own.values()) other.send({ kind: 'left', id: member.id, reason });
    moved(member.roomId, own.size);
    return true;
  }

  return {
    /** Issues a token that can be used once within 60 s. */
    issue(admission: Admission): string {
      const token = randomBytes(32).toString('base64url');
      const [oldest] = tokens.size >= TOKENS_MAX ? tokens.keys() : [];
      if (oldest !== undefined) tokens.delete(oldest);
      tokens.set(keyOf(token), { ...admission, expires: nowMs() + CONFERENCE_TOKEN_MS });
      return token;
    },

    /** Redeems a token. Null if it was already used, has expired, or was never issued. */
    redeem(token: string): Admission | null {
      const key = keyOf(token);
      const found = tokens.get(key);
      tokens.delete(key);
      return found === undefined || found.expires <= nowMs() ? null : found;
    },

    people: (roomId: string): number => rooms.get(roomId)?.size ?? 0,
    occupied: (): string[] => [...rooms.keys()],
    isIn: (roomId: string, userId: string): boolean => membersOf(roomId).some((member) => member.userId === userId),
    /** Returns the ids of the rooms that each account is in. */
    roomsByUser(): Map<string, string[]> {
      const byUser = new Map<string, string[]>();
      for (const [roomId, members] of rooms) {
        for (const { userId } of members.values()) byUser.set(userId, [...(byUser.get(userId) ?? []), roomId]);
      }
      return byUser;
    },

    /**
     * Whether the room has space for this account. A connection that the account already has in it does not count,
     * since joining ends it.
     */
    hasRoom(roomId: string, userId: string, most: number): boolean {
      const others = membersOf(roomId).filter((member) => member.userId !== userId);
      return others.length < most;
    },

    /** Adds a member. The newcomer receives the list of members, and the others are notified of the newcomer. */
    join(joining: Omit<Member, 'id'>, { room, media }: Welcome): Member {
      for (const older of membersOf(joining.roomId)) {
        if (older.userId !== joining.userId) continue;
        leave(older, 'elsewhere');
        older.end('elsewhere', 'You joined this room in another window.');
      }
      const member = { ...joining, id: randomUUID() };
      const others = membersOf(member.roomId);
      const shown = ({ id, name, key }: Member) => ({ id, name, key });
      const own = rooms.get(member.roomId) ?? new Map<string, Member>();
      rooms.set(member.roomId, own.set(member.id, member));
      member.send({ kind: 'welcome', self: member.id, room, media, members: [...others, member].map(shown) });
      for (const other of others) other.send({ kind: 'joined', member: shown(member) });
      moved(member.roomId, own.size);
      return member;
    },

    leave,

    /** Forwards a message to one member of the same room. It is sent to nobody else and not stored. */
    relay(from: Member, to: string, data: string): void {
      const own = rooms.get(from.roomId);
      if (own?.has(from.id)) own.get(to)?.send({ kind: 'relay', from: from.id, data });
    },
  };
}
