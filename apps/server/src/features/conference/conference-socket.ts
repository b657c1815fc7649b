import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type Actor,
  AppError,
  CONFERENCE_SOCKET_PATH,
  type ConferenceMessage,
  can,
  conferenceHello,
  conferenceRelay,
} from '@osprey/contract';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { z } from 'zod';
import type { Account } from '../../base/access/actors.ts';
import type { OpenReads } from '../../base/access/open-reads.ts';
import { auditedItem } from '../../base/audit/item-notes.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import type { LiveRights } from '../../base/items/live-rights.ts';
import { isOurPage } from '../../base/ws/our-page.ts';
import type { Livekit } from './livekit.ts';
import type { Admission, Member, Presence } from './presence.ts';

/**
 * Maximum size of a message, in bytes. A connection description with a few network paths, encrypted and in base64,
 * takes a third of it.
 */
const MESSAGE_BYTES = 64 * 1024;
const HELLO_MS = 5000;
/**
 * Maximum number of messages per second. A newcomer sends a key and a description to each of the other members, and
 * each of them replies.
 */
const MESSAGES_PER_SECOND = 60;
const SOCKETS = 2000;
/** Maximum backlog, in bytes. A client that does not read is disconnected when it is exceeded. */
const BUFFER_BYTES = 1024 * 1024;
/**
 * Interval between pings, in milliseconds. A client that answers neither of two pings is considered gone, even if its
 * connection looks open.
 */
const PING_MS = 4000;
const GOODBYE_MS = 300;
const POLICY = 1008;

const OLD_TOKEN = 'The token is no longer valid. Please join again.';
const NO_RIGHTS = 'You may not be in this room any more.';

export type ConferenceSocketDeps = {
  server: HttpServer;
  hosts: ReadonlySet<string>;
  /** Returns whether notices of lost rights can be received. */
  isServing: () => boolean;
  /** Whether conferences are offered. */
  isOffered: () => boolean;
  presence: Presence;
  live: Pick<LiveRights, 'account' | 'facts'>;
  /** Returns whether a device credential still exists. */
  isGood: (credentialId: string) => Promise<boolean>;
  reads: Pick<OpenReads, 'add'>;
  /** The conference server; null if sound and pictures are sent directly between browsers. */
  media: (Pick<Livekit, 'admit' | 'allow' | 'keepOut'> & { url: string; page: string | null }) | null;
  auditOf: (actor: Actor, admission: Admission) => RequestAudit;
  log: { warn: (fields: object, text: string) => void };
};

type Ending = Extract<ConferenceMessage, { kind: 'end' }>['reason'];
type Hello = z.output<typeof conferenceHello>;

/**
 * WebSocket of conferences: each connection is one member of one room. The identity is determined only by the token in
 * the first message. Losing the right ends the connection, and the other members are notified immediately.
 */
