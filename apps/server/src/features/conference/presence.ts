import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  type Classification,
  CONFERENCE_TOKEN_MS,
  type ConferenceMember,
  type ConferenceMessage,
} from '@osprey/contract';

/** More than these are not open at once: the oldest goes. */
const TOKENS_MAX = 10_000;

/** Room and account of a token. */
export type Admission = {
  roomId: string;
  userId: string;
  credentialId: string | null;
  userEpoch: number;
  /** Ceiling of the session that asked for the token. */
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

/** Fields for a newcomer besides the members. */
type Welcome = Pick<Extract<ConferenceMessage, { kind: 'welcome' }>, 'room' | 'media'>;

export type Presence = ReturnType<typeof conferencePresence>;

export type PresenceDeps = {
  nowMs: () => number;
  /** A room got its first member or lost its last, or a member came or went. */
  moved: (roomId: string, people: number) => void;
};

/**
 * Members of each room. It passes on members' messages without reading them, and keeps none. A member is one
 * connection: none acts for another, and a departure is announced to all others at once.
 */
export function conferencePresence({ nowMs, moved }: PresenceDeps) {
  const tokens = new Map<string, Admission & { expires: number }>();
  const rooms = new Map<string, Map<string, Member>>();
  const keyOf = (token: string) => createHash('sha256').update(token).digest('base64');
  const membersOf = (roomId: string): Member[] => [...(rooms.get(roomId)?.values() ?? [])];

  /** Says whether it was still there. */
  function leave(member: Member, reason: 'left' | 'removed' | 'elsewhere'): boolean {
    const own = rooms.get(member.roomId);
    if (!own?.delete(member.id)) return false;
    if (own.size === 0) rooms.delete(member.roomId);
    for (const other of own.values()) other.send({ kind: 'left', id: member.id, reason });
    moved(member.roomId, own.size);
    return true;
  }

  return {
    /** Good once, for 60 s. */
    issue(admission: Admission): string {
      const token = randomBytes(32).toString('base64url');
      const [oldest] = tokens.size >= TOKENS_MAX ? tokens.keys() : [];
      if (oldest !== undefined) tokens.delete(oldest);
      tokens.set(keyOf(token), { ...admission, expires: nowMs() + CONFERENCE_TOKEN_MS });
      return token;
    },

    /** Null for one that was used, is too old, or never was. */
    redeem(token: string): Admission | null {
      const key = keyOf(token);
      const found = tokens.get(key);
      tokens.delete(key);
      return found === undefined || found.expires <= nowMs() ? null : found;
    },

    people: (roomId: string): number => rooms.get(roomId)?.size ?? 0,
    occupied: (): string[] => [...rooms.keys()],
    isIn: (roomId: string, userId: string): boolean => membersOf(roomId).some((member) => member.userId === userId),
    /** Rooms by the account that is in them. */
    roomsByUser(): Map<string, string[]> {
      const byUser = new Map<string, string[]>();
      for (const [roomId, members] of rooms) {
        for (const { userId } of members.values()) byUser.set(userId, [...(byUser.get(userId) ?? []), roomId]);
      }
      return byUser;
    },

    /** Whether there is room for this account: who is in it already leaves the older window. */
    hasRoom(roomId: string, userId: string, most: number): boolean {
      const others = membersOf(roomId).filter((member) => member.userId !== userId);
      return others.length < most;
    },

    /** A newcomer hears who is there; the others hear of the newcomer. */
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

    /** To one member of the same room; to no other, and kept nowhere. */
    relay(from: Member, to: string, data: string): void {
      const own = rooms.get(from.roomId);
      if (own?.has(from.id)) own.get(to)?.send({ kind: 'relay', from: from.id, data });
    },
  };
}
