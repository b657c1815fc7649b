import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { connect, createServer, isIPv6, type Socket } from 'node:net';
import { OutputError } from '../live-output.ts';

/** Output that accepts the sentences of one message and sends them. */
export type TrafficOutput = {
  write(sentences: readonly string[]): void;
  close(): Promise<void>;
};

/** Maximum number of queued bytes for a receiver that does not read; if it is exceeded, sentences are dropped. */
const LYING_MAX = 1024 * 1024;
const RETRY_MS = 1000;

/** Whether the text is an address rather than the path of a file. */
export const isAddress = (to: string): boolean => /^[a-z]+:\/\//i.test(to);

const textOf = (sentences: readonly string[]): string => sentences.map((sentence) => `${sentence}\r\n`).join('');

/**
 * Opens `udp://HOST:PORT`, `tcp://HOST:PORT` (connects, and reconnects), `tcp://HOST:PORT?mode=listener`, or a file.
 */
export async function openTrafficOutput(address: string): Promise<TrafficOutput> {
  if (!isAddress(address)) return toFile(address);
  const target = URL.parse(address.replace(/^(udp|tcp):\/\/@?:/i, '$1://127.0.0.1:'));
  const scheme = target?.protocol.slice(0, -1);
  if (target === null || (scheme !== 'udp' && scheme !== 'tcp')) {
    throw new OutputError(`--ais is ${address}: it must be a file, or an address that begins with udp: or tcp:`);
  }
  const port = Number(target.port);
  if (port <= 0) throw new OutputError(`--ais is ${address}: the port is missing`);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  if (scheme === 'udp') return datagrams(host, port, target.searchParams.get('interface'));
  return target.searchParams.get('mode') === 'listener' ? listener(host, port) : caller(host, port);
}

async function toFile(path: string): Promise<TrafficOutput> {
  const file = createWriteStream(path);
  await once(file, 'open');
  return {
    write: (sentences) => void file.write(textOf(sentences)),
    async close() {
      file.end();
      await once(file, 'close');
    },
  };
}

/** Sends the sentences of a message in one datagram, as in IEC 61162-450. */
async function datagrams(host: string, port: number, local: string | null): Promise<TrafficOutput> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  socket.bind(0);
  await once(socket, 'listening');
  if (local !== null) socket.setMulticastInterface(local);
  let failure: Error | null = null;
  return {
    write(sentences) {
      if (failure !== null) throw new OutputError(`Sending AIS to ${host} failed: ${failure.message}`);
      socket.send(textOf(sentences), port, host, (error) => {
        // Sending without a receiver is not an error.
        if (error !== null && !('code' in error && error.code === 'ECONNREFUSED')) failure = error;
      });
    },
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

async function listener(host: string, port: number): Promise<TrafficOutput> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new OutputError(`--ais cannot listen on ${host}:${port}: ${(error as Error).message}`);
  }
  return {
    write(sentences) {
      for (const socket of sockets) if (socket.writableLength < LYING_MAX) socket.write(textOf(sentences));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Connects, and reconnects when the connection fails or ends. Sentences in between are lost, as they would be in radio
 * transmission.
 */
function caller(host: string, port: number): TrafficOutput {
  let socket: Socket | null = null;
  let retry: NodeJS.Timeout | null = null;
  const call = () => {
    retry = null;
    socket = connect(port, host);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      socket = null;
      retry = setTimeout(call, RETRY_MS);
    });
  };
  call();
  return {
    write(sentences) {
      if (socket !== null && !socket.connecting && socket.writableLength < LYING_MAX) socket.write(textOf(sentences));
    },
    async close() {
      socket?.removeAllListeners('close').destroy();
      if (retry !== null) clearTimeout(retry);
    },
  };
}
