import { rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { greeting } from '../../recorder-wire/greeting.ts';
import { listenAt } from '../../recorder-wire/local-socket.ts';
import type { LiveKlv } from '../../recorder-wire/media-messages.ts';
import { klvMessage } from '../../recorder-wire/media-messages.ts';
import type { FromRecorder, Hello, ToRecorder } from '../../recorder-wire/protocol.ts';
import { type Connection, connection } from './connection.ts';

const CHECK_MS = 1000;

export type LiveServer = {
  listen(): Promise<void>;
  /** Sends a message to all connections. */
  send(message: FromRecorder): void;
  klv(sensorId: string, klv: LiveKlv): void;
  connections(): number;
  /** Stops accepting connections. Existing connections stay open until the process ends. */
  close(): Promise<void>;
};

export type LiveServerDeps = {
  path: string;
  /** Returns the first message that is sent to each new connection. */
  hello(): Hello;
  onMessage(message: ToRecorder, from: Connection): void;
  onGone(connection: Connection): void;
  log: Logger;
  nowMs(): number;
};

/** Server of the local socket through which other processes connect to the recorder. */
export function liveServer({ path, hello, onMessage, onGone, log, nowMs }: LiveServerDeps): LiveServer {
  const connected = new Set<Connection>();
  const server = createServer(accept);
  const timer = setInterval(() => {
    for (const each of connected) each.check(nowMs());
  }, CHECK_MS);
  timer.unref();

  function accept(socket: Socket): void {
    const fresh = connection({
      socket,
      onMessage: (message) => onMessage(message, fresh),
      onCut: (reason) => log.warn({ reason }, 'a process was cut from the recorder'),
      onClose() {
        connected.delete(fresh);
        onGone(fresh);
      },
    });
    connected.add(fresh);
    fresh.check(nowMs());
    fresh.sendSlowly(greeting(hello()));
  }

  return {
    // No other recorder uses the path: the main process has already ended any recorder that was running.
    listen: () => listenAt(server, path),
    send(message) {
      for (const each of connected) each.send(message);
    },
    klv(sensorId, klv) {
      if (connected.size === 0) return;
      const frame = klvMessage(sensorId, klv);
      for (const each of connected) each.sendKlv(frame);
    },
    connections: () => connected.size,
    async close() {
      clearInterval(timer);
      server.close();
      await rm(path, { force: true });
    },
  };
}
