import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Returns a free TCP port of this machine: `from` if that is free, otherwise a higher or any free one. */
export async function freePort(from = 0): Promise<number> {
  const server = createServer().listen(from, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || from === 0) throw error;
    return freePort(from + 1);
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
