import type { Server as HttpServer } from 'node:http';
import {
  type Actor,
  aisView,
  type Classification,
  can,
  errorEvent,
  liveStreamEvents,
  onlineUsersEvent,
  stateEvent,
  updateConnectedUser,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { Server, type Socket } from 'socket.io';
import { actorsById, ceilingOf } from '../access/actors.ts';
import type { OpenReads } from '../access/open-reads.ts';
import type { Database } from '../db/schema.ts';
import type { Items } from '../items/items.ts';
import type { LiveRights } from '../items/live-rights.ts';
import type { RightsNotice } from '../items/notice.ts';
import { audience, type Listener, type Listening } from './audience.ts';
import { delivery } from './delivery.ts';
import { type LiveEvent, liveRooms } from './live-rooms.ts';
import { isOurPage } from './our-page.ts';
import type { Outgoing } from './outgoing.ts';
import { limitMessages, listenerOf, terminateAll } from './sockets.ts';

const FRAME_BYTES = 64 * 1024;
const AUTHENTICATE_MS = 5000;
const SOCKETS_PER_USER = 10;
const BATCH_MS = 10;
const ONLINE_MS = 200;
const HINT_CHARACTERS = 200;
const GOODBYE_MS = 300;
const NOT_UNDERSTOOD = 'A message of this page was not understood, please reload it.';

/** The account that may open a socket, as the ticket says. */
export type TicketHolder = {
  userId: string;
  credentialId: string | null;
  userEpoch: number;
  /** Ceiling of the session that requested the ticket. */
  ceiling: Classification;
};

export type HubDeps = {
  db: Kysely<Database>;
  server: HttpServer;
  redeem: (ticket: string) => Promise<TicketHolder | null>;
  reads: OpenReads;
  items: Items;
  live: Pick<LiveRights, 'account' | 'platform' | 'mission'>;
  /** Resolves when all notices of changes that were committed before the call have come. */
  allReceived: () => Promise<void>;
  /** Returns whether notices of lost rights can currently be received. */
  isListening: () => boolean;
  /** Host names of this server's own pages. */
  hosts: ReadonlySet<string>;
  startedUs: number;
  log: { warn: (fields: object, text: string) => void };
  /** For tests: runs something between the queueing of a batch and its sending. */
  beforeSending?: () => Promise<void>;
};

/** An open page, as seen by the handlers of its messages. */
export type Page = Pick<Listener, 'userId' | 'ceiling' | 'emit'>;

/** Handler for messages from pages. `onMessage` returns whether it understood the message. */
type MessageHandler = { name: string; onMessage: (page: Page, message: unknown) => boolean };

/** Returns the payload of an event for an account; null if the account gets none. */
type PayloadFor = (actor: Actor) => Promise<object | null>;

export type Hub = ReturnType<typeof createHub>;

/**
 * WebSocket hub of the open pages. Only the ticket determines a socket's user. Whether the user receives an event
 * depends on the user's rights in the database when it is sent.
 */
export function createHub(deps: HubDeps) {
  const { db, log } = deps;
  const people = audience();
  const deliver = delivery({ db, audience: people, reads: deps.reads, items: deps.items, receiveAll });
  const rooms = liveRooms({ audience: people, live: deps.live, isListening: deps.isListening, log });
  /** Accounts that have opened or closed a page since the last event about it. */
  const moved = new Set<string>();
  const welcomes: { name: string; payloadFor: PayloadFor }[] = [];
  const handlers: MessageHandler[] = [];
  const farewells: ((page: Page) => void)[] = [];
  let rights: RightsNotice[] = [];
  /** Notices of the batch being processed. */
  let batch: RightsNotice[] = [];
  let events: Outgoing[] = [];
  let working: Promise<void> | null = null;
  let onlineTimer: NodeJS.Timeout | null = null;
  let closing = false;

  const io = new Server(deps.server, {
    path: '/socket.io',
    transports: ['websocket'],
    allowUpgrades: false,
    serveClient: false,
    perMessageDeflate: false,
    maxHttpBufferSize: FRAME_BYTES,
    connectTimeout: AUTHENTICATE_MS,
    allowRequest: (request, answer) => answer(null, isOurPage(request, deps.hosts)),
  });
  // Applied to the connection itself, so that messages before the ticket count too.
  io.engine.on('connection', limitMessages);
  io.use((socket, next) => {
    admit(socket).then(
      () => next(),
      () => next(new Error('unauthorized')),
    );
  });
  io.on('connection', welcome);

  /** @throws if the ticket is invalid, or the account has too many open sockets */
  async function admit(socket: Socket): Promise<void> {
    const { ticket } = socket.handshake.auth as { ticket?: unknown };
    const holder = typeof ticket === 'string' ? await deps.redeem(ticket) : null;
    if (holder === null) throw new Error('No good ticket');
    const account = (await actorsById(db, [holder.userId])).get(holder.userId);
    // Rights have changed since the ticket was issued; the page requests a new one.
    if (account === undefined || account.epoch !== holder.userEpoch) throw new Error('The ticket is outdated');
    // A page that has disconnected meanwhile emits no further disconnect event, so it would never be removed from the
    // list.
    if (socket.conn.readyState !== 'open') throw new Error('The page went away');
    if (people.listenersOf(holder.userId) >= SOCKETS_PER_USER) throw new Error('Too many sockets');
    const listener = listenerOf(socket, holder);
    people.join(listener, account);
    const { status } = socket.handshake.query;
    if (typeof status === 'string') listener.status = status.slice(0, HINT_CHARACTERS);
    socket.data.listener = listener;
    socket.once('disconnect', () => left(listener));
    // A handshake that is aborted before `connection` emits no `disconnect` event.
    socket.conn.once('close', () => left(listener));
  }

  function welcome(socket: Socket): void {
    const listener = socket.data.listener as Listener;
    socket.emit(stateEvent.name, { state: 'Online', serverStartTime: deps.startedUs });
    socket.on('UpdateConnectedUser', (wish: unknown) => {
      const parsed = updateConnectedUser.safeParse(wish);
      if (parsed.success) listener.status = parsed.data.status;
      else listener.emit(errorEvent.name, { text: NOT_UNDERSTOOD });
    });
    socket.on('LiveStreamEvents', (wish: unknown, ...rest: unknown[]) => {
      // Rights are checked for each event. Requesting a channel grants none.
      const { success: accepted, data } = liveStreamEvents.safeParse(wish);
      if (data) rooms[data.command](listener, data.channel);
      else listener.emit(errorEvent.name, { text: NOT_UNDERSTOOD });
      const acknowledge = rest[rest.length - 1];
      if (typeof acknowledge === 'function') acknowledge({ accepted });
    });
    socket.on('AisView', (wish: unknown) => {
      const parsed = aisView.safeParse(wish);
      if (parsed.success) listener.view = parsed.data;
      else listener.emit(errorEvent.name, { text: NOT_UNDERSTOOD });
    });
    for (const { name, onMessage } of handlers) {
      socket.on(name, (message: unknown) => {
        if (!onMessage(listener, message)) listener.emit(errorEvent.name, { text: NOT_UNDERSTOOD });
      });
    }
    notifyOnline(listener);
    for (const { name, payloadFor } of welcomes) void notifyOne(name, listener, payloadFor, [listener]);
  }

  /** Sends an event to one account, based on the account's current rights. */
  async function notifyOne(
    name: string,
    { userId, ceiling }: Pick<Listener, 'userId' | 'ceiling'>,
    payloadFor: PayloadFor,
    listeners: Iterable<Listener>,
  ): Promise<void> {
    try {
      const account = await deps.live.account(userId, ceiling);
      const payload = account === null ? null : await payloadFor(account.actor);
      if (payload === null || !deps.isListening()) return;
      for (const listener of listeners) listener.emit(name, payload);
    } catch (error) {
      log.warn({ error, name }, 'an event was not sent');
    }
  }

  function left(listener: Listener): void {
    people.leave(listener);
    for (const farewell of farewells) farewell(listener);
    notifyOnline(listener);
  }

  function notifyOnline({ userId }: Listener): void {
    moved.add(userId);
    onlineTimer ??= setTimeout(() => {
      onlineTimer = null;
      const payload = { onlineUsers: people.userIds().size };
      for (const { actor, listeners } of people.everyone()) {
        if (!can(actor, 'onlineUsers.count').allowed) continue;
        for (const listener of listeners) listener.emit(onlineUsersEvent.name, payload);
      }
      // Lists of accounts show who is online, so they must be read again.
      push({ kind: 'changed', noun: 'users', ids: [...moved] });
      moved.clear();
    }, ONLINE_MS);
  }

  function push(event: Outgoing): void {
    if (closing) return;
    events.push(event);
    working ??= work();
  }

  async function work(): Promise<void> {
    // Wait a few milliseconds to collect the many notices of one transaction.
    await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
    while (rights.length > 0 || events.length > 0) {
      await deps.beforeSending?.();
      const sent = events;
      batch = rights;
      rights = [];
      events = [];
      const later = await deliver([...batch], sent).catch(failed);
      rights.unshift(...later);
    }
    working = null;
  }

  async function receiveAll(): Promise<RightsNotice[]> {
    await deps.allReceived();
    const received = rights;
    rights = [];
    batch.push(...received);
    return received;
  }

  /**
   * Rights could not be read, so every socket that may have lost rights is disconnected. The pages reconnect by
   * themselves.
   */
  function failed(error: unknown): RightsNotice[] {
    log.warn({ error }, 'events could not be delivered');
    if (batch.length > 0) io.disconnectSockets(true);
    return [];
  }

  return {
    /** Called for each notice from the notice connection. */
    rightsChanged(notice: RightsNotice): void {
      rights.push(notice);
      working ??= work();
    },
    happened: push,
    /** Sends events of live platforms to pages that requested them. Events may be dropped. */
    live(event: LiveEvent): void {
      if (!closing) rooms.happened(event);
    },
    /** Sends an event to each account, with the payload that the account may see. */
    async notifyEach(name: string, payloadFor: PayloadFor): Promise<void> {
      const everyone = [...people.everyone()];
      await Promise.all(
        everyone.map(({ actor, listeners }) => {
          const who = { userId: actor.id, ceiling: ceilingOf(actor) };
          return notifyOne(name, who, payloadFor, listeners);
        }),
      );
    },
    /** Sends an event to each page when it connects. */
    onWelcome(name: string, payloadFor: PayloadFor): void {
      welcomes.push({ name, payloadFor });
    },
    /**
     * Registers a handler for the messages that pages send under this name. Messages are requests and grant no rights.
     */
    onMessage(name: string, onMessage: MessageHandler['onMessage']): void {
      handlers.push({ name, onMessage });
    },
    /** Registers a function that is called for each page that has disconnected. */
    onGone(farewell: (page: Page) => void): void {
      farewells.push(farewell);
    },
    /** Whether any page has requested the events of this live platform. */
    isWatched: rooms.isWatched,

    /** Yields the accounts that have a page showing ships on a map. */
    *shipViewers(): Generator<Listening> {
      for (const listening of people.everyone()) {
        if ([...listening.listeners].some(({ view }) => view !== null)) yield listening;
      }
    },

    /** Disconnects all pages because notices were missed. They read everything again after reconnecting. */
    reset: () => io.disconnectSockets(true),

    onlineCount: (userId: string): number => people.listenersOf(userId),
    onlineUsers: (): number => people.userIds().size,
    /** Accounts with an open page. */
    onlineIds: (): string[] => [...people.userIds()],
    /** Returns the number of open pages of a session, and the status of the newest one. */
    pagesOf: (credentialId: string): { pages: number; status: string | null } => people.pagesOf(credentialId),
    sockets: (): number => io.engine.clientsCount,

    async close(): Promise<void> {
      if (onlineTimer) clearTimeout(onlineTimer);
      io.emit(stateEvent.name, { state: 'Offline', serverStartTime: deps.startedUs });
      await working;
      closing = true;
      await rooms.drain();
      // Pages that read get the goodbye; the others are not waited for.
      const polite = setTimeout(() => terminateAll(io), GOODBYE_MS);
      await io.close();
      clearTimeout(polite);
      terminateAll(io);
      if (onlineTimer) clearTimeout(onlineTimer);
    },
  };
}