export function conferenceSocket(deps: ConferenceSocketDeps) {
  const { presence, media, log } = deps;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES, perMessageDeflate: false });
  const unanswered = new WeakMap<WebSocket, number>();
  const pinging = setInterval(ping, PING_MS);
  deps.server.on('upgrade', onUpgrade);

  function ping(): void {
    for (const socket of sockets.clients) {
      const missed = unanswered.get(socket) ?? 0;
      if (missed > 1) socket.terminate();
      unanswered.set(socket, missed + 1);
      socket.ping();
    }
  }

  function onUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    if (URL.parse(request.url ?? '', 'http://local')?.pathname !== CONFERENCE_SOCKET_PATH) return;
    if (!isOurPage(request, deps.hosts) || !deps.isOffered() || sockets.clients.size >= SOCKETS) {
      stream.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, stream, head, greet);
  }

  function greet(socket: WebSocket): void {
    const late = setTimeout(() => socket.terminate(), HELLO_MS);
    let greeted = false;
    let member: Member | null = null;
    let [second, count] = [0, 0];
    socket.on('pong', () => unanswered.set(socket, 0));
    socket.on('message', (data: RawData, isBinary: boolean) => {
      const now = Math.floor(performance.now() / 1000);
      count = now === second ? count + 1 : 1;
      second = now;
      if (count > MESSAGES_PER_SECOND || isBinary) return socket.terminate();
      const message = jsonOf(data.toString());
      if (greeted) {
        const { data: relayed } = conferenceRelay.safeParse(message);
        if (relayed === undefined) return end(socket, 'A message of this page was not understood.', 'refused');
        if (member !== null) presence.relay(member, relayed.to, relayed.data);
        return;
      }
      greeted = true;
      clearTimeout(late);
      const { data: hello } = conferenceHello.safeParse(message);
      if (hello === undefined) return end(socket, 'The first message must hold a token and a key.', 'refused');
      join(socket, hello).then(
        (joined) => {
          member = joined;
        },
        (error: unknown) => {
          if (!(error instanceof AppError)) log.warn({ error }, 'conference socket failed');
          const text = error instanceof AppError ? error.message : 'The server failed. Please join again.';
          end(socket, text, error instanceof AppError && error.status < 500 ? 'refused' : 'again');
        },
      );
    });
    socket.once('close', () => clearTimeout(late));
    // Errors of frames and connections need no handling, since a close event follows.
    socket.on('error', () => undefined);
  }

  /** Adds a member. Null if the client has disconnected or was refused. @throws AppError */
  async function join(socket: WebSocket, hello: Hello): Promise<Member | null> {
    if (!deps.isServing()) throw new AppError('unavailable');
    const admission = presence.redeem(hello.token);
    const account = admission && (await accountOf(admission));
    if (admission === null || account === null) {
      end(socket, OLD_TOKEN, 'again');
      return null;
    }
    const { roomId, userId, credentialId, ceiling, maxParticipants } = admission;
    const facts = await deps.live.facts('room', roomId);
    if (facts === null || !can(account.actor, 'room.join', facts).allowed) throw new AppError('notFound');
    const audit = deps.auditOf(account.actor, admission);
    const carried = await mediaFor(roomId, maxParticipants, account.actor.username);
    await audit.write({ action: 'room.join', ...auditedItem(facts) });
    // Rights may have changed while the row was written, and a client that has disconnected meanwhile emits no further
    // event.
    const stillThere = await deps.live.facts('room', roomId);
    const now = await accountOf(admission);
    if (socket.readyState !== socket.OPEN || !deps.isServing()) return null;
    if (now === null) {
      end(socket, OLD_TOKEN, 'again');
      return null;
    }
    if (stillThere === null || !can(now.actor, 'room.join', stillThere).allowed) throw new AppError('notFound');
    if (!presence.hasRoom(roomId, userId, maxParticipants)) {
      throw new AppError('roomFull', { name: facts.name, count: String(presence.people(roomId)) });
    }
    const { name, securityClassification } = facts;
    const member = presence.join(
      {
        roomId,
        userId,
        name: account.actor.username,
        key: hello.key,
        send: (message) => sendTo(socket, message),
        end: (reason, text) => end(socket, text, reason),
      },
      { room: { _id: roomId, name, securityClassification }, media: carried },
    );
    // Lift the ban left by this account's older connection.
    media?.allow(roomId, account.actor.username);
    const gone = (action: string) => {
      // An account that is no longer a member here must also leave the conference server, even if its browser remains
      // connected.
      media?.keepOut(roomId, account.actor.username);
      audit
        .write({ action, ...auditedItem(facts) })
        .catch((error) => log.warn({ error }, 'leaving a room was not audited'));
    };
    const ended = deps.reads.add({
      ...{ userId, credentialId, ceiling, itemId: roomId, securityClassification },
      close() {
        if (presence.leave(member, 'removed')) gone('room.removed');
        end(socket, NO_RIGHTS, 'removed');
      },
    });
    socket.once('close', () => {
      ended();
      if (presence.leave(member, 'left')) gone('room.leave');
    });
    return member;
  }

  /**
   * Returns the account as limited by the session that requested the token; null if the session has ended or the
   * account has changed. This check is needed because only existing members are notified when their session ends.
   */
  async function accountOf({ userId, ceiling, userEpoch, credentialId }: Admission): Promise<Account | null> {
    const account = await deps.live.account(userId, ceiling);
    const isGood = credentialId === null || (await deps.isGood(credentialId));
    return isGood && account?.epoch === userEpoch ? account : null;
  }

  /** @throws AppError conferenceServerDown */
  async function mediaFor(roomId: string, maxParticipants: number, username: string) {
    if (media === null) return null;
    try {
      return { url: media.url, page: media.page, token: await media.admit(roomId, maxParticipants, username) };
    } catch (error) {
      throw new AppError('conferenceServerDown', {}, error);
    }
  }

  return {
    /** Resolves when all members have left. */
    close(): Promise<void> {
      clearInterval(pinging);
      deps.server.off('upgrade', onUpgrade);
      for (const socket of sockets.clients) socket.terminate();
      return new Promise((resolve) => sockets.close(() => resolve()));
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sendTo(socket: WebSocket, message: ConferenceMessage): void {
  if (socket.bufferedAmount > BUFFER_BYTES) socket.terminate();
  else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}

function end(socket: WebSocket, text: string, reason: Ending): void {
  sendTo(socket, { kind: 'end', text, reason });
  socket.close(POLICY);
  const impolite = setTimeout(() => socket.terminate(), GOODBYE_MS);
  socket.once('close', () => clearTimeout(impolite));
}
