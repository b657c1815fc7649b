import { connect, type Socket } from 'node:net';
import type { SourceCheck } from '../../recorder-wire/source-address.ts';
import type { OpenSource } from '../components.ts';
import { readBytes } from './byte-source.ts';
import { checkedHost } from './checked-host.ts';
import { SourceError } from './source-error.ts';

const CONNECT_MS = 5000;
/** Time without received bytes after which a connection is reopened, since the other side may have lost it. */
export const SILENCE_MS = 10_000;

/** Connects to `tcp://host:port` and reads the transport stream that the other side sends. */
export function tcpOpener(check: SourceCheck): OpenSource {
  return async ({ url }, sink) => {
    const { hostname, port } = new URL(url);
    const socket = await callTcp(url, check);
    socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('silence')));
    return readBytes(
      { readable: socket, whyEnded: () => `The connection to ${hostname}, port ${port} ended`, stop: () => undefined },
      sink,
    );
  };
}

/** @throws SourceError when the other side does not respond, or the server may not call that address */
export async function callTcp(url: string, check: SourceCheck): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: await checkedHost(hostname, check), port: Number(port) });
  await waitForConnection(socket, `${hostname}, port ${port}`);
  return socket;
}

async function waitForConnection(socket: Socket, address: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => fail(new Error('too late')), CONNECT_MS);
    const fail = (cause: Error) => {
      clearTimeout(late);
      socket.destroy();
      reject(new SourceError(`Nobody answers at ${address}`, { cause }));
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(late);
      socket.off('error', fail);
      // Ignored here, since the reader of the socket reports later errors.
      socket.on('error', () => undefined);
      resolve();
    });
  });
}
