import { once } from 'node:events';
import { createServer } from 'node:net';

/** The first TCP port of this machine, from that one up, at which nobody listens. */
export async function freePortFrom(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePortFrom(port + 1);
  }
  server.close();
  await once(server, 'close');
  return port;
}
