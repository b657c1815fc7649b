import type { Server, Socket } from 'socket.io';
import type { Listener } from './audience.ts';

/**
 * Maximum length of a message from a page, in characters. No legitimate message is longer, even with each character
 * escaped.
 */
const MESSAGE_CHARACTERS = 1024;
/**
 * Replaces messages that are too long. It is answered as not understood, and the long message is never parsed, which
 * would use memory.
 */
const UNREAD_MESSAGE = '2["UpdateConnectedUser",null]';
const MESSAGES_PER_SECOND = 20;
const BUFFER_BYTES = 1024 * 1024;

/** Creates the listener of a socket for the account named in its ticket. */
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
      // A client that does not read is disconnected before its backlog affects others.
      if (backlogBytes(socket) > BUFFER_BYTES) terminate(socket.conn);
      else socket.emit(name, payload);
    },
    close: () => socket.disconnect(true),
  };
}

/** Members of an engine.io connection that its types do not expose. */
type Connection = {
  writeBuffer: { data?: unknown }[];
  transport: { socket?: { bufferedAmount: number; terminate: () => void } };
};

/**
 * Closes a connection without the closing handshake, which a client that does not read could delay for half a minute.
 */
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
 * Disconnects a socket that sends more messages of any kind than a page ever would; heartbeat replies come only twice a
 * minute. Messages longer than any legitimate one are not read.
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
