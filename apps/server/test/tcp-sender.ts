import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { atEnd } from './cleanup.ts';

/** An encoder that waits for callers at a port of loopback, and does this with each. */
export async function tcpSender(onCaller: (socket: Socket) => void) {
  const open = new Set<Socket>();
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.resume();
    onCaller(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port');
  return { url: `tcp://127.0.0.1:${address.port}`, calls: () => calls, open: () => open.size };
}
