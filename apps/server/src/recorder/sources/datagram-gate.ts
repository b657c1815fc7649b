import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { bindProblem } from './bind-problem.ts';
import type { SenderList } from './sender-list.ts';
import { SourceError } from './source-error.ts';

const LOOPBACK = '127.0.0.1';
const SOCKET_BUFFER_BYTES = 8 * 1024 * 1024;
/** Maximum number of simultaneous senders that are distinguished; the SRT listener itself accepts one. */
const PEERS_MAX = 8;
/** A sender that is silent for this time may be replaced by another. */
const SILENT_MS = 5000;

type Peer = { socket: Socket; receivedMs: number };

export type DatagramGate = {
  /** Loopback port on which the program receives the accepted datagrams, and from which it sends replies. */
  innerPort: number;
  refused(): number;
  close(): Promise<void>;
};

/**
 * Filters datagrams for a program that cannot restrict its senders: forwards only datagrams of listed senders,
 * unchanged, and forwards the program's replies to them.
 *
 * @throws SourceError when the port cannot be listened on
 */
export async function datagramGate({ host, port, maySend }: { host: string; port: number; maySend: SenderList }) {
  const outer = createSocket({ type: isIP(host) === 6 ? 'udp6' : 'udp4', recvBufferSize: SOCKET_BUFFER_BYTES });
  const innerPort = await freePort();
  const peers = new Map<string, Peer>();
  let refused = 0;

  function receive(bytes: Uint8Array, address: string, from: number): void {
    const peer = maySend(address) ? peerOf(address, from) : null;
    if (peer === null) {
      refused += 1;
      return;
    }
    peer.receivedMs = performance.now();
    // If the program is not listening yet, or no longer listens, the datagram is lost, as on a network.
    peer.socket.send(bytes, innerPort, LOOPBACK, () => undefined);
  }

  /**
   * Returns the socket used for a sender, one per sender, so that the program can distinguish senders; null when there
   * are too many.
   */
  function peerOf(address: string, from: number): Peer | null {
    const name = `${address} ${from}`;
    const existing = peers.get(name);
    if (existing !== undefined) return existing;
    if (peers.size >= PEERS_MAX) forgetSilent();
    if (peers.size >= PEERS_MAX) return null;
    const socket = createSocket({ type: 'udp4', recvBufferSize: SOCKET_BUFFER_BYTES });
    socket.on('error', () => undefined);
    socket.on('message', (bytes, sender) => {
      if (sender.port === innerPort && sender.address === LOOPBACK) outer.send(bytes, from, address, () => undefined);
    });
    socket.bind(0, LOOPBACK);
    const peer = { socket, receivedMs: performance.now() };
    peers.set(name, peer);
    return peer;
  }

  function forgetSilent(): void {
    const before = performance.now() - SILENT_MS;
    for (const [name, { socket, receivedMs }] of peers) {
      if (receivedMs > before) continue;
      socket.close();
      peers.delete(name);
    }
  }

  outer.on('message', (bytes, { address, port: from }) => receive(bytes, address, from));
  try {
    outer.bind(port, host);
    await once(outer, 'listening');
  } catch (error) {
    outer.close();
    throw new SourceError(bindProblem(error, host, port), { cause: error });
  }
  outer.on('error', () => undefined);

  return {
    innerPort,
    refused: () => refused,
    async close() {
      for (const { socket } of peers.values()) socket.close();
      peers.clear();
      const closed = once(outer, 'close');
      outer.close();
      await closed;
    },
  } satisfies DatagramGate;
}

/** Finds a port that is currently free. */
async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, LOOPBACK);
  await once(socket, 'listening');
  const { port } = socket.address();
  const closed = once(socket, 'close');
  socket.close();
  await closed;
  return port;
}
