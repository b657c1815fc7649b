import { chmod, rm } from 'node:fs/promises';
import { connect, type Server, type Socket } from 'node:net';
import { messageReader } from './messages.ts';
import { ownSocketFolder } from './socket-path.ts';

const RETRY_MS = 300;

type OnPayload = (kind: number, payload: Buffer) => void;

/**
 * Reads frames from a socket. Closes it on bytes that are no frame, or on an unknown message; after a socket error it
 * closes automatically.
 */
export function readMessages(socket: Socket, onPayload: OnPayload, onCut: (error: unknown) => void): void {
  const read = messageReader(onPayload);
  socket.on('data', (piece: Buffer) => {
    try {
      read(piece);
    } catch (error) {
      onCut(error);
      socket.destroy();
    }
  });
  socket.on('error', () => undefined);
}

/** Listens at a path that only this account can use. The socket file of a killed process is removed. */
export async function listenAt(server: Server, path: string): Promise<void> {
  await ownSocketFolder(path);
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
  await chmod(path, 0o600);
}

export type LocalSocketHandlers = {
  onConnect?: () => void;
  onPayload: OnPayload;
  /** Called when the connection cannot be opened or is lost; it is retried automatically. */
  onClose: () => void;
  /** Called when a client was disconnected because its message was invalid. */
  onCut: (error: unknown) => void;
};

/** A connection to the socket of another process, opened again whenever it is lost. */
export function localSocket(path: string, { onConnect, onPayload, onClose, onCut }: LocalSocketHandlers) {
  let socket: Socket | null = null;
  let again: NodeJS.Timeout | null = null;
  let closed = false;

  function reach(): void {
    again = null;
    const fresh = connect(path);
    socket = fresh;
    if (onConnect) fresh.once('connect', onConnect);
    readMessages(fresh, onPayload, onCut);
    fresh.once('close', () => {
      socket = null;
      onClose();
      if (!closed) again = setTimeout(reach, RETRY_MS);
    });
  }

  reach();
  return {
    write: (frame: Buffer): void => void socket?.write(frame),
    close(): void {
      closed = true;
      if (again) clearTimeout(again);
      socket?.destroy();
    },
  };
}
