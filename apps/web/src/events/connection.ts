/**
 * State of the connection to the server. `Connecting` until the first response, while nothing is known about the
 * server.
 */
export type ServerState = 'Connecting' | 'Online' | 'Offline' | 'Reconnecting';

/** The parts of a Socket.IO socket that are used here. */
export type SocketLike = {
  auth: unknown;
  connect: () => unknown;
  disconnect: () => unknown;
  emit: (name: string, payload: unknown) => unknown;
  on: (name: string, listener: (payload: unknown) => void) => unknown;
  /** Adds a listener for all events of the server, excluding those of the socket itself. */
  onAny: (listener: (name: string, payload: unknown) => void) => unknown;
};

export type Deps = {
  /** Requests a new ticket; needed for each attempt, since a ticket can be used only once. */
  ticket: () => Promise<string>;
  createSocket: () => Promise<SocketLike> | SocketLike;
  onState: (state: ServerState, nextTryAtMs: number | null) => void;
  /**
   * Called when an open connection was lost. Not called if the server ended the connection, for example after a
   * log-out, since the server is available then.
   */
  onLost: () => void;
  onEvent: (name: string, payload: unknown) => void;
  /** Called after the first connection. A list that was read just before may have missed a change. */
  onConnected: () => void;
  /** Called after a reconnection. Changes in the meantime were missed and must be read. */
  onReconnected: () => void;
  random?: () => number;
};

/** Reason that Socket.IO gives when the server has ended the connection. */
const ENDED_BY_SERVER = 'io server disconnect';
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Returns the wait before an attempt: from 1 s, doubled up to 30 s, each shortened by a random amount of up to a
 * quarter, so that many pages do not reconnect at the same time.
 */
export function waitMs(attempt: number, random: () => number): number {
  const whole = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  return Math.max(FIRST_WAIT_MS, Math.round(whole * (1 - random() / 4)));
}

/** Opens a socket that reconnects automatically, with a new ticket each time. */
export function openConnection(deps: Deps) {
  const random = deps.random ?? Math.random;
  let socket: SocketLike | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let attempt = 0;
  let closed = false;
  let wasOnline = false;
  let online = false;
  let trying = false;

  function retryLater() {
    online = false;
    trying = false;
    if (closed || timer !== null) return;
    const wait = waitMs(attempt, random);
    attempt += 1;
    deps.onState('Offline', Date.now() + wait);
    timer = setTimeout(() => {
      timer = null;
      void tryNow();
    }, wait);
  }

  async function create() {
    const made = await deps.createSocket();
    made.on('connect', () => {
      attempt = 0;
      online = true;
      trying = false;
      deps.onState('Online', null);
      if (wasOnline) deps.onReconnected();
      else deps.onConnected();
      wasOnline = true;
    });
    made.on('disconnect', (reason) => {
      if (!closed && reason !== ENDED_BY_SERVER) deps.onLost();
      retryLater();
    });
    made.on('connect_error', retryLater);
    made.onAny(deps.onEvent);
    return made;
  }

  async function tryNow() {
    if (closed || online || trying) return;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    trying = true;
    if (attempt > 0) deps.onState('Reconnecting', null);
    try {
      socket ??= await create();
      const ticket = await deps.ticket();
      if (closed) return;
      socket.auth = { ticket };
      socket.connect();
    } catch {
      retryLater();
    }
  }

  void tryNow();
  return {
    /** Tries to connect immediately, instead of waiting for the next attempt. */
    tryNow: () => void tryNow(),
    /**
     * Sends a message. Without a connection the message is dropped; subscriptions are therefore sent again after each
     * connection.
     */
    emit: (name: string, payload: unknown) => {
      if (online) socket?.emit(name, payload);
    },
    close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      socket?.disconnect();
    },
  };
}
