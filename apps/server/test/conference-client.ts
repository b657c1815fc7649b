import { CONFERENCE_SOCKET_PATH, type ConferenceMessage, conferenceMessage } from '@osprey/contract';
import { WebSocket } from 'ws';
import { until } from './event-sockets.ts';
import type { Subject, TestServer } from './server.ts';

/** Any point will do: the server looks at its shape alone. */
const KEY = `B${'A'.repeat(86)}`;

export type ConferenceClient = Awaited<ReturnType<ReturnType<typeof conferenceClients>['joined']>>;

/** Sockets of conferences on a server that listens at this address. */
export function conferenceClients(server: TestServer, address: string) {
  const open: WebSocket[] = [];
  const ask = (who: Subject, method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) =>
    server.asUser(who).inject({ method, url: `/api/conference${path}`, ...(payload ? { payload } : {}) });

  async function tokenOf(who: Subject, name: string): Promise<string> {
    const answer = await ask(who, 'POST', '/token', { name, participantName: who });
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return (answer.json() as { token: string }).token;
  }

  /** A socket with this first message, and all messages that it got. */
  function socketWith(hello: unknown, options: { origin?: string } = {}) {
    const socket = new WebSocket(address.replace('http', 'ws') + CONFERENCE_SOCKET_PATH, {
      perMessageDeflate: false,
      ...(options.origin ? { origin: options.origin } : {}),
    });
    open.push(socket);
    const received: ConferenceMessage[] = [];
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.on('open', () => socket.send(typeof hello === 'string' ? hello : JSON.stringify(hello)));
    socket.on('message', (data) => received.push(conferenceMessage.parse(JSON.parse(String(data)))));
    const of = <Kind extends ConferenceMessage['kind']>(kind: Kind) =>
      received.filter((message): message is Extract<ConferenceMessage, { kind: Kind }> => message.kind === kind);
    return { socket, received, closed, of, send: (message: unknown) => socket.send(JSON.stringify(message)) };
  }

  return {
    ask,
    tokenOf,
    socketWith,
    async joined(who: Subject, name: string) {
      const client = socketWith({ token: await tokenOf(who, name), key: KEY });
      await until(() => client.received.length > 0);
      const [welcome] = client.of('welcome');
      if (welcome === undefined) throw new Error(JSON.stringify(client.received));
      return { ...client, welcome };
    },
    closeAll(): void {
      for (const socket of open.splice(0)) socket.terminate();
    },
  };
}

export const conferenceKey = KEY;
