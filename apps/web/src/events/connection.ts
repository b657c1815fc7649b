/** `Connecting` until the first answer: nothing is known of the server yet. */
export type ServerState = 'Connecting' | 'Online' | 'Offline' | 'Reconnecting';

/** The part of a Socket.IO socket that is used here. */
export type SocketLike = {
  auth: unknown;
  connect: () => unknown;
  disconnect: () => unknown;
  emit: (name: string, payload: unknown) => unknown;
  on: (name: string, listener: (payload: unknown) => void) => unknown;
  /** Every event of the server, and none of the socket itself. */
  onAny: (listener: (name: string, payload: unknown) => void) => unknown;
};

export type Deps = {
  /** A new ticket for each attempt: it is good once. */
  ticket: () => Promise<string>;
  createSocket: () => Promise<SocketLike> | SocketLike;
  onState: (state: ServerState, nextTryAtMs: number | null) => void;
  /** An open connection broke off. Not called if the server itself ended it, as after a log-out: it is there. */
  onLost: () => void;
  onEvent: (name: string, payload: unknown) => void;
  /** Connected for the first time: a list that was read just before may have missed a change. */
  onConnected: () => void;
  /** Connected again after it was away: what changed meanwhile has to be read. */
  onReconnected: () => void;
  random?: () => number;
};

/** As Socket.IO calls it when the server has ended the session of the socket. */
const ENDED_BY_SERVER = 'io server disconnect';
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/** Waits from 1 s, doubling up to 30 s, each up to a quarter shorter so that many pages do not come back at once. */
export function waitMs(attempt: number, random: () => number): number {
  const whole = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  return Math.max(FIRST_WAIT_MS, Math.round(whole * (1 - random() / 4)));
}

/** One socket that comes back by itself, with a new ticket each time. */
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
    /** Does not wait for the next turn. */
    tryNow: () => void tryNow(),
    /** Lost while there is no connection: subscriptions are sent again after each `onConnected`. */
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
