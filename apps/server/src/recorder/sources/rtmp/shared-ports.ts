import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { bindProblem } from '../bind-problem.ts';
import { SourceError } from '../source-error.ts';
import { type RtmpPort, rtmpPort } from './rtmp-port.ts';

const HANDSHAKE_MS = 10_000;

/** Returns the paths of the server's certificate and key files; null if the server has no certificate. */
export type FindTls = () => Promise<{ certFile: string; keyFile: string } | null>;

export type PortAddress = { host: string; port: number; secure: boolean };

type Shared = { port: Promise<RtmpPort>; users: number };

/** Opens ports that are shared by sensors: a port stays open as long as at least one sensor uses it. */
export function sharedPorts(findTls: FindTls) {
  const open = new Map<string, Shared>();
  /** Ports that are being closed. A source that needs the same port waits until it is closed, then opens it again. */
  const closing = new Map<string, Promise<void>>();

  async function listen(name: string, { host, port, secure }: PortAddress): Promise<RtmpPort> {
    await closing.get(name);
    const server = secure ? await secureServer(findTls) : createServer();
    const shared = rtmpPort(server);
    server.on(secure ? 'secureConnection' : 'connection', shared.accept);
    try {
      server.listen({ host, port });
      await once(server, 'listening');
    } catch (error) {
      throw new SourceError(bindProblem(error, host, port), { cause: error });
    }
    return shared;
  }

  async function leave(name: string, shared: Shared): Promise<void> {
    shared.users -= 1;
    if (shared.users > 0) return;
    open.delete(name);
    const closed = shared.port.then(
      (port) => port.close(),
      // A server that never opened does not have to be closed.
      () => undefined,
    );
    closing.set(name, closed);
    await closed;
    if (closing.get(name) === closed) closing.delete(name);
  }

  /** @throws SourceError when the port cannot be listened on */
  return async (address: PortAddress): Promise<{ port: RtmpPort; leave(): Promise<void> }> => {
    const name = `${address.secure} ${address.host} ${address.port}`;
    const shared = open.get(name) ?? { port: listen(name, address), users: 0 };
    open.set(name, shared);
    shared.users += 1;
    try {
      return { port: await shared.port, leave: () => leave(name, shared) };
    } catch (error) {
      await leave(name, shared);
      throw error;
    }
  };
}

async function secureServer(findTls: FindTls): Promise<Server> {
  const files = await findTls();
  if (files === null) {
    throw new SourceError('RTMPS needs the certificate of this server: OSPREY_TLS_CERT and OSPREY_TLS_KEY');
  }
  return createTlsServer({
    cert: readFileSync(files.certFile),
    key: readFileSync(files.keyFile),
    minVersion: 'TLSv1.2',
    handshakeTimeout: HANDSHAKE_MS,
  });
}
