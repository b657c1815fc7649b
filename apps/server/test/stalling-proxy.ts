import { connect, createServer, type Socket } from 'node:net';
import { socketOf } from '../src/base/db/postgres-server.ts';
import { atEnd } from './cleanup.ts';

/** Between a process and the database, as a network that can drop packets: `stall` drops all, `flow` none from then on. */
export async function stallingProxy(url: string) {
  const target = new URL(url);
  const [host, port] = [decodeURIComponent(target.hostname), Number(target.port)];
  const reachFar = () => (host.startsWith('/') ? connect(socketOf({ host, port })) : connect(port, host));
  const sockets = new Set<Socket>();
  let stalled = false;
  const server = createServer((near) => {
    const far = reachFar();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void (stalled || to.write(bytes)));
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  target.hostname = '127.0.0.1';
  target.port = String((server.address() as { port: number }).port);
  return {
    url: target.href,
    stall: () => {
      stalled = true;
    },
    flow: () => {
      stalled = false;
    },
  };
}
