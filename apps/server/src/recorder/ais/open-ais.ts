import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { SourceCheck } from '../../recorder-wire/source-address.ts';
import { isListening, withHost } from '../../recorder-wire/source-address.ts';
import type { OpenedSource, OpenSource, SourceSink } from '../components.ts';
import { bindProblem } from '../sources/bind-problem.ts';
import { fetchStream } from '../sources/http-source.ts';
import { type SenderList, senderList } from '../sources/sender-list.ts';
import { SourceError } from '../sources/source-error.ts';
import { callTcp } from '../sources/tcp-source.ts';
import { udpBinding } from '../sources/udp-binding.ts';
import { bindUdp } from '../sources/udp-source.ts';
import { lineSink } from './line-sink.ts';
import { readLines } from './read-lines.ts';
import { type SerialPort, serialOpener } from './serial-source.ts';

const SOCKET_BUFFER_BYTES = 8 * 1024 * 1024;
const KEEP_ALIVE_MS = 30_000;
/** Number of receivers that may be connected to one port at the same time. */
const CALLERS_MAX = 16;

export type AisSourceDeps = {
  check: SourceCheck;
  /** Serial devices by name, from OSPREY_SERIAL. */
  serialPorts: ReadonlyMap<string, SerialPort>;
};

/** Opens all kinds of AIS addresses; passes on lines without their line ends. */
export function aisSourceOpener({ check, serialPorts }: AisSourceDeps): OpenSource {
  const openers: Record<string, OpenSource> = {
    udp: openUdp,
    tcp: (source, sink) => (isListening(source.url) ? openTcpListener(source, sink) : callSource(source, sink)),
    http: fetchSource,
    https: fetchSource,
    serial: serialOpener(serialPorts),
  };

  async function callSource({ url }: { url: string }, sink: SourceSink): Promise<OpenedSource> {
    const { hostname, port } = new URL(url);
    const socket = await callTcp(url, check);
    // Since nothing may arrive for minutes in quiet waters, TCP keep-alive detects whether the other side is still
    // there.
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    return readLines(socket, `The connection to ${hostname}, port ${port} ended`, sink);
  }

  async function fetchSource({ url }: { url: string }, sink: SourceSink): Promise<OpenedSource> {
    return readLines(await fetchStream(url, check), `${new URL(url).host} ended the stream`, sink);
  }

  return async (source, sink) => {
    const opener = openers[source.url.slice(0, source.url.indexOf(':')).toLowerCase()];
    if (opener === undefined) throw new SourceError('AIS is not received from an address of this kind');
    const { problem } = await check(source.url);
    if (problem !== null) throw new SourceError(problem);
    return opener(source, sink);
  };
}

const openUdp: OpenSource = async ({ url, senders }, sink) => {
  const binding = udpBinding(url);
  const socket = createSocket({
    type: binding.type,
    reuseAddr: binding.group !== null,
    recvBufferSize: SOCKET_BUFFER_BYTES,
  });
  await bindUdp(socket, binding);
  const maySend = senderList(senders);
  const lines = lineSink(sink);
  let refused = 0;
  const ended = once(socket, 'close').then(() => undefined);
  socket.on('error', () => socket.close());
  socket.on('message', (bytes, { address }) => {
    if (maySend(address)) lines.datagram(bytes);
    else refused += 1;
  });
  sink.problem(null);
  return {
    counts: () => ({ lost: 0, reordered: 0, refused: refused + lines.tooLong(), jitterMs: null }),
    ended,
    async close() {
      socket.removeAllListeners('message');
      try {
        socket.close();
      } catch {
        // The socket was already closed by an error.
      }
      await ended;
    },
  };
};

const openTcpListener: OpenSource = async ({ url, senders }, sink) => {
  const { hostname, port } = new URL(withHost(url));
  const host = hostname.replace(/^\[|\]$/g, '');
  const maySend: SenderList = senderList(senders);
  const callers = new Set<Socket>();
  let refused = 0;
  let tooLong = 0;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
    if (!maySend(address) || callers.size >= CALLERS_MAX) {
      refused += 1;
      socket.destroy();
      return;
    }
    const lines = lineSink(sink);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    callers.add(socket);
    socket.on('data', lines.push);
    socket.once('close', () => {
      callers.delete(socket);
      tooLong += lines.tooLong();
    });
  });
  server.listen({ host, port: Number(port) });
  try {
    await once(server, 'listening');
  } catch (error) {
    server.close();
    throw new SourceError(bindProblem(error, host, Number(port)), { cause: error });
  }
  const ended = once(server, 'close').then(() => undefined);
  sink.problem(null);
  return {
    counts: () => ({ lost: 0, reordered: 0, refused: refused + tooLong, jitterMs: null }),
    ended,
    async close() {
      for (const socket of callers) socket.destroy();
      server.close();
      await ended;
    },
  };
};
