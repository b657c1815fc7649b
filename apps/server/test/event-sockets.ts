import { io, type Socket } from 'socket.io-client';
import { credentialRepository } from '../src/features/identity/credentials.ts';
import { basicOf, makeUser, type Subject, type TestServer } from './server.ts';

export type Received = { name: string; payload: unknown; at: number };
export type EventSocket = {
  socket: Socket;
  received: Received[];
  named: (name: string) => Received[];
};
export type SocketOptions = { query?: Record<string, string>; origin?: string; path?: string };

/** Waits for a fact that events bring about. */
export async function until(isTrue: () => boolean, ms = 20_000): Promise<void> {
  const started = performance.now();
  while (!isTrue()) {
    if (performance.now() - started > ms) throw new Error('It did not become true in time');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Why a socket was refused, or `connected`. */
export const refused = ({ socket }: EventSocket): Promise<string> =>
  new Promise((resolve) => {
    socket.once('connect_error', (error) => resolve(error.message));
    socket.once('connect', () => resolve('connected'));
  });

export const idsOf = (client: EventSocket, name = 'missions'): string[] =>
  client.named(name).flatMap(({ payload }) => (payload as { ids: string[] }).ids);

/** Sockets of pages on a server that listens at this address. */
export function eventSockets(server: TestServer, address: string) {
  const open: Socket[] = [];

  async function ticketOf(name: Subject): Promise<string> {
    const answer = await server.asUser(name).inject({ method: 'POST', url: '/api/tickets' });
    return (answer.json() as { ticket: string }).ticket;
  }

  /** A socket with all that it heard. */
  function socketWith(auth: object, options: SocketOptions = {}): EventSocket {
    const socket = io(`${address}${options.path ?? ''}`, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      auth,
      query: options.query ?? {},
      ...(options.origin ? { extraHeaders: { origin: options.origin } } : {}),
    });
    open.push(socket);
    const received: Received[] = [];
    socket.onAny((name: string, payload: unknown) => received.push({ name, payload, at: performance.now() }));
    return { socket, received, named: (name: string) => received.filter((event) => event.name === name) };
  }

  async function connected(name: Subject, query: Record<string, string> = {}): Promise<EventSocket> {
    const client = socketWith({ ticket: await ticketOf(name) }, { query });
    const outcome = await refused(client);
    if (outcome !== 'connected') throw new Error(outcome);
    return client;
  }

  /** A new user of these groups, with an opener of sockets for it. */
  async function person(name: string, { clearance, groups }: { clearance: number; groups: readonly string[] }) {
    const userId = await makeUser(server.db, { name, role: 'user', clearance });
    const links = groups.map((usergroup_id) => ({ user_id: userId, usergroup_id }));
    await server.db.insertInto('user_usergroups').values(links).execute();
    const credentials = credentialRepository({ db: server.db, nowUs: () => Date.now() * 1000 });
    const { secret } = await credentials.make({ userId, client: '', address: '', cookie: false });
    const headers = { authorization: basicOf(name, secret) };
    return {
      userId,
      headers,
      async open(): Promise<EventSocket> {
        const answer = await server.inject({ method: 'POST', url: '/api/tickets', headers });
        const client = socketWith(answer.json() as object);
        const outcome = await refused(client);
        if (outcome !== 'connected') throw new Error(outcome);
        return client;
      },
    };
  }

  function closeAll(): void {
    for (const socket of open.splice(0)) socket.disconnect();
  }

  return { ticketOf, socketWith, connected, person, closeAll };
}
