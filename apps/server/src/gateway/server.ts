import { rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { listenAt, readMessages } from '../recorder-wire/local-socket.ts';
import { jsonMessage } from '../recorder-wire/messages.ts';
import { type FromGateway, toGateway } from './protocol.ts';
import type { GatewaySessions } from './sessions.ts';

export type GatewayServerDeps = {
  path: string;
  sessions: Pick<GatewaySessions, 'open' | 'close'>;
  log: { warn: (fields: object, text: string) => void };
};

/** The gateway's side of its socket. When a connection ends, its sessions end too. */
export function gatewayServer({ path, sessions, log }: GatewayServerDeps) {
  const sockets = new Set<Socket>();
  const server = createServer(accept);

  function accept(socket: Socket): void {
    sockets.add(socket);
    const own = new Set<string>();
    const sendMessage = (message: FromGateway) => {
      if (message.kind === 'ended' || message.kind === 'refused') own.delete(message.session);
      if (!socket.destroyed) socket.write(jsonMessage(message));
    };
    const onPayload = (_kind: number, payload: Buffer) => {
      const message = toGateway.parse(JSON.parse(payload.toString('utf8')));
      if (message.kind === 'close') return sessions.close(message.session);
      own.add(message.session);
      sessions.open(message, sendMessage).catch((error) => log.warn({ error }, 'a WebRTC session failed'));
    };
    readMessages(socket, onPayload, (error) => log.warn({ error }, 'a process said what nobody understands'));
    socket.once('close', () => {
      sockets.delete(socket);
      for (const session of own) sessions.close(session);
    });
  }

  return {
    listen: () => listenAt(server, path),
    async close(): Promise<void> {
      server.close();
      for (const socket of sockets) socket.destroy();
      await rm(path, { force: true });
    },
  };
}
