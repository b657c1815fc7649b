import type { Server, Socket } from 'socket.io';
import type { Listener } from './audience.ts';

/** No message of a page is longer, with each of its characters written as an escape. */
const MESSAGE_CHARACTERS = 1024;
/** Replaces longer messages: it is answered as not understood, and fills no memory by being parsed. */
const UNREAD_MESSAGE = '2["UpdateConnectedUser",null]';
const MESSAGES_PER_SECOND = 20;
const BUFFER_BYTES = 1024 * 1024;

/** A socket as the audience knows it, for the account of its ticket. */
export function listenerOf(
  socket: Socket,
  { userId, credentialId, ceiling }: Pick<Listener, 'userId' | 'credentialId' | 'ceiling'>,
): Listener {
  return {
    userId,
    credentialId,
    ceiling,
    status: null,
    channels: new Set(),
    view: null,
    isBehind: () => backlogBytes(socket) > 0,
    emit(name, payload) {
      // A socket that does not read is cut before its backlog costs the others.
      if (backlogBytes(socket) > BUFFER_BYTES) terminate(socket.conn);
      else socket.emit(name, payload);
    },
    close: () => socket.disconnect(true),
  };
}

/** The parts of an engine.io connection that its types keep to themselves. */
type Connection = {
  writeBuffer: { data?: unknown }[];
  transport: { socket?: { bufferedAmount: number; terminate: () => void } };
};

/** Without the closing handshake, which a peer that does not read could drag out for half a minute. */
function terminate(conn: Socket['conn']): void {
  const { transport } = conn as unknown as Connection;
  conn.close(true);
  transport.socket?.terminate();
}

export function terminateAll(io: Server): void {
  const { clients } = io.engine as unknown as { clients: Record<string, Socket['conn']> };
  for (const conn of Object.values(clients)) terminate(conn);
}

function backlogBytes({ conn }: Socket): number {
  const { writeBuffer, transport } = conn as unknown as Connection;
  const waiting = writeBuffer.reduce((sum, { data }) => sum + (typeof data === 'string' ? data.length : 0), 0);
  return waiting + (transport.socket?.bufferedAmount ?? 0);
}

/**
 * Cuts a socket that sends more of any kind than a page ever would: answers to heartbeats come twice a minute. Messages
 * longer than any of a page are not read.
 */
export function limitMessages(conn: Socket['conn']): void {
  let second = 0;
  let count = 0;
  conn.on('packet', (packet: { data?: unknown }) => {
    if (typeof packet.data === 'string' && packet.data.length > MESSAGE_CHARACTERS) packet.data = UNREAD_MESSAGE;
    const now = Math.floor(performance.now() / 1000);
    count = now === second ? count + 1 : 1;
    second = now;
    if (count > MESSAGES_PER_SECOND) terminate(conn);
  });
}
